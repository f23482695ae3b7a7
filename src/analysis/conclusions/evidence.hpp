// Finds the metrics that the trace cannot tell. Patterns are asked once, when everything is known; reasons that hold
// for every metric - locations that cannot be read, sums that are too large, files - are added here.
#pragma once

#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// Undetermined metrics of a complete result of an analysis with these patterns, in the order of the metric tree.
/// Throws PatternError if a pattern fails.
std::vector<UndeterminedMetric> undetermined(const AnalysisResult& result, const std::vector<PatternHandle>& patterns);

/// Undetermined metrics of a result without events, such as a CUBE report: they follow from damage, from the values
/// alone, and from the ones that the report has kept. In the order of the metric tree, each once.
std::vector<UndeterminedMetric> undetermined_of_report(const AnalysisResult& result,
                                                       const std::vector<UndeterminedMetric>& kept);

}  // namespace waitstate::analysis
