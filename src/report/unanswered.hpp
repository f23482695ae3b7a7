// Wait states that the trace cannot tell, and why: a zero is an answer only if the trace had the records to say more.
//
// Judged from what was recorded: requests that were posted and never completed (a recorder that writes no completions),
// partners and members that are missing, and MPI calls that communicate without a communication record inside. A
// collective operation's wait states are found by the name of the function that was called. A report that does not hold
// the number of events (one of another tool) has nothing to judge from, and nothing is said of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Unanswered {
  MetricIndex metric;    ///< the wait state; it holds for the metrics below it as well
  std::string sentence;  ///< what is missing
};

/// Empty if the trace has all that the wait states need.
std::vector<Unanswered> unanswered(const AnalysisResult& result);

/// True if one of them is that metric or above it.
bool is_unanswered(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric);

/// Time of MPI, OpenMP or another library that may be waiting, of which the report has no wait state because no pattern
/// was run that looks for one.
struct NotAnalysed {
  MetricIndex metric;
  std::int64_t value;  ///< ticks, inclusive
};
/// Largest first, from `least` ticks on.
std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least);

}  // namespace waitstate::report
