#include "shmem_collective_wait.hpp"

namespace waitstate::patterns {

PatternHandle shmem_barrier_wait() {
  return make_pattern<ShmemCollectiveWait>(ShmemCollectiveWait::ShmemOperation{
      .kind = CollectiveKind::barrier,
      .region_class = RegionClass::shmem_sync_collective,
      .metric = {.id = "shmem_barrier_wait",
                 .parent = "shmem_sync_collective",
                 .title = "Wait at SHMEM barrier",
                 .summary = "Time in SHMEM barriers before the last processing element has reached them.",
                 .kind = MetricKind::wait},
      .severity = "min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of the barrier",
      .charged_to = "the barrier, each processing element that waits; the culprit entered last",
      .diagnosis = "balance the work before the barrier, or synchronise only with the processing elements that need it "
                   "(shmem_wait_until)"});
}

}  // namespace waitstate::patterns
