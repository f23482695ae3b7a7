#include "passive_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_sync_lock_competition() {
  return make_pattern<LockCompetition>(PassiveCalls{
      .region_class = RegionClass::mpi_rma_sync_passive,
      .description = "lock, unlock and flush calls",
      .metric = {
          .id = "mpi_rma_sync_lock_competition",
          .parent = "mpi_rma_sync_passive",
          .title = "Lock competition (synchronisation)",
          .summary = "Time in lock, unlock and flush calls before another process has released a conflicting lock.",
          .kind = MetricKind::wait}});
}

}  // namespace waitstate::patterns
