#include "team_barrier.hpp"

namespace waitstate::patterns {

PatternHandle omp_ebarrier_wait() {
  return make_pattern<TeamBarrierWait>(TeamBarrierWait::BarrierKind{
      .region_class = RegionClass::omp_ebarrier,
      .metric = {.id = "omp_ebarrier_wait",
                 .parent = "omp_ebarrier",
                 .title = "Wait at explicit OpenMP barrier",
                 .summary = "Time in explicit barriers before the last thread of the team has reached them.",
                 .kind = MetricKind::wait},
      .diagnosis = "balance the work before the barrier, or do without it"});
}

}  // namespace waitstate::patterns
