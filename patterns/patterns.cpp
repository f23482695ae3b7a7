#include "patterns.hpp"

namespace waitstate {

std::vector<PatternHandle> built_in_patterns() {
  using namespace patterns;
  return {mpi_init_completion(),
          mpi_finalize_wait(),
          mpi_barrier_wait(),
          mpi_barrier_completion(),
          comms_recv(),
          mpi_latesender(),
          mpi_latesender_wo(),
          mpi_latereceiver(),
          mpi_earlyreduce(),
          mpi_earlyscan(),
          mpi_latebroadcast(),
          mpi_wait_nxn(),
          mpi_nxn_completion(),
          omp_ebarrier_wait(),
          omp_ibarrier_wait(),
          omp_lock_contention_critical(),
          omp_lock_contention_api(),
          mpi_rma_wait_at_create(),
          mpi_rma_wait_at_free(),
          mpi_rma_wait_at_fence(),
          mpi_rma_early_fence(),
          mpi_rma_sync_late_post(),
          mpi_rma_early_wait(),
          mpi_rma_late_complete(),
          mpi_rma_sync_lock_competition(),
          mpi_rma_sync_wait_for_progress(),
          mpi_rma_comm_late_post(),
          mpi_rma_comm_lock_competition(),
          mpi_rma_comm_wait_for_progress(),
          mpi_rma_pairsync_count(),
          shmem_barrier_wait(),
          shmem_latebroadcast(),
          shmem_wait_nxn(),
          shmem_lock_completion(),
          shmem_wait_until(),
          slow_slaves(),
          overloaded_master(),
          wrong_order(),
          dominating_communication(),
          frequent_communication(),
          big_messages(),
          uneven_mp_distribution(),
          costs(),
          io_costs()};
}

}  // namespace waitstate
