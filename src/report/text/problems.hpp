// The worst wait states in sentences: how much, where, who made whom wait, where the culprit was, and what to do;
// before them, who still waited when the trace ended, of which no wait state knows.
//
// A wait state that is a share of another one (wrong order of Late Sender) is no problem of its own, unless a plug-in
// brought it and not the other. Below a small share of the total time a wait state is said to be small, not called a
// problem.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "report/text/accounting.hpp"
#include "report/totals.hpp"
#include "report/undetermined.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// By metric id, what the user should do about it.
using Diagnoses = std::map<std::string, std::string, std::less<>>;
Diagnoses diagnoses(const std::vector<PatternHandle>& patterns);

inline constexpr double problem_share = 0.01;  ///< of the total time: below it, a wait state is no problem

/// At most `most` numbered paragraphs, and one on what is small, or what takes the time where nobody waits, or what a
/// report without wait states is good for. Shares are of the time without MPI_Init and MPI_Finalize; of waits in these,
/// of the whole. Ends in '\n'.
std::string problems_text(const AnalysisResult& result, const RunTotals& run,
                          const std::vector<FunctionAccount>& accounts,
                          const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                          const Diagnoses& diagnoses, std::size_t most, const Style& style);

}  // namespace waitstate::report
