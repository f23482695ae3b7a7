// Checks a finished result against what no trace can exceed, whatever its records say: the time of a location is at
// most the run, and a wait at most the time of the call that it lies in. What exceeds a bound is unknown and not a
// number, in every report and for every gate: records that contradict each other would else become facts.
// Cost: a look at each value, and a few look-ups for each value of a wait.
#pragma once

#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Takes back the idle time of threads for which it is longer than the run without their own time, and counts these
/// threads: records of teams contradict each other there.
void take_back_idle_time(AnalysisResult& result);

/// The metrics with values that cannot be, and why.
std::vector<UndeterminedMetric> out_of_bounds(const AnalysisResult& result);

}  // namespace waitstate::analysis
