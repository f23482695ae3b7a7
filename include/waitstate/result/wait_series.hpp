// Waits over time: how much of each wait state lies in each bin of time, of all locations and of groups of them.
//
// Bins are a power of two long, and as short as they can be so that 1,024 hold all waits; they begin at multiples of
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

  Time start = 0;                                         ///< of the first bin, in ticks
  std::uint64_t bin_ticks = 1;                            ///< length of a bin
  std::size_t bins = 0;                                   ///< at most max_bins; before and after them nobody waits
  std::size_t bins_per_group_bin = 1;                     ///< so many bins are one in the rows of groups
  std::vector<std::pair<LocationId, LocationId>> groups;  ///< first and last location; at most max_groups

  /// Of a metric itself, without those below it.
  struct OfMetric {
    std::vector<Ticks> ticks;  ///< by bin; with without_time the sum of the metric's severities
    Ticks without_time = 0;    ///< what was added without saying when it was
    /// Group (index of `groups`), and its ticks by bin of groups; without the groups that have none.
    std::vector<std::pair<std::uint32_t, std::vector<Ticks>>> groups;
    friend bool operator==(const OfMetric&, const OfMetric&) = default;
  };
  std::map<MetricIndex, OfMetric> metrics;  ///< that have waits

  std::size_t group_bins() const { return (bins + bins_per_group_bin - 1) / bins_per_group_bin; }
  friend bool operator==(const WaitSeries&, const WaitSeries&) = default;
};

}  // namespace waitstate
