// The last events of a location while they are recorded: parts/RANK/NUMBER.tail, a file that the process has mapped.
//
// It holds the chunk that OTF2's writer is filling and, behind it, what has to be known if the process does not come to
// its end: how many records are whole, and what its call waits for. What is written into a mapped file stays when the
// process dies, whatever kills it. A full chunk goes to the event file, and the same memory is filled again; so each
// event is in one of the two files from the moment that it is recorded.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace waitstate::record {

inline constexpr std::uint64_t chunk_bytes = 1 << 20;  ///< size of OTF2's chunks
inline constexpr std::uint64_t tail_page = 4096;       ///< bytes behind the chunk
/// Where Tail begins in that page: OTF2 writes a byte behind a chunk that is exactly full when it closes it.
inline constexpr std::uint64_t tail_offset = 64;
inline constexpr std::string_view tail_format = "waitstate-tail1";

/// The message, operation or lock that a thread's call waits for.
struct Waiting {
  enum class What : std::uint32_t {
    nothing,
    send,
    receive,
    probe,
    requests,
    collective,
    window,
    lock,
    omp_lock,
    pthread_lock,
    count
  };
  static constexpr std::size_t most_requests = 256;

  std::atomic<What> what{What::nothing};
  std::uint32_t region = 0;          ///< region of the call
  std::uint64_t since = 0;           ///< when the call began
  std::uint32_t communicator = 0;    ///< local number; of a window or lock: that of the window; of a lock of threads:
                                     ///< its number
  std::uint32_t requests = 0;        ///< number of those in `request`
  std::int64_t peer = -1, tag = -1;  ///< -1: any, or none
  std::uint64_t request[most_requests] = {};  ///< their handles; see pending_operation.hpp
};

/// The words for What in a line; see line `waits`.
inline constexpr std::string_view waiting_names[] = {"nothing",    "send",   "receive", "probe",    "requests",
                                                     "collective", "window", "lock",    "omp_lock", "pthread_lock"};
static_assert(std::size(waiting_names) == static_cast<std::size_t>(Waiting::What::count));

/// Calls of one function that returned an error.
struct ErrorCount {
  std::atomic<std::uint32_t> region{0};  ///< one more than the number of the function's region; 0: unused
  std::atomic<std::uint32_t> calls{0};
};
/// A process whose calls of still more functions fail has the rest in ErrorCounts::others.
inline constexpr std::size_t most_failed_functions = 64;
struct ErrorCounts {
  ErrorCount functions[most_failed_functions] = {};
  std::atomic<std::uint64_t> others{0};
};

struct Tail {
  char format[16] = {};  ///< tail_format, once all else is there
  std::uint64_t chunk = chunk_bytes;
  std::uint64_t number = 0;              ///< number of the thread or stream
  std::atomic<std::uint64_t> events{0};  ///< whole records, those in the event file included
  std::atomic<std::uint64_t> first{0};   ///< time of the first record
  std::atomic<std::uint64_t> last{0};    ///< time of the last record in the event file
  std::atomic<std::uint64_t> ended{0};   ///< when somebody asked the process to end; of the first thread alone
  Waiting waiting;
  ErrorCounts errors;  ///< all of the process, in its first thread alone
};
static_assert(tail_offset + sizeof(Tail) <= tail_page && std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace waitstate::record
