#include "shmem_collective_wait.hpp"

namespace waitstate::patterns {

PatternHandle shmem_wait_nxn() {
  return make_pattern<ShmemCollectiveWait>(ShmemCollectiveWait::ShmemOperation{
      .kind = CollectiveKind::all_to_all,
      .region_class = RegionClass::shmem_collective,
      .metric = {.id = "shmem_wait_nxn",
                 .parent = "shmem_collective",
                 .title = "Wait at SHMEM N x N",
                 .summary = "Time in SHMEM all-to-all operations before the last processing element has reached them.",
                 .kind = MetricKind::wait},
      .severity =
          "min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of collect, fcollect, alltoall or a reduction",
      .charged_to = "the operation, each processing element that waits; the culprit entered last",
      .diagnosis = "balance the work before the operation"});
}

}  // namespace waitstate::patterns
