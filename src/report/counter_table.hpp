// The counters of a trace as a table: what they add up to, per second of the time spent where they were counted or as a
// mean, and the smallest and largest value. Rates and means are no sums and so no severities: they are made here.
#pragma once

#include <optional>
#include <string>

#include "report/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A value of a counter with its unit, e.g. "1,234", "12.5 J".
std::string counter_text(const MetricInfo& metric, std::int64_t value);
/// The counter that a metric is; null if it is none.
const Counter* counter_of(const AnalysisResult& result, MetricIndex metric);

/// What a sum of a counter comes to: per second (accumulated and relative ones; `time` in ticks), or the mean over
/// `weight`. Nothing if there is nothing to divide by.
std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, std::int64_t sum,
                                   std::int64_t time, std::uint64_t weight);

/// At most `rows` counters, all if 0; empty if there are none.
std::string counter_table(const AnalysisResult& result, std::size_t rows, const Style& style);

}  // namespace waitstate::report
