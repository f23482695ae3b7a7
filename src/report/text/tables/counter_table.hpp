// The counters of a trace as a table: what they add up to, per second of the time spent where they were counted or as a
// mean, and the smallest and largest value. Rates and means are no sums and so no severities: they are made here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/facts/counters.hpp"
#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A value of a counter with its unit, e.g. "1,234", "12.5 J".
std::string counter_text(const MetricInfo& metric, std::int64_t value);

/// Rates or means of a counter by call path, exclusive of callees: what counter_rate() makes of the sums over all
/// locations. For metrics that are no counter there is none.
class CounterRates {
 public:
  CounterRates(const AnalysisResult& result, MetricIndex metric, const Totals& totals);
  bool any() const { return counter_ != nullptr; }
  /// Means of a state; else sums per second.
  bool mean() const { return counter_->kind == CounterKind::absolute; }
  const char* title() const { return mean() ? "mean" : "per second"; }
  std::optional<double> of(std::size_t callpath, std::int64_t sum) const {
    return counter_rate(result_, *counter_, sum, times_[callpath], weights_[callpath]);
  }
  /// "" where there is none.
  std::string text(std::size_t callpath, std::int64_t sum) const;

 private:
  const AnalysisResult& result_;
  const Counter* counter_;
  std::vector<std::int64_t> times_;
  std::vector<std::uint64_t> weights_;
};

/// At most `rows` counters, all if 0; empty if there are none.
std::string counter_table(const AnalysisResult& result, std::size_t rows, const Style& style);

}  // namespace waitstate::report
