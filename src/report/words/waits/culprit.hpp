// The clause about the culprit of a wait, which stands behind its name.
#pragma once

#include <functional>
#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// ", which was in main/work", ", which itself waited for rank 2 in main/MPI_Recv for 82.0 % of that time"; with a
/// chain, ", itself waiting for rank 2, which was in main/work (82.0 % of the delay)". "" without a culprit.
std::string culprit_clause(const AnalysisResult& result, MetricIndex metric, const SevereInstance& instance,
                           const std::function<std::string(CallPathId)>& path);
/// The start of a line of a list: "rank 1 itself waited 82.0 % of it for rank 2 in ", which a call path is to follow;
/// "" if the culprit did not wait.
std::string culprit_line(const AnalysisResult& result, const SevereInstance& instance);

}  // namespace waitstate::report
