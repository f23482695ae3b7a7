// The clause about the culprit of a wait, which stands behind its name.
#pragma once

#include <functional>
#include <string>

#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// ", which was in main/work", ", which itself waited for rank 2 in main/MPI_Recv for 82.0 % of that time"; with a
/// chain, ", itself waiting for rank 2, which was in main/work (82.0 % of the delay)". "" without a culprit.
std::string culprit_clause(const AnalysisResult& result, MetricIndex metric, const SevereInstance& instance,
                           const std::function<std::string(CallPathId)>& path);
/// The start of a line of a list: "rank 1 itself waited 82.0 % of it for rank 2 in ", which a call path is to follow;
/// "" if the culprit did not wait.
std::string culprit_line(const AnalysisResult& result, const Wait& wait, const CulpritWait& own);

/// Whether it is told of a culprit that made others wait `caused` ticks that it itself waited `own`.
bool worth_saying(Ticks own, Ticks caused);
/// ", which itself waited 2.000 ms", of such a culprit; "" if that is not worth saying.
std::string also_waited(Ticks own, Ticks caused, const Seconds& seconds);

}  // namespace waitstate::report
