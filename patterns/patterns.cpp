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
          pthread_lock_contention_mutex_lock(),
          pthread_lock_contention_conditional(),
          omp_task_starvation(),
          omp_task_creation_bottleneck(),
          omp_idle_threads(),
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
