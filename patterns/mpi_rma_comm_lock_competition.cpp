#include "passive_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_comm_lock_competition() {
  return make_pattern<LockCompetition>(PassiveCalls{
      .region_class = RegionClass::mpi_rma_communication,
      .description = "puts, gets and atomic operations",
      .metric = {
          .id = "mpi_rma_comm_lock_competition",
          .parent = "mpi_rma_communication",
          .title = "Lock competition (communication)",
          .summary = "Time in puts, gets and atomic operations before another process has released a conflicting lock.",
          .kind = MetricKind::wait}});
}

}  // namespace waitstate::patterns
