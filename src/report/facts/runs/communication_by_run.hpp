// Who sent how much to whom in each of several runs. What is in one run only is 0 in the others.
//
// Processes are the same by number, communicators by name. Cost: a step for each pair of processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/runs/by_run.hpp"

namespace waitstate::report {

struct CommunicationByRun {
  /// A number of all pairs together: messages, bytes, puts …
  struct Sum {
    std::string_view id;
    ByRun value;
  };
  /// Messages that one process, or block of processes, sent to another one.
  struct Pair {
    std::uint32_t sender = 0, receiver = 0;
    ByRun messages, bytes;
  };
  /// Messages of [from, to) bytes.
  struct Sizes {
    std::uint64_t from = 0, to = 0;
    ByRun messages;
  };
  /// Operations of one kind on all communicators of one name.
  struct Operations {
    std::string communicator;
    CollectiveOp operation{};
    ByRun operations, bytes_sent, seconds, wait_seconds;
  };

  std::vector<Sum> sums{};
  bool has_pairs = false;  ///< in all runs pairs are of processes, or of blocks of one size
  std::uint64_t processes_per_block = 1;
  std::vector<Pair> pairs{};  ///< pairs that are not the same in all runs, the largest spread of bytes first
  std::vector<Sizes> sizes{};
  std::vector<Operations> collectives{};  ///< the largest spread of time first
};

/// None unless every run tells.
std::optional<CommunicationByRun> communication_by_run(Runs runs);

}  // namespace waitstate::report
