#include "analysis/metrics/profile_metrics.hpp"

namespace waitstate::analysis {
namespace {

/// Converts a sum to a severity. A value that is too large, because of damaged sizes, becomes one that makes every sum
/// with it fail too_large().
std::int64_t amount(std::uint64_t value) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  return static_cast<std::int64_t>(value < limit ? value : limit);
}

}  // namespace

ProfileMetrics::ProfileMetrics(Run& run) : run_(run), counters_(run.definitions) {
  for (int c = 0; c < region_class_count; ++c)
    metric_of_class_.push_back(run.metrics.at(name(static_cast<RegionClass>(c))));
  visits_ = run.metrics.at("visits");
  measurement_off_ = run.metrics.at("measurement_off");
  messages_sent_ = run.metrics.at("comms_send");
  empty_sends_ = run.metrics.at("syncs_send");
  bytes_sent_ = run.metrics.at("bytes_sent");
  rma_counts_[static_cast<int>(RmaOperationKind::put)] = run.metrics.at("comms_rma_puts");
  rma_counts_[static_cast<int>(RmaOperationKind::get)] = run.metrics.at("comms_rma_gets");
  rma_counts_[static_cast<int>(RmaOperationKind::atomic)] = run.metrics.at("comms_rma_atomics");
  bytes_put_ = run.metrics.at("bytes_put");
  bytes_get_ = run.metrics.at("bytes_get");
  syncs_active_ = run.metrics.at("syncs_rma_active");
  syncs_passive_ = run.metrics.at("syncs_rma_passive");
  file_ops_ = run.metrics.at("mpi_file_ops");
  file_bytes_ = run.metrics.at("mpi_file_bytes");
  management_ = run.metrics.at("omp_management");
  fork_ = run.metrics.at("omp_fork");
  collective_counts_[0] = run.metrics.at("syncs_coll");
  collective_counts_[1] = run.metrics.at("comms_csrc");
  collective_counts_[2] = run.metrics.at("comms_cdst");
  collective_counts_[3] = run.metrics.at("comms_cxch");
  collective_bytes_out_ = run.metrics.at("bytes_cout");
  collective_bytes_in_ = run.metrics.at("bytes_cin");
}

void ProfileMetrics::nonblocking_collective(const Call& started, CollectiveOp, std::uint64_t bytes_sent,
                                            std::uint64_t bytes_received) {
  if (!run_.focus.has(started.enter)) return;
  const auto charge = [&](MetricIndex m, std::uint64_t value) {
    if (value != 0) run_.add(m, started.callpath, started.location, amount(value));
  };
  charge(collective_counts_[(bytes_sent > 0 ? 1 : 0) + (bytes_received > 0 ? 2 : 0)], 1);
  charge(collective_bytes_out_, bytes_sent);
  charge(collective_bytes_in_, bytes_received);
}

void ProfileMetrics::rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put,
                                 std::uint64_t bytes_got) {
  if (!run_.focus.has(call.enter)) return;
  run_.add(rma_counts_[static_cast<int>(kind)], call.callpath, call.location, 1);
  if (bytes_put != 0) run_.add(bytes_put_, call.callpath, call.location, amount(bytes_put));
  if (bytes_got != 0) run_.add(bytes_get_, call.callpath, call.location, amount(bytes_got));
}

void ProfileMetrics::parallel_region(const link::ParallelRegion& r) {
  const Ticks fork = run_.focus.duration(r.fork, r.enter), join = run_.focus.duration(r.exit, r.join);
  const Ticks both = add_ticks(fork, static_cast<std::uint64_t>(join));
  if (both != 0) run_.add(management_, r.callpath, r.location, both);
  if (fork != 0) run_.add(fork_, r.callpath, r.location, fork);
}

// Adds the values that a single location knows for a call path: time by class of region, visits, messages sent,
// collectives.
void ProfileMetrics::profile(LocationId location, CallPathId callpath, const replay::Profile& p) {
  if (!run_.focus.has_callpath(callpath)) return;
  const RegionId region = run_.call_tree[callpath].region;
  // A created thread is called from its creation, but does not create threads outside of its regions: it computes.
  RegionClass c = region.valid() && !p.outside ? run_.definitions[region].region_class : RegionClass::comp;
  if (c == RegionClass::omp_ebarrier ||
      c == RegionClass::omp_ibarrier) {  // the wait in a barrier that has its own region
    const CallPathId caller = run_.call_tree[callpath].parent;
    const RegionId outer = caller.valid() ? run_.call_tree[caller].region : RegionId::none();
    if (outer.valid() && run_.definitions[outer].region_class == RegionClass::omp_ebarrier)
      c = RegionClass::omp_ebarrier;
    if (outer.valid() && run_.definitions[outer].region_class == RegionClass::omp_ibarrier)
      c = RegionClass::omp_ibarrier;
  }
  const auto charge = [&](MetricIndex m, std::uint64_t value) {
    if (value != 0) run_.severities.add(m, callpath, location, amount(value));
  };
  // Regions of a recorder of metrics happen during the time of threads, where they are charged.
  if (run_.definitions[location].type != LocationType::metric)
    charge(metric_of_class_[static_cast<std::size_t>(c)], static_cast<std::uint64_t>(p.time));
  charge(measurement_off_, static_cast<std::uint64_t>(p.off));
  charge(management_, static_cast<std::uint64_t>(add_ticks(p.fork, static_cast<std::uint64_t>(p.join))));
  charge(fork_, static_cast<std::uint64_t>(p.fork));
  charge(visits_, p.visits);
  if (c == RegionClass::mpi_rma_sync_active) charge(syncs_active_, p.visits);
  if (c == RegionClass::mpi_rma_sync_passive) charge(syncs_passive_, p.visits);
  if (c == RegionClass::mpi_io_individual || c == RegionClass::mpi_io_collective) charge(file_ops_, p.visits);
  charge(file_bytes_, p.file_bytes);
  charge(messages_sent_, p.sends);
  charge(empty_sends_, p.empty_sends);
  charge(bytes_sent_, p.bytes_sent);
  for (int k = 0; k < 4; ++k) charge(collective_counts_[k], p.collectives[k]);
  charge(collective_bytes_out_, p.collective_bytes_sent);
  charge(collective_bytes_in_, p.collective_bytes_received);
}

void ProfileMetrics::counter(CallPathId callpath, const replay::PathCounter& c) {
  if (run_.focus.has(callpath, c.location)) counters_.add(callpath, c);
}

}  // namespace waitstate::analysis
