// How long single waits are in each of several runs, by wait state: their statistics, how many are how long, and the
// call paths that waited most. A report from a file may lack some of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/facts/runs/by_run.hpp"

namespace waitstate::report {

/// The number of waits, and their lengths in seconds.
struct WaitLengths {
  ByRun count, sum, mean, median, longest;
};

/// Waits in calls of one call path.
struct PathWaitsByRun {
  PathByRun callpath;
  WaitLengths lengths;
};

/// Waits of [from, to) seconds, where both are a power of two of ticks of the first run.
struct LengthClassByRun {
  double from = 0, to = 0;
  std::vector<std::uint64_t> count{};
};

/// All waits of a metric.
struct WaitsByRun {
  std::string metric;
  WaitLengths lengths;
  std::vector<LengthClassByRun> histogram{};  ///< from the shortest to the longest; empty unless every run has it
  std::vector<PathWaitsByRun> by_callpath{};  ///< the largest spread of the sum first, of call paths by name; of what
                                              ///< every run has, the most severe ones. Empty if a run has no waits
};

/// The metrics of which at least one run has waits, the largest spread of the sum first. `only`: ids of metrics, empty
/// for all.
std::vector<WaitsByRun> waits_by_run(Runs runs, const std::vector<std::string>& only);

}  // namespace waitstate::report
