// One section a wait state: how much, how long single waits were, in which call paths, on which locations, who made
// whom wait and where the culprits were meanwhile, the most severe instances, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/problems.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The metrics that get a section if they are not zero: those of which is_wait() is true and the durations below them,
/// depth first.
std::vector<MetricIndex> wait_metrics(const AnalysisResult& result);

/// Sections of all of them, but for one that a metric below would only repeat; lists of at most `most` lines.
std::string wait_states(const AnalysisResult& result, const RunTotals& run, const Completeness& completeness,
                        const Seconds& seconds, const Diagnoses& diagnoses, std::size_t most, const Style& style,
                        bool tree_order = false);

}  // namespace waitstate::report
