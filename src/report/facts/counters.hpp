// What the counters of a trace come to: per second of the time spent where they were counted, or as a mean. Rates and
// means are no sums, and so no severities: they are made here.
#pragma once

#include <cstdint>
#include <optional>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The counter that a metric is; null if it is none.
const Counter* counter_of(const AnalysisResult& result, MetricIndex metric);

/// A severity of a metric where the counter has a row, inclusive along the metric tree.
std::int64_t counter_value(const AnalysisResult& result, MetricIndex metric, const CounterRow& row);

/// What a sum of a counter comes to: per second (accumulated and relative ones; `time` in ticks), or the mean over
/// `weight`. Nothing if there is nothing to divide by.
std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, std::int64_t sum,
                                   std::int64_t time, std::uint64_t weight);

/// What a row of a counter comes to: in one call path, exclusive of callees, on one location.
std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, const CounterRow& row);

}  // namespace waitstate::report
