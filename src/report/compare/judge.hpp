// Judges gates (gate.hpp) on a report, or on the growth from one report to another.
//
// A gate that cannot be judged (no such metric, not analysed, unknown in the trace, seconds of a clock whose unit is
// not known, or within what the clocks disagree by) is undecided and never passes: a guard that sees nothing must not
// say that all is well. The same holds for a share if events of locations are missing: neither it nor the whole time is
// known. Growth of sums is undecided between runs that are not of the same size, or not about the same part of a run.
#pragma once

#include <vector>

#include "report/compare/gate.hpp"
#include "report/compare/verdict.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Judges a gate on one report; throws UsageError if it cannot be judged, and for one on growth.
Verdict judge(const Gate& gate, const AnalysisResult& result);
/// Judges growth from `before` to `after`, and any other gate on `after`.
Verdict judge(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after);

/// Like judge() for each gate, but a gate that cannot be judged is undecided, with the complaint as its reason.
std::vector<Verdict> judge_all(const std::vector<Gate>& gates, const AnalysisResult& result);
std::vector<Verdict> judge_all(const std::vector<Gate>& gates, const AnalysisResult& before,
                               const AnalysisResult& after);

}  // namespace waitstate::report
