// The metrics of counters: puts the sums of single locations together, and makes each counter that has values a metric
// of the result. Whether a counter that is recorded as accumulated is one, or is a level, shows only when all locations
// are known: it is decided here, once for all of them.
//
// Severities are integers, so that sums over call paths and locations do not depend on the order. Integer counters are
// these integers. For doubles, and for sums beyond 62 bits, the severity is a number of quanta: the smallest power of
// two for which all values of the counter together are less than 2^62. So every value is exact to 2^-62 of the total,
// and no sum can overflow. The quantum, the recorder's power of ten or two and, where values are weighted with time,
// the clock are one factor: MetricInfo::scale.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "replay/counters/counters.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::analysis {

class CounterMetrics {
 public:
  explicit CounterMetrics(const Definitions& definitions) : definitions_(definitions) {}

  void add(CallPathId callpath, const replay::PathCounter& counter);
  void add(MetricMemberId member, const replay::CounterMoves& moves);
  /// Adds what another part of the analysis has found of the same trace.
  void merge(const CounterMetrics& other);
  template <class Archive>
  void travel(Archive& archive) {
    archive(same_, sums_, levels_, moves_);
  }
  /// Adds the metrics of all counters that have values, in the order of their definitions, and their severities. Ids
  /// are the recorded names; a name that is not a valid id, or is taken, is changed. Counters that fell are counted: as
  /// levels, or by the number of resets.
  std::vector<Counter> finish(MetricTree& metrics, Severities& severities, Diagnostics& diagnostics);

 private:
  using Sums = std::map<std::pair<CallPathId, LocationId>, replay::CounterSum>;

  static void merge(std::map<MetricMemberId, Sums>& sums, const std::map<MetricMemberId, Sums>& more);
  MetricMemberId same_counter(MetricMemberId member);

  const Definitions& definitions_;
  std::map<MetricMemberId, MetricMemberId> same_;  ///< by member: the first member with the same definition
  std::map<MetricMemberId, Sums> sums_;
  std::map<MetricMemberId, Sums> levels_;  ///< sums of accumulated counters, as if they were levels
  std::map<MetricMemberId, replay::CounterMoves> moves_;
};

}  // namespace waitstate::analysis
