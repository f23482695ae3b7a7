// The events that an ended process has left in its tails (tail.hpp) go to its event files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/parts/tail.hpp"

namespace waitstate::record {

/// The message, operation or lock that a call of a thread waited for; see Waiting.
struct FoundWait {
  Waiting::What what{};
  std::uint32_t region = 0, communicator = 0;
  std::uint64_t since = 0;
  std::int64_t peer = -1, tag = -1;
};

/// Calls of one function that returned an error; see ErrorCount.
struct FoundErrors {
  std::optional<std::uint32_t> region;  ///< nothing: those of further functions together
  std::uint64_t calls = 0;
};

/// A location whose tail was found.
struct FoundTail {
  std::uint64_t number = 0;           ///< number of the thread or stream
  std::uint64_t events = 0;           ///< in the event file now
  std::uint64_t first = 0, last = 0;  ///< times of the first and last of them
  std::vector<FoundWait> waits;       ///< several if the call waited for several requests
  std::vector<FoundErrors> errors;    ///< all of the process, in its first thread
  std::uint64_t ended = 0;            ///< when somebody asked the process to end; 0: not known
};

struct FoundTails {
  std::vector<FoundTail> tails;  ///< by number
  std::string problem;           ///< why an event file could not be completed; else empty
};

/// Completes the event files of a process in its folder parts/RANK. The tails stay: it may be interrupted at any time
/// and repeated. Nothing in the files is trusted; what is none of a recorder's own files is left alone.
FoundTails complete_event_files(const std::string& part);

}  // namespace waitstate::record
