// Wait states that the trace cannot tell, and why: a zero is an answer only if the trace had the records to say more.
//
// Judged from what was recorded: requests that were posted and never completed (a recorder that writes no completions),
// partners and members that are missing, and MPI calls that communicate without a communication record inside. A
// collective operation's wait states are found by the name of the function that was called. A report that does not hold
// the number of events (a CUBE report) has nothing to judge from; one of ours says what was judged when it was written,
// of one of another tool nothing is said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"
#include "report/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Begin of the key of a property of the recorder, in which a CUBE report keeps one of them: "ID: sentence".
inline constexpr std::string_view unanswered_key = "waitstate unanswered ";

struct Unanswered {
  MetricIndex metric;    ///< the wait state; it holds for the metrics below it as well
  std::string sentence;  ///< what is missing
};

/// Empty if the trace has all that the wait states need.
std::vector<Unanswered> unanswered(const AnalysisResult& result);

/// True if one of them is that metric or above it.
bool is_unanswered(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric);

/// Those that say something of that metric: of it or of one above it; `below` too: or of one below it.
std::vector<Unanswered> unanswered_of(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric,
                                      bool below = false);

/// Each sentence once, with all wait states that it is about; "" without one.
std::string unanswered_lines(const AnalysisResult& result, const std::vector<Unanswered>& all, const Style& style);
/// The same with what stands above it.
std::string unanswered_text(const AnalysisResult& result, const std::vector<Unanswered>& all, const Style& style,
                            std::string_view heading = "Cannot be told from this trace");

/// Time of MPI, OpenMP or another library that may be waiting, of which the report has no wait state because no pattern
/// was run that looks for one.
struct NotAnalysed {
  MetricIndex metric;
  std::int64_t value;  ///< ticks, inclusive
};
/// Largest first, from `least` ticks on.
std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least);

}  // namespace waitstate::report
