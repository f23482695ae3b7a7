// Regions as recorders write them, and their classes.
#include "waitstate/trace/region_class.hpp"

#include <gtest/gtest.h>

#include "waitstate/trace/definitions.hpp"

namespace waitstate {
namespace {

std::string_view class_of(std::string_view region, Paradigm paradigm = Paradigm::user,
                          RegionRole role = RegionRole::function) {
  Region r;
  r.name = region;
  r.paradigm = paradigm;
  r.role = role;
  return name(classify(r));
}

TEST(region_class, mpi_functions_by_name_whatever_the_paradigm) {
  const std::pair<const char*, const char*> expected[] = {{"MPI_Init", "mpi_init_exit"},
                                                          {"MPI_Init_thread", "mpi_init_exit"},
                                                          {"MPI_Finalize", "mpi_init_exit"},
                                                          {"MPI_Comm_rank", "mpi_mgmt_comm"},
                                                          {"MPI_Comm_dup", "mpi_mgmt_comm"},
                                                          {"MPI_Cart_create", "mpi_mgmt_comm"},
                                                          {"MPI_Group_incl", "mpi_mgmt_comm"},
                                                          {"MPI_Dims_create", "mpi_mgmt_comm"},
                                                          {"MPI_Barrier", "mpi_sync_collective"},
                                                          {"MPI_Ibarrier", "mpi_sync_collective"},
                                                          {"MPI_Barrier_init", "mpi_sync_collective"},
                                                          {"MPI_Win_create", "mpi_mgmt_win"},
                                                          {"MPI_Win_free", "mpi_mgmt_win"},
                                                          {"MPI_Win_allocate", "mpi_mgmt_win"},
                                                          {"MPI_Win_fence", "mpi_rma_sync_active"},
                                                          {"MPI_Win_post", "mpi_rma_sync_active"},
                                                          {"MPI_Win_wait", "mpi_rma_sync_active"},
                                                          {"MPI_Win_lock", "mpi_rma_sync_passive"},
                                                          {"MPI_Win_flush_local_all", "mpi_rma_sync_passive"},
                                                          {"MPI_Win_unlock_all", "mpi_rma_sync_passive"},
                                                          {"MPI_Put", "mpi_rma_communication"},
                                                          {"MPI_Compare_and_swap", "mpi_rma_communication"},
                                                          {"MPI_File_open", "mpi_mgmt_file"},
                                                          {"MPI_File_set_view", "mpi_mgmt_file"},
                                                          {"MPI_File_read", "mpi_io_individual"},
                                                          {"MPI_File_iwrite_at", "mpi_io_individual"},
                                                          {"MPI_File_write_shared", "mpi_io_individual"},
                                                          {"MPI_File_read_all", "mpi_io_collective"},
                                                          {"MPI_File_write_at_all_begin", "mpi_io_collective"},
                                                          {"MPI_File_read_ordered", "mpi_io_collective"},
                                                          {"MPI_Send", "mpi_point2point"},
                                                          {"MPI_Iprobe", "mpi_point2point"},
                                                          {"MPI_Waitall", "mpi_point2point"},
                                                          {"MPI_Send_init", "mpi_point2point"},
                                                          {"MPI_Request_free", "mpi_point2point"},
                                                          {"MPI_Buffer_attach", "mpi_point2point"},
                                                          {"MPI_Testsome", "mpi_point2point"},
                                                          {"MPI_Bcast", "mpi_collective"},
                                                          {"MPI_Iallreduce", "mpi_collective"},
                                                          {"MPI_Ineighbor_alltoallv", "mpi_collective"},
                                                          {"MPI_Alltoallw_init", "mpi_collective"},
                                                          {"MPI_Reduce_scatter_block", "mpi_collective"},
                                                          {"MPI_Type_commit", "mpi"},
                                                          {"MPI_Wtime", "mpi"},
                                                          {"MPI_Sendx", "mpi"},
                                                          {"mpi_send_", "mpi_point2point"},
                                                          {"MPI_SEND__", "mpi_point2point"},
                                                          {"PMPI_Allreduce", "mpi_collective"},
                                                          {"mpi_recv_f08_", "mpi_point2point"},
                                                          {"MPI_Isend_f08ts", "mpi_point2point"},
                                                          {"MPI_Send_c", "mpi_point2point"},
                                                          {"MPI_Barrier()", "mpi_sync_collective"},
                                                          {"MPI_Type_commit()", "mpi"}};
  for (const auto& [region, expected_class] : expected) {
    EXPECT_EQ(class_of(region), expected_class) << region;
    EXPECT_EQ(class_of(region, Paradigm::mpi, RegionRole::barrier), expected_class) << region;
  }
}

TEST(region_class, names_that_only_look_like_mpi) {
  for (const char* region : {"my_MPI_Send_wrapper", "MPI::Send", "MPI_Send (wrapper)", "mpi_helper", "MPI", "empi_send",
                             "MPI_Send(int)", "()"})
    EXPECT_EQ(class_of(region), "comp") << region;
  EXPECT_EQ(class_of("mpi_helper", Paradigm::mpi), "mpi");
}

TEST(region_class, mpi_by_role_where_the_name_says_nothing) {
  const auto mpi = [](RegionRole role) { return class_of("MPI::Comm::Call", Paradigm::mpi, role); };
  EXPECT_EQ(mpi(RegionRole::barrier), "mpi_sync_collective");
  EXPECT_EQ(mpi(RegionRole::coll_all2all), "mpi_collective");
  EXPECT_EQ(mpi(RegionRole::coll_one2all), "mpi_collective");
  EXPECT_EQ(mpi(RegionRole::coll_all2one), "mpi_collective");
  EXPECT_EQ(mpi(RegionRole::coll_other), "mpi");
  EXPECT_EQ(mpi(RegionRole::point2point), "mpi_point2point");
  EXPECT_EQ(mpi(RegionRole::rma), "mpi_rma_communication");
  EXPECT_EQ(mpi(RegionRole::file_io), "mpi_io_individual");
  EXPECT_EQ(mpi(RegionRole::file_io_metadata), "mpi_mgmt_file");
  EXPECT_EQ(mpi(RegionRole::function), "mpi");
}

TEST(region_class, openmp) {
  const auto omp = [](const char* region, RegionRole role) { return class_of(region, Paradigm::openmp, role); };
  EXPECT_EQ(omp("!$omp barrier @a.c:3", RegionRole::barrier), "omp_ebarrier");
  EXPECT_EQ(omp("!$omp implicit barrier @a.c:3", RegionRole::implicit_barrier), "omp_ibarrier");
  EXPECT_EQ(omp("!$omp critical @a.c:3", RegionRole::critical), "omp_critical");
  EXPECT_EQ(omp("!$omp critical sblock @a.c:3", RegionRole::critical_sblock), "comp");
  EXPECT_EQ(omp("!$omp atomic @a.c:3", RegionRole::atomic), "omp_critical");
  EXPECT_EQ(omp("!$omp parallel @a.c:3", RegionRole::parallel), "comp");
  EXPECT_EQ(omp("!$omp for @a.c:3", RegionRole::loop), "comp");
  EXPECT_EQ(omp("!$omp ordered @a.c:3", RegionRole::ordered), "omp_ordered");
  EXPECT_EQ(omp("!$omp taskwait @a.c:3", RegionRole::task_wait), "omp_taskwait");
  EXPECT_EQ(omp("!$omp create task @a.c:3", RegionRole::task_create), "omp_time");
  EXPECT_EQ(omp("!$omp flush @a.c:3", RegionRole::flush), "omp_flush");
  EXPECT_EQ(omp("omp_set_lock", RegionRole::function), "omp_lock_api");
  EXPECT_EQ(omp("omp_unset_nest_lock", RegionRole::function), "omp_lock_api");
  EXPECT_EQ(omp("omp_set_num_threads", RegionRole::function), "omp_time");
  // Where a recorder says nothing, the name does.
  EXPECT_EQ(class_of("!$omp barrier @a.c:3"), "omp_ebarrier");
  EXPECT_EQ(class_of("!$omp implicit barrier @a.c:3"), "omp_ibarrier");
  EXPECT_EQ(class_of("!$omp critical sblock @a.c:3"), "comp");
  EXPECT_EQ(class_of("!$omp critical @a.c:3"), "omp_critical");
  EXPECT_EQ(class_of("!$omp atomic @a.c:3"), "omp_critical");
  EXPECT_EQ(class_of("omp_set_lock"), "omp_lock_api");
}

TEST(region_class, threads_shmem_and_accelerators) {
  EXPECT_EQ(class_of("pthread_create", Paradigm::pthread), "pthread_management");
  EXPECT_EQ(class_of("pthread_mutex_lock"), "pthread_lock_api");
  EXPECT_EQ(class_of("pthread_cond_wait", Paradigm::pthread), "pthread_conditional");
  const auto shmem = [](const char* region) { return class_of(region, Paradigm::shmem); };
  EXPECT_EQ(shmem("start_pes"), "shmem_init_exit");
  EXPECT_EQ(shmem("shmem_finalize"), "shmem_init_exit");
  EXPECT_EQ(shmem("shmalloc"), "shmem_memory_management");
  EXPECT_EQ(shmem("shmem_barrier_all"), "shmem_sync_collective");
  EXPECT_EQ(class_of("shmem_barrier_all()"), "shmem_sync_collective");
  EXPECT_EQ(class_of("pthread_mutex_lock()"), "pthread_lock_api");
  EXPECT_EQ(shmem("shmem_int_wait_until"), "shmem_point2point_synchronization");
  EXPECT_EQ(shmem("shmem_set_lock"), "shmem_point2point_synchronization");
  EXPECT_EQ(shmem("shmem_broadcast64"), "shmem_collective");
  EXPECT_EQ(shmem("shmem_int_sum_to_all"), "shmem_collective");
  EXPECT_EQ(shmem("shmem_longlong_p"), "shmem_rma_communication");
  EXPECT_EQ(shmem("shmem_getmem"), "shmem_rma_communication");
  EXPECT_EQ(shmem("shmem_int_fadd"), "shmem_rma_communication");
  EXPECT_EQ(shmem("shmem_my_pe"), "shmem_time");
  EXPECT_EQ(shmem("shmem_addr_accessible"), "shmem_time");
  EXPECT_EQ(class_of("cuLaunchKernel", Paradigm::cuda, RegionRole::wrapper), "cuda_time");
  EXPECT_EQ(class_of("hipFree", Paradigm::hip, RegionRole::deallocate), "hip_time");
  EXPECT_EQ(class_of("acc_init@start.f90:103", Paradigm::openacc), "openacc_time");
  EXPECT_EQ(class_of("clFinish", Paradigm::opencl), "opencl_time");
}

TEST(region_class, measurement_system) {
  const auto artificial = [](const char* region, Paradigm p) { return class_of(region, p, RegionRole::artificial); };
  EXPECT_EQ(artificial("TRACE BUFFER FLUSH", Paradigm::measurement_system), "overhead");
  EXPECT_EQ(artificial("MEASUREMENT OFF", Paradigm::user), "overhead");
  EXPECT_EQ(artificial("p2p", Paradigm::measurement_system), "comp");
  EXPECT_EQ(class_of("flush", Paradigm::measurement_system), "overhead");
  EXPECT_EQ(class_of("main", Paradigm::compiler), "comp");
}

// OTF2 1.1 has no artificial regions, and of OTF2 1.0's the library gives the paradigm as unknown.
TEST(region_class, measurement_system_of_old_archives) {
  for (const Paradigm paradigm : {Paradigm::unknown, Paradigm::user, Paradigm::measurement_system})
    for (const RegionRole role : {RegionRole::unknown, RegionRole::function})
      for (const char* name : {"TRACE BUFFER FLUSH", "MEASUREMENT OFF"})
        EXPECT_EQ(class_of(name, paradigm, role), "overhead") << name;
  EXPECT_EQ(class_of("TRACE BUFFER", Paradigm::unknown), "comp");
  EXPECT_EQ(class_of("MEASUREMENT OFF", Paradigm::compiler), "comp");
}

TEST(launches_kernel, functions_that_do_and_that_do_not) {
  const auto launches = [](std::string_view region, Paradigm paradigm) {
    Region r;
    r.name = region;
    r.paradigm = paradigm;
    r.region_class = classify(r);
    return launches_kernel(r);
  };
  for (const char* function : {"cuLaunchKernel", "cudaLaunchKernel", "cuGraphLaunch", "cudaLaunchKernelExC"})
    EXPECT_TRUE(launches(function, Paradigm::cuda)) << function;
  for (const char* function : {"cuLaunchHostFunc", "cudaMemcpy", "cudaStreamSynchronize", "cudaMalloc"})
    EXPECT_FALSE(launches(function, Paradigm::cuda)) << function;
  EXPECT_TRUE(launches("hipModuleLaunchKernel", Paradigm::hip));
  EXPECT_TRUE(launches("clEnqueueNDRangeKernel", Paradigm::opencl));
  EXPECT_FALSE(launches("clEnqueueReadBuffer", Paradigm::opencl));
  EXPECT_TRUE(launches("acc_launch_kernel", Paradigm::openacc));
  EXPECT_FALSE(launches("launch", Paradigm::user));
}

TEST(waits_for_others, functions_that_do_and_that_do_not) {
  const auto waits = [](std::string_view region, Paradigm paradigm = Paradigm::user,
                        RegionRole role = RegionRole::function) {
    Region r;
    r.name = region;
    r.paradigm = paradigm;
    r.role = role;
    r.region_class = classify(r);
    return waits_for_others(r);
  };
  for (const char* function : {"MPI_Recv",          "mpi_recv_",
                               "PMPI_Recv",         "MPI_Send",
                               "MPI_Ssend",         "MPI_Sendrecv",
                               "MPI_Mrecv",         "MPI_Probe",
                               "MPI_Wait",          "MPI_Waitall",
                               "MPI_Waitany",       "MPI_Waitsome",
                               "MPI_Barrier",       "MPI_Allreduce",
                               "MPI_Reduce",        "MPI_Neighbor_alltoall",
                               "MPI_Init",          "MPI_Init_thread",
                               "MPI_Finalize",      "MPI_Comm_dup",
                               "MPI_Comm_split",    "MPI_Intercomm_create",
                               "MPI_Cart_create",   "MPI_Win_create",
                               "MPI_Win_free",      "MPI_Win_fence",
                               "MPI_Win_start",     "MPI_Win_complete",
                               "MPI_Win_wait",      "MPI_Win_lock",
                               "MPI_Win_flush",     "MPI_File_open",
                               "MPI_File_write_all"})
    EXPECT_TRUE(waits(function)) << function;
  for (const char* function : {"MPI_Irecv",
                               "MPI_Isend",
                               "MPI_Bsend",
                               "MPI_Test",
                               "MPI_Testall",
                               "MPI_Iprobe",
                               "MPI_Start",
                               "MPI_Recv_init",
                               "MPI_Ibarrier",
                               "MPI_Iallreduce",
                               "MPI_Ineighbor_alltoall",
                               "MPI_Barrier_init",
                               "MPI_Reduce_local",
                               "MPI_Comm_rank",
                               "MPI_Comm_idup",
                               "MPI_Comm_create_keyval",
                               "MPI_Abort",
                               "MPI_Initialized",
                               "MPI_Win_post",
                               "MPI_Win_test",
                               "MPI_Win_sync",
                               "MPI_Put",
                               "MPI_File_read",
                               "MPI_File_iread_all",
                               "MPI_File_read_all_begin",
                               "MPI_Wtime",
                               "wait",
                               "recv",
                               "main"})
    EXPECT_FALSE(waits(function)) << function;
  for (const char* function : {"pthread_mutex_lock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_join",
                               "pthread_rwlock_rdlock", "pthread_spin_lock", "pthread_barrier_wait"})
    EXPECT_TRUE(waits(function, Paradigm::pthread)) << function;
  for (const char* function : {"pthread_mutex_unlock", "pthread_mutex_trylock", "pthread_rwlock_unlock",
                               "pthread_cond_signal", "pthread_create", "pthread_mutex_init"})
    EXPECT_FALSE(waits(function, Paradigm::pthread)) << function;
  for (const char* function : {"shmem_barrier_all", "shmem_sync_all", "shmem_long_wait_until", "shmem_set_lock",
                               "shmem_quiet", "shmem_broadcast32", "shmem_finalize", "shmem_malloc"})
    EXPECT_TRUE(waits(function, Paradigm::shmem)) << function;
  for (const char* function : {"shmem_long_p", "shmem_clear_lock", "shmem_test_lock", "shmem_fence", "shmem_my_pe"})
    EXPECT_FALSE(waits(function, Paradigm::shmem)) << function;
  using R = RegionRole;
  for (const R role : {R::barrier, R::implicit_barrier, R::critical, R::ordered, R::task_wait})
    EXPECT_TRUE(waits("!$omp x @a.c:1", Paradigm::openmp, role)) << enum_name(role);
  for (const R role : {R::parallel, R::loop, R::critical_sblock, R::flush, R::task})
    EXPECT_FALSE(waits("!$omp x @a.c:1", Paradigm::openmp, role)) << enum_name(role);
  EXPECT_TRUE(waits("omp_set_lock", Paradigm::openmp));
  EXPECT_TRUE(waits("omp_set_nest_lock_"));
  EXPECT_FALSE(waits("omp_unset_lock", Paradigm::openmp));
  EXPECT_FALSE(waits("omp_test_lock", Paradigm::openmp));
  EXPECT_TRUE(waits("cudaDeviceSynchronize", Paradigm::cuda));
  EXPECT_FALSE(waits("cudaMemcpyAsync", Paradigm::cuda));
}

TEST(mpi_function, spellings) {
  EXPECT_EQ(mpi_function("MPI_Send"), MpiFunction::send);
  EXPECT_EQ(mpi_function("mpi_sendrecv_replace_"), MpiFunction::sendrecv_replace);
  EXPECT_EQ(mpi_function("PMPI_WAITALL"), MpiFunction::waitall);
  EXPECT_EQ(mpi_function("MPI_Ssend()"), MpiFunction::ssend);
  EXPECT_EQ(mpi_function("MPI_Request_get_status"), MpiFunction::request_get_status);
  EXPECT_EQ(mpi_function("MPI_Finalize"), MpiFunction::finalize);
  EXPECT_EQ(mpi_function("MPI_Win_fence"), MpiFunction::win_fence);
  EXPECT_EQ(mpi_function("mpi_win_complete_"), MpiFunction::win_complete);
  EXPECT_EQ(mpi_function("MPI_Win_test"), MpiFunction::win_test);
  EXPECT_EQ(mpi_function("MPI_Win_create"), MpiFunction::other);
  EXPECT_EQ(mpi_function("MPI_Bcast"), MpiFunction::other);
  EXPECT_EQ(mpi_function("mpi_bcast"), MpiFunction::other);
  EXPECT_EQ(mpi_function("MPI_Sendx"), MpiFunction::other);
  EXPECT_EQ(mpi_function("my_MPI_Send_wrapper"), MpiFunction::none);
  EXPECT_EQ(mpi_function("mpi_helper"), MpiFunction::none);
  EXPECT_EQ(mpi_function(""), MpiFunction::none);
  EXPECT_TRUE(is_test(MpiFunction::testany));
  EXPECT_FALSE(is_test(MpiFunction::request_free));
}

}  // namespace
}  // namespace waitstate
