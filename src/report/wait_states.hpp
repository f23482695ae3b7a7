// One section a wait state: how much, in which call paths, on which locations, and who made whom wait.
#pragma once

#include <string>
#include <vector>

#include "report/layout.hpp"
#include "report/totals.hpp"
#include "report/unanswered.hpp"
#include "report/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The metrics that get a section if they are not zero: durations that are known by culprit and victim
/// (AnalysisResult::waits) and the durations below them, depth first.
std::vector<MetricIndex> wait_metrics(const AnalysisResult& result);

/// Sections of all of them, but for one that a metric below would only repeat; `totals` must rank wait_metrics().
std::string wait_states(const AnalysisResult& result, const Totals& totals, const std::vector<Unanswered>& unanswered,
                        const Seconds& seconds, const Style& style);

}  // namespace waitstate::report
