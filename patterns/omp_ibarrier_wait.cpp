#include "team_barrier.hpp"

namespace waitstate::patterns {

PatternHandle omp_ibarrier_wait() {
  return make_pattern<TeamBarrierWait>(TeamBarrierWait::BarrierKind{
      .region_class = RegionClass::omp_ibarrier,
      .metric = {.id = "omp_ibarrier_wait",
                 .parent = "omp_ibarrier",
                 .title = "Wait at implicit OpenMP barrier",
                 .summary = "Time in implicit barriers before the last thread of the team has reached them.",
                 .kind = MetricKind::wait},
      .diagnosis = "balance the work of the threads (schedule clause, smaller pieces), or add nowait where the "
                   "barrier is not needed"});
}

}  // namespace waitstate::patterns
