// Metrics that need no pattern: values that single locations know for their call paths (time by class of region,
// visits, messages sent, bytes), the amounts that operations moved, the management of parallel regions, and counters.
//
// Linking delivers values that have to be matched first; the profiles of locations come at the end of the pass. Cost: a
// few additions for each call path and location, three for each operation.
#pragma once

#include <vector>

#include "analysis/metrics/counter_metrics.hpp"
#include "analysis/run.hpp"
#include "link/listener.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::analysis {

class ProfileMetrics {
 public:
  /// The run's tree must have the base metrics.
  explicit ProfileMetrics(Run& run);

  // Called as in link::Listener.
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                              std::uint64_t bytes_received);
  void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got);
  void parallel_region(const link::ParallelRegion& region);
  void profile(LocationId location, CallPathId callpath, const replay::Profile& profile);
  void counter(CallPathId callpath, const replay::PathCounter& counter);

  /// Adds the counter values of one location, even if it is outside of the focus.
  void counter_moves(MetricMemberId member, const replay::CounterMoves& moves) { counters_.add(member, moves); }
  /// Adds the counters of another part.
  void merge(const ProfileMetrics& other) { counters_.merge(other.counters_); }
  template <class Archive>
  void travel(Archive& archive) {
    archive(counters_);
  }
  /// Makes metrics of the counters; call it before the patterns' wrapup.
  std::vector<Counter> finish_counters(Diagnostics& diagnostics) {
    return counters_.finish(run_.metrics, run_.severities, diagnostics);
  }

 private:
  Run& run_;
  CounterMetrics counters_;
  std::vector<MetricIndex> metric_of_class_;  ///< by RegionClass: the metric of its time
  MetricIndex visits_ = 0, measurement_off_ = 0, messages_sent_ = 0, empty_sends_ = 0, bytes_sent_ = 0, management_ = 0,
              fork_ = 0;
  MetricIndex collective_counts_[4] = {}, collective_bytes_out_ = 0, collective_bytes_in_ = 0;
  MetricIndex rma_counts_[3] = {}, bytes_put_ = 0, bytes_get_ = 0, syncs_active_ = 0, syncs_passive_ = 0;
  MetricIndex file_ops_ = 0, file_bytes_ = 0;
};

}  // namespace waitstate::analysis
