// When the waits of several runs were. Runs are not equally long, so each is cut into as many equal parts of its time
// from the first event to the last. Cost: a step for each bin of time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/facts/runs/by_run.hpp"

namespace waitstate::report {

inline constexpr std::size_t parts_of_a_run = 10;

/// Waits of one metric, without those of metrics below it, by part of the run.
struct SeriesByRun {
  std::string metric;
  std::vector<ByRun> parts;  ///< seconds, of every run
  /// The sum of the spreads of all parts.
  double spread() const;
};

/// The largest spread first; nothing unless every run has a series. `only`: ids of metrics, empty for all.
std::vector<SeriesByRun> series_by_run(Runs runs, const std::vector<std::string>& only);

}  // namespace waitstate::report
