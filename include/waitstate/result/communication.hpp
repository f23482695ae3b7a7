// Who sent how much to whom, and the collective operations, for the whole trace, whatever part of the run was chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

struct Communication {
  static constexpr std::size_t max_blocks = 1024;

  /// The communication from one process, or block of processes, to another one.
  struct Pair {
    std::uint32_t sender = 0, receiver = 0;  ///< number of the process, or of the block
    std::uint64_t messages = 0, bytes = 0;   ///< matched messages
    std::uint64_t puts = 0, bytes_put = 0;   ///< from the sender to the receiver's memory; includes atomic operations
    std::uint64_t gets = 0, bytes_got = 0;   ///< by the receiver from the sender's memory; includes the results of
                                             ///< atomic operations
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  /// Messages of [from, to) bytes.
  struct Sizes {
    std::uint64_t from = 0, to = 0, messages = 0, bytes = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
  };
  /// Blocking operations of one kind on one communicator in which all members took part.
  struct Operations {
    CommId comm{};
    CollectiveOp operation{};
    std::uint64_t operations = 0, calls = 0;  ///< calls: summed over all members
    std::uint64_t bytes_sent = 0, bytes_received = 0;
    Ticks ticks = 0;       ///< time in these calls
    Ticks wait_ticks = 0;  ///< waits in these calls, for all wait states that were looked for and are not a share of
                           ///< another one
    friend bool operator==(const Operations&, const Operations&) = default;
  };

  std::uint64_t processes_per_block = 1;  ///< 1: pairs are of processes; larger: pairs are of blocks of this many
                                          ///< processes
  std::vector<Pair> pairs;                ///< ascending; empty pairs are left out
  std::vector<Sizes> sizes;               ///< ascending sizes, each from a power of two to the next; only those that
                                          ///< have messages
  std::vector<Operations> collectives;    ///< by communicator and operation
  friend bool operator==(const Communication&, const Communication&) = default;
};

}  // namespace waitstate
