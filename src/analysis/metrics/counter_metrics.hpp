// The metrics of counters: puts together what single locations added up, and makes of each counter that has values a
// metric of the result. Whether a counter that is recorded as accumulated is one, or a level, shows only when all
// locations are known: it is decided here, once for all of them.
//
// Severities are integers, so that sums over call paths and locations come out the same in any order. Integer counters
// are these integers. Of doubles, and of sums beyond 62 bits, the severity is a number of quanta: the smallest power of
// two of which all values of the counter together are less than 2^62. So every value is exact to 2^-62 of the total,
// and no sum of them can overflow. The quantum, the recorder's power of ten or two and, where values are weighted with
// time, the clock are one factor: MetricInfo::scale.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "replay/counters.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::analysis {

class CounterMetrics {
 public:
  explicit CounterMetrics(const Definitions& definitions) : definitions_(definitions) {}

  void add(CallPathId callpath, const replay::PathCounter& counter);
  void add(MetricMemberId member, const replay::CounterMoves& moves);
  /// Adds the metrics of all counters that have values, in the order of their definitions, and their severities. Ids
  /// are the recorded names; what would not be an id, or is one already, is changed. Counters that fell are counted: as
  /// levels, or how often they were reset.
  std::vector<Counter> finish(MetricTree& metrics, Severities& severities, Diagnostics& diagnostics);

 private:
  using Sums = std::map<std::pair<CallPathId, LocationId>, replay::CounterSum>;

  MetricMemberId same_counter(MetricMemberId member);

  const Definitions& definitions_;
  std::map<MetricMemberId, MetricMemberId> same_;  ///< by member: the first that is defined alike
  std::map<MetricMemberId, Sums> sums_;
  std::map<MetricMemberId, Sums> levels_;  ///< of accumulated counters, as if they were levels
  std::map<MetricMemberId, replay::CounterMoves> moves_;
};

}  // namespace waitstate::analysis
