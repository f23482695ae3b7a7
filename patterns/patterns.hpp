// The built-in patterns, one function a file, in the order in which they run and in which reports show them. Nothing
// registers itself: a pattern is built in because it stands here and in patterns.cpp.
#pragma once

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

PatternHandle mpi_init_completion();
PatternHandle mpi_finalize_wait();
PatternHandle mpi_barrier_wait();
PatternHandle mpi_barrier_completion();
PatternHandle comms_recv();         // also syncs_recv, bytes_rcvd
PatternHandle mpi_latesender();     // also mpi_cls_count, mpi_sls_count
PatternHandle mpi_latesender_wo();  // also mpi_lswo_different, mpi_lswo_same, mpi_clswo_count, mpi_slswo_count
PatternHandle mpi_latereceiver();   // also mpi_clr_count, mpi_slr_count
PatternHandle mpi_earlyreduce();
PatternHandle mpi_earlyscan();
PatternHandle mpi_latebroadcast();
PatternHandle mpi_wait_nxn();
PatternHandle mpi_nxn_completion();
PatternHandle omp_ebarrier_wait();
PatternHandle omp_ibarrier_wait();
PatternHandle omp_idle_threads();
PatternHandle omp_lock_contention_critical();
PatternHandle omp_task_creation_bottleneck();
PatternHandle omp_task_starvation();
PatternHandle omp_lock_contention_api();
PatternHandle pthread_lock_contention_mutex_lock();
PatternHandle pthread_lock_contention_conditional();
PatternHandle mpi_rma_wait_at_create();
PatternHandle mpi_rma_wait_at_free();
PatternHandle mpi_rma_wait_at_fence();
PatternHandle mpi_rma_early_fence();
PatternHandle mpi_rma_sync_late_post();
PatternHandle mpi_rma_early_wait();
PatternHandle mpi_rma_late_complete();
PatternHandle mpi_rma_sync_lock_competition();
PatternHandle mpi_rma_sync_wait_for_progress();
PatternHandle mpi_rma_comm_late_post();
PatternHandle mpi_rma_comm_lock_competition();
PatternHandle mpi_rma_comm_wait_for_progress();
PatternHandle mpi_rma_pairsync_count();  // also mpi_rma_pairsync_unneeded_count
PatternHandle shmem_barrier_wait();
PatternHandle shmem_latebroadcast();
PatternHandle shmem_wait_nxn();
PatternHandle shmem_lock_completion();
PatternHandle shmem_wait_until();
PatternHandle accelerator_wait();  // also accelerator_wait_kernel, accelerator_wait_copy
// The properties of the EXPERT paper that are not among the above.
PatternHandle slow_slaves();
PatternHandle overloaded_master();
PatternHandle wrong_order();
PatternHandle dominating_communication();
PatternHandle frequent_communication();
PatternHandle big_messages();
PatternHandle uneven_mp_distribution();
PatternHandle costs();
PatternHandle io_costs();

}  // namespace waitstate::patterns
