#include "report/facts/counters.hpp"

#include <algorithm>

namespace waitstate::report {
std::int64_t counter_value(const AnalysisResult& result, MetricIndex metric, const CounterRow& row) {
  if (metric == no_metric || !row.callpath.valid()) return 0;
  return result.severities.inclusive(result.metrics, metric, row.callpath, row.location);
}

const Counter* counter_of(const AnalysisResult& result, MetricIndex metric) {
  const auto found = std::find_if(result.counters.begin(), result.counters.end(),
                                  [&](const Counter& c) { return c.metric == metric; });
  return found == result.counters.end() ? nullptr : &*found;
}

std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, std::int64_t sum,
                                   std::int64_t time, std::uint64_t weight) {
  const double value = result.metrics[counter.metric].scaled(sum);
  if (counter.kind == CounterKind::absolute) {
    if (weight == 0) return std::nullopt;
    return counter.weighted()
               ? value / (static_cast<double>(weight) / static_cast<double>(result.definitions.clock.resolution))
               : value / static_cast<double>(weight);
  }
  if (time <= 0) return std::nullopt;
  return value / result.seconds(time);
}

std::optional<double> counter_rate(const AnalysisResult& result, const Counter& counter, const CounterRow& row) {
  return counter_rate(result, counter, counter_value(result, counter.metric, row),
                      counter_value(result, result.metrics.find("time"), row), row.weight);
}

CounterRates::CounterRates(const AnalysisResult& result, MetricIndex metric, const Totals& totals)
    : result_(result), counter_(counter_of(result, metric)) {
  if (counter_ == nullptr) return;
  times_ = totals.time_metric() == no_metric ? std::vector<std::int64_t>(result.call_tree.size())
                                             : totals.by_callpath(totals.time_metric());
  weights_.resize(result.call_tree.size());
  for (const CounterRow& row : counter_->rows)
    if (row.callpath.valid()) weights_[row.callpath.index()] += row.weight;
}

std::int64_t counted_time(const AnalysisResult& result, const Totals& totals, const Counter& counter) {
  std::int64_t time = 0;
  for (const CounterRow& row : counter.rows)
    time = add_ticks(time, static_cast<std::uint64_t>(counter_value(result, totals.time_metric(), row)));
  return time;
}

}  // namespace waitstate::report
