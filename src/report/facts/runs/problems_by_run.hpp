// The wait states that are a problem of at least one of several runs (waits/problems.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/facts/runs/by_run.hpp"

namespace waitstate::report {

struct ProblemByRun {
  std::string metric;
  ByRun seconds;       ///< none where it is not a problem
  PathByRun callpath;  ///< where most of it is in each run
};

/// The worst of any run first; of each run its `most_problems` worst ones. `only`: ids of metrics, empty for all.
std::vector<ProblemByRun> problems_by_run(Runs runs, const std::vector<std::string>& only);

}  // namespace waitstate::report
