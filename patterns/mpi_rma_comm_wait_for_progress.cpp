#include "passive_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_comm_wait_for_progress() {
  return make_pattern<WaitForProgress>(
      PassiveCalls{.region_class = RegionClass::mpi_rma_communication,
                   .description = "puts, gets and atomic operations under a lock",
                   .metric = {.id = "mpi_rma_comm_wait_for_progress",
                              .parent = "mpi_rma_communication",
                              .title = "Wait for progress (communication)",
                              .summary = "Time in puts, gets and atomic operations while the target was outside of "
                                         "MPI, until it called MPI again.",
                              .kind = MetricKind::wait}});
}

}  // namespace waitstate::patterns
