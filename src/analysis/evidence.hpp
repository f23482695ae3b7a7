// What the trace cannot tell: the patterns are asked once, when everything is known, and what holds for every metric -
// locations that cannot be read, sums that are too large, files - is added here.
#pragma once

#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// Of a complete result of an analysis with these patterns, in the order of the metric tree. Throws PatternError if a
/// pattern fails.
std::vector<UndeterminedMetric> undetermined(const AnalysisResult& result, const std::vector<PatternHandle>& patterns);

/// Of a result that does not say what the events were, as of a CUBE report: what is told by damage and by the values
/// alone, and what the report has kept. In the order of the metric tree, each once.
std::vector<UndeterminedMetric> undetermined_of_report(const AnalysisResult& result,
                                                       const std::vector<UndeterminedMetric>& kept);

}  // namespace waitstate::analysis
