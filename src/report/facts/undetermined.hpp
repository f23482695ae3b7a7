// Wait states that the trace cannot tell (AnalysisResult::undetermined), as a CUBE report keeps them, and time that no
// pattern has analysed. The patterns decide what is undetermined, and why: see waitstate/pattern/undetermined.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Start of the key of a property of the recorder in which a CUBE report keeps an undetermined metric: "ID: sentence".
inline constexpr std::string_view undetermined_key = "waitstate unanswered ";

/// The undetermined metrics of a CUBE report, which has no counts of events: those that a report of ours has kept, and
/// those that follow from its values.
std::vector<UndeterminedMetric> kept_undetermined(const AnalysisResult& result);

/// True if the metric, one above it, or one that it is the sum of, is undetermined.
bool is_undetermined(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics, MetricIndex metric);

/// The undetermined metrics that the metric lies within, itself included; with `below` also those that lie within it.
std::vector<UndeterminedMetric> undetermined_of(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics,
                                                MetricIndex metric, bool below = false);

/// Time in MPI, OpenMP or another library that may be waiting, for which the report has no wait state because no
/// pattern was run that looks for one.
struct NotAnalysed {
  MetricIndex metric;
  std::int64_t value;  ///< ticks, inclusive
};
/// Largest first, from `least` ticks on.
std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least);

}  // namespace waitstate::report
