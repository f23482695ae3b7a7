#include "passive_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_sync_wait_for_progress() {
  return make_pattern<WaitForProgress>(PassiveCalls{
      .region_class = RegionClass::mpi_rma_sync_passive,
      .description = "lock, unlock and flush calls under a lock",
      .metric = {
          .id = "mpi_rma_sync_wait_for_progress",
          .parent = "mpi_rma_sync_passive",
          .title = "Wait for progress (synchronisation)",
          .summary =
              "Time in lock, unlock and flush calls while the target was outside of MPI, until it called MPI again.",
          .kind = MetricKind::wait}});
}

}  // namespace waitstate::patterns
