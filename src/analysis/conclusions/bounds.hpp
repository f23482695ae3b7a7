// Checks a finished result against what no trace can exceed, whatever its records say: the time of a location is at
// most the run, and a wait at most the time of the call that it lies in. What exceeds a bound is unknown and not a
// number, in every report and for every gate: records that contradict each other would else become facts.
// Cost: a look at each value, and a few look-ups for each value of a wait.
#pragma once

#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Takes back idle time by which a thread's idle and own time together are longer than the run, from the largest value
/// first. If that is more than 1 % of the thread's idle time, records of teams contradict each other: all of it is
/// taken back, and the thread is counted.
void take_back_idle_time(AnalysisResult& result);

/// The metrics with values that cannot be, and why.
std::vector<UndeterminedMetric> out_of_bounds(const AnalysisResult& result);

}  // namespace waitstate::analysis
