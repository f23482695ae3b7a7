// Wait states that the trace cannot tell (AnalysisResult::undetermined), as reports say it and as a CUBE report keeps
// it; and time that nobody has analysed. What is undetermined, and why, the patterns say: see
// waitstate/pattern/undetermined.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Begin of the key of a property of the recorder, in which a CUBE report keeps one of them: "ID: sentence".
inline constexpr std::string_view undetermined_key = "waitstate unanswered ";

/// Of a CUBE report, which does not say what the events were: what one of ours has kept, and what its values tell.
std::vector<UndeterminedMetric> kept_undetermined(const AnalysisResult& result);

/// True if one of them is that metric or above it.
bool is_undetermined(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics, MetricIndex metric);

/// Those that say something of that metric: of it or of one above it; `below` too: or of one below it.
std::vector<UndeterminedMetric> undetermined_of(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics,
                                                MetricIndex metric, bool below = false);

/// Each sentence once, with all wait states that it is about; "" without one.
std::string undetermined_lines(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                               const Style& style);
/// The same with what stands above it.
std::string undetermined_text(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                              const Style& style, std::string_view heading = "Unknown in this trace");

/// Time of MPI, OpenMP or another library that may be waiting, of which the report has no wait state because no pattern
/// was run that looks for one.
struct NotAnalysed {
  MetricIndex metric;
  std::int64_t value;  ///< ticks, inclusive
};
/// Largest first, from `least` ticks on.
std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least);

}  // namespace waitstate::report
