// Waits over time: the amount of each wait state in each bin of time, for all locations and for groups of them.
//
// The length of a bin is a power of two, the shortest for which 1,024 bins hold all waits; bins begin at multiples of
// their length. So they depend on nothing but the waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

struct WaitSeries {
  static constexpr std::size_t max_bins = 1024, max_groups = 256, max_group_bins = 256;

  Time start = 0;                                         ///< begin of the first bin, in ticks
  std::uint64_t bin_ticks = 1;                            ///< length of a bin
  std::size_t bins = 0;                                   ///< at most max_bins; before and after them nobody waits
  std::size_t bins_per_group_bin = 1;                     ///< number of bins that make one bin in the rows of groups
  std::vector<std::pair<LocationId, LocationId>> groups;  ///< first and last location of each group; at most max_groups

  /// The waits of a metric itself, without those of the metrics below it.
  struct OfMetric {
    std::vector<Ticks> ticks;  ///< by bin; together with without_time, the sum of the metric's severities
    Ticks without_time = 0;    ///< ticks that were added without a time
    /// Group (index into `groups`), and its ticks by bin of groups; groups without waits are left out.
    std::vector<std::pair<std::uint32_t, std::vector<Ticks>>> groups;
    friend bool operator==(const OfMetric&, const OfMetric&) = default;
  };
  std::map<MetricIndex, OfMetric> metrics;  ///< metrics that have waits

  std::size_t group_bins() const { return (bins + bins_per_group_bin - 1) / bins_per_group_bin; }
  friend bool operator==(const WaitSeries&, const WaitSeries&) = default;
};

}  // namespace waitstate
