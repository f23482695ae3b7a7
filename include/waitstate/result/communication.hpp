// Who sent how much to whom, and which collective operations there were: of the whole trace, whatever part of the run
// was chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

struct Communication {
  static constexpr std::size_t max_blocks = 1024;

  /// What one process, or block of processes, sent to another one.
  struct Pair {
    std::uint32_t sender = 0, receiver = 0;  ///< number of the process, or of the block
    std::uint64_t messages = 0, bytes = 0;   ///< matched
    std::uint64_t puts = 0, bytes_put = 0;   ///< of the sender to the receiver's memory; atomic operations, too
    std::uint64_t gets = 0, bytes_got = 0;   ///< of the receiver from the sender's memory; and what atomic
                                             ///< operations bring back
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  /// Messages of [from, to) bytes.
  struct Sizes {
    std::uint64_t from = 0, to = 0, messages = 0, bytes = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
  };
  /// Blocking operations in which all members took part, of one kind on one communicator.
  struct Operations {
    CommId comm{};
    CollectiveOp operation{};
    std::uint64_t operations = 0, calls = 0;  ///< calls: of all members
    std::uint64_t bytes_sent = 0, bytes_received = 0;
    Ticks ticks = 0;       ///< in these calls
    Ticks wait_ticks = 0;  ///< waits in them, of all wait states that were looked for and are no share of another one
    friend bool operator==(const Operations&, const Operations&) = default;
  };

  std::uint64_t processes_per_block = 1;  ///< 1: pairs are of processes; else of blocks of so many
  std::vector<Pair> pairs;                ///< ascending, without those that have nothing
  std::vector<Sizes> sizes;               ///< from a power of two to the next; ascending, that have messages
  std::vector<Operations> collectives;    ///< by communicator and operation
  friend bool operator==(const Communication&, const Communication&) = default;
};

}  // namespace waitstate
