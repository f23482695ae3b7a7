// Sums of severities over the whole trace, by call path and by location, as reports for people show them. For metrics
// that do not add up (MetricInfo::aggregation) they are minima and maxima.
//
// Severities are kept per metric and exclusive; a metric's inclusive value is the sum of its own value and those of the
// metrics below it that are not mere shares of it (MetricInfo::within_parent). Totals are made once, in one pass over
// all values; sums by call path or location are made when they are asked for, in a pass over the values of that metric
// alone: reports ask for few metrics, and there may be very many call paths.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "report/facts/scope.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Largest first; equal values in the order of the report (call paths depth first, locations ascending).
using Ranking = std::vector<std::pair<std::uint32_t, std::int64_t>>;

class Totals {
 public:
  /// `result` must outlive it.
  explicit Totals(const AnalysisResult& result, Scope scope = Scope::whole);

  Scope scope() const { return scope_; }
  /// The sum over all call paths and locations, including the metrics below.
  std::int64_t of(MetricIndex metric) const { return totals_[metric]; }
  /// The total of the metric "time", 0 if there is none.
  std::int64_t time() const { return time_ == no_metric ? 0 : totals_[time_]; }
  MetricIndex time_metric() const { return time_; }

  /// The metric, and those below it that are added up to it.
  std::vector<MetricIndex> summed(MetricIndex metric) const;
  /// Inclusive values by call path (exclusive of callees), or by location, indexed by id.
  std::vector<std::int64_t> by_callpath(MetricIndex metric) const;
  std::vector<std::int64_t> by_location(MetricIndex metric) const;
  /// Ids of call paths or locations with a value other than 0.
  Ranking callpaths(MetricIndex metric) const;
  Ranking locations(MetricIndex metric) const;

 private:
  bool has(CallPathId path) const { return left_out_.empty() || !left_out_[path.index()]; }

  const AnalysisResult& result_;
  Scope scope_;
  std::vector<bool> left_out_;  ///< by call path; empty: none
  MetricIndex time_;
  std::vector<std::int64_t> totals_;
};

/// The totals of a run in both scopes.
class RunTotals {
 public:
  /// `result` must outlive it.
  explicit RunTotals(const AnalysisResult& result);

  const Totals& whole() const { return whole_; }
  /// The totals that shares refer to: without MPI_Init, MPI_Finalize and their counterparts. They are those of the
  /// whole if the run spends no time in these calls, or no other time.
  const Totals& counted() const { return counted_ ? *counted_ : whole_; }
  const Totals& of(Scope scope) const { return scope == Scope::whole ? whole_ : counted(); }
  /// False if both are the same, so that one is enough.
  bool differ() const { return counted_.has_value(); }
  /// The libraries whose start and end counted() leaves out; none if it is the whole.
  const InitExit& without() const { return without_; }

 private:
  Totals whole_;
  std::optional<Totals> counted_;
  InitExit without_;
};

}  // namespace waitstate::report
