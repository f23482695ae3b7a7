// The built-in patterns: a row a pattern, whose file has the name of its id. They run, and reports show them, in this
// order, which follows from neither names nor parents. There is no registration: a pattern is built in because it
// stands here. Patterns on request cost more than others, and run only if they are chosen.
#include "waitstate/pattern/pattern.hpp"

#include "waitstate/pattern/registry.hpp"

// clang-format off
#define ON_REQUEST(X) \
  X(critical_path) \
  X(delay) \
  X(mpi_posted_count) \
  X(mpi_ideal_wait)

#define BUILT_IN(X) \
  X(mpi_init_completion) \
  X(mpi_finalize_wait) \
  X(mpi_barrier_wait) \
  X(mpi_barrier_completion) \
  X(comms_recv) \
  X(mpi_latesender) \
  X(mpi_latesender_wo) \
  X(mpi_probe_wait) \
  X(mpi_poll_wait) \
  X(mpi_latereceiver) \
  X(mpi_earlyreduce) \
  X(mpi_lateroot) \
  X(mpi_earlyscan) \
  X(mpi_latebroadcast) \
  X(mpi_latemembers) \
  X(mpi_wait_nxn) \
  X(mpi_nxn_completion) \
  X(mpi_comm_wait_at_create) \
  X(omp_ebarrier_wait) \
  X(omp_ibarrier_wait) \
  X(omp_lock_contention_critical) \
  X(omp_lock_contention_api) \
  X(pthread_lock_contention_mutex_lock) \
  X(pthread_lock_contention_conditional) \
  X(omp_task_starvation) \
  X(omp_task_creation_bottleneck) \
  X(omp_idle_threads) \
  X(mpi_rma_wait_at_create) \
  X(mpi_rma_wait_at_free) \
  X(mpi_rma_wait_at_fence) \
  X(mpi_rma_early_fence) \
  X(mpi_rma_sync_late_post) \
  X(mpi_rma_early_wait) \
  X(mpi_rma_late_complete) \
  X(mpi_rma_sync_lock_competition) \
  X(mpi_rma_sync_wait_for_progress) \
  X(mpi_rma_comm_late_post) \
  X(mpi_rma_comm_lock_competition) \
  X(mpi_rma_comm_wait_for_progress) \
  X(mpi_rma_poll_wait) \
  X(mpi_rma_pairsync_count) \
  X(shmem_barrier_wait) \
  X(shmem_latebroadcast) \
  X(shmem_wait_nxn) \
  X(shmem_lock_completion) \
  X(shmem_wait_until) \
  X(accelerator_wait) \
  X(mpi_accounted) \
  X(shmem_accounted) \
  X(threads_accounted) \
  X(slow_slaves) \
  X(overloaded_master) \
  X(wrong_order) \
  X(dominating_communication) \
  X(frequent_communication) \
  X(big_messages) \
  X(uneven_mp_distribution) \
  X(costs) \
  X(io_costs)
// clang-format on

namespace waitstate {
namespace patterns {

#define X(id) PatternHandle id();
BUILT_IN(X)
ON_REQUEST(X)
#undef X

}  // namespace patterns

std::vector<PatternHandle> built_in_patterns() {
#define X(id) patterns::id(),
  std::vector<PatternHandle> all = {BUILT_IN(X)};
#undef X
  for (PatternHandle& p : all) p.origin = built_in_origin;
  return all;
}

std::vector<PatternHandle> patterns_on_request() {
#define X(id) patterns::id(),
  std::vector<PatternHandle> all = {ON_REQUEST(X)};
#undef X
  for (PatternHandle& p : all) p.origin = built_in_origin;
  return all;
}

}  // namespace waitstate
