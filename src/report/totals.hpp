// Sums of severities over the whole trace, by call path and by location: what the report for people shows.
//
// One pass over the rows computes the inclusive values of all metrics of a row from its exclusive ones, children before
// parents, so the cost is rows x metrics and not rows x metrics x depth. Sums by call path are kept for the metrics
// that are asked for only: there are few wait states and may be very many call paths.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Largest first; equal values in the order of the report (call paths depth first, locations ascending).
using Ranking = std::vector<std::pair<std::uint32_t, std::int64_t>>;

class Totals {
 public:
  /// `ranked`: metrics whose call paths and locations are wanted.
  Totals(const AnalysisResult& result, const std::vector<MetricIndex>& ranked);

  /// Inclusive of the metrics below, over all call paths and locations.
  std::int64_t of(MetricIndex metric) const { return totals_[metric]; }
  /// Ids of call paths (exclusive of callees) or locations with a value other than 0; `metric` must be ranked.
  Ranking callpaths(MetricIndex metric) const;
  Ranking locations(MetricIndex metric) const;

 private:
  struct Ranked {
    std::unordered_map<std::uint32_t, std::int64_t> callpaths, locations;
  };
  std::vector<std::int64_t> totals_;
  std::unordered_map<MetricIndex, Ranked> ranked_;
  std::vector<std::uint32_t> callpath_order_;  ///< by call path: its place depth first
};

}  // namespace waitstate::report
