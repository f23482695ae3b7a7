// Rates and means of counters. A rate or a mean is not a sum and so not a severity: it is computed here, from the
// counter's sum and the time, or the weight, in which it was counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The counter that a metric stands for; null if it stands for none.
const Counter* counter_of(const AnalysisResult& result, MetricIndex metric);

/// A severity of a metric where the counter has a row, inclusive along the metric tree.
std::int64_t counter_value(const AnalysisResult& result, MetricIndex metric, const CounterRow& row);

/// The rate per second of an accumulated or relative counter (`time` in ticks), or the mean over `weight` of an
/// absolute one. No value if there is nothing to divide by.
std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, std::int64_t sum,
                                   std::int64_t time, std::uint64_t weight);

/// The rate or mean in one call path, exclusive of callees, on one location.
std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, const CounterRow& row);

/// Ticks spent in the call paths and on the locations in which the counter has values.
std::int64_t counted_time(const AnalysisResult& result, const Totals& totals, const Counter& counter);

/// Rates or means of a counter by call path, exclusive of callees, from its sums over all locations. A metric that is
/// not a counter has none.
class CounterRates {
 public:
  CounterRates(const AnalysisResult& result, MetricIndex metric, const Totals& totals);
  bool any() const { return counter_ != nullptr; }
  /// True for means of a state, false for sums per second.
  bool mean() const { return counter_->kind == CounterKind::absolute; }
  std::optional<double> of(std::size_t callpath, std::int64_t sum) const {
    return counter_rate(result_, *counter_, sum, times_[callpath], weights_[callpath]);
  }

 private:
  const AnalysisResult& result_;
  const Counter* counter_;
  std::vector<std::int64_t> times_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace waitstate::report
