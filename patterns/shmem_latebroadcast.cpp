#include "shmem_collective_wait.hpp"

namespace waitstate::patterns {

PatternHandle shmem_latebroadcast() {
  return make_pattern<ShmemCollectiveWait>(ShmemCollectiveWait::ShmemOperation{
      .kind = CollectiveKind::one_to_all,
      .region_class = RegionClass::shmem_collective,
      .metric = {.id = "shmem_latebroadcast",
                 .parent = "shmem_collective",
                 .title = "Late SHMEM broadcast",
                 .summary = "Time in SHMEM broadcasts before the root has reached them.",
                 .kind = MetricKind::wait},
      .severity = "min(E(root), L_i) - E_i if > 0; E, L: enter and exit of the broadcast",
      .charged_to = "the broadcast, each processing element that waits; the culprit is the root",
      .diagnosis = "balance the work before the broadcast, or let the root reach it first"});
}

}  // namespace waitstate::patterns
