// Classifies regions for the metric tree and for the patterns: once, when definitions are read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "waitstate/trace/enum_names.hpp"

namespace waitstate {

struct Region;

/// The time metric that a region's exclusive time belongs to; the enumerator's name is the metric's id.
WAITSTATE_ENUM(RegionClass, comp, overhead, mpi, mpi_init_exit, mpi_mgmt_comm, mpi_mgmt_file, mpi_mgmt_win,
               mpi_sync_collective, mpi_rma_sync_active, mpi_rma_sync_passive, mpi_point2point, mpi_collective,
               mpi_rma_communication, mpi_io_individual, mpi_io_collective, omp_time, omp_management, omp_ebarrier,
               omp_ibarrier, omp_critical, omp_lock_api, omp_ordered, omp_taskwait, omp_flush, pthread_time,
               pthread_management, pthread_lock_api, pthread_conditional, shmem_time, shmem_init_exit,
               shmem_memory_management, shmem_sync_collective, shmem_point2point_synchronization, shmem_collective,
               shmem_rma_communication, openacc_time, opencl_time, cuda_time, hip_time);
inline constexpr int region_class_count = static_cast<int>(std::size(detail::EnumNames<RegionClass>::names));
std::string_view name(RegionClass c);
/// True for every class of MPI.
constexpr bool is_mpi(RegionClass c) { return c >= RegionClass::mpi && c <= RegionClass::mpi_io_collective; }

/// True for every class of SHMEM.
constexpr bool is_shmem(RegionClass c) {
  return c >= RegionClass::shmem_time && c <= RegionClass::shmem_rma_communication;
}

/// The MPI functions whose meaning matters to matching and patterns; all others are `other`, functions of other
/// libraries `none`. All neighbourhood collectives (MPI_Neighbor_…, MPI_Ineighbor_…) are `neighbour`.
WAITSTATE_ENUM(MpiFunction, none, other, send, bsend, rsend, ssend, isend, ibsend, irsend, issend, sendrecv,
               sendrecv_replace, isendrecv, isendrecv_replace, recv, mrecv, irecv, imrecv, start, startall, wait,
               waitany, waitall, waitsome, test, testany, testall, testsome, request_get_status, request_free, cancel,
               probe, mprobe, iprobe, improbe, init, init_thread, finalize, win_fence, win_post, win_start,
               win_complete, win_wait, win_test, neighbour);

/// The MPI function of a region with this name, in any spelling that a recorder uses (MPI_Send, mpi_send_, PMPI_SEND,
/// …).
MpiFunction mpi_function(std::string_view region_name);
/// "bcast" for MPI_Bcast, mpi_bcast_, PMPI_BCAST and so on; "" if the name does not have the form of an MPI function.
std::string mpi_base_name(std::string_view region_name);
/// The enumerator's name, e.g. "recv"; empty for an invalid value.
std::string_view name(MpiFunction f);
/// True for MPI_Test, Testany, Testall, Testsome and Request_get_status: calls that never wait.
constexpr bool is_test(MpiFunction f) { return f >= MpiFunction::test && f <= MpiFunction::request_get_status; }

/// True for these tests and for MPI_Wait, Waitany, Waitall, Waitsome, Request_free and Cancel: calls that start
/// nothing.
constexpr bool completes_requests(MpiFunction f) { return f >= MpiFunction::wait && f <= MpiFunction::cancel; }
/// True for MPI_Probe and Mprobe, which wait for a message, and for Iprobe and Improbe, which ask whether one is there.
constexpr bool is_probe(MpiFunction f) { return f >= MpiFunction::probe && f <= MpiFunction::improbe; }
/// True for MPI_Init, Init_thread and Finalize.
constexpr bool initialises_or_finalizes(MpiFunction f) { return f >= MpiFunction::init && f <= MpiFunction::finalize; }

/// Class of a region by its name, role and paradigm; its derived fields are ignored.
RegionClass classify(const Region& region);

/// True for regions that cannot be left before another location has acted: receives, sends, completions and blocking
/// collectives of MPI, collectives and waits of SHMEM, barriers and taskwaits of OpenMP, functions and critical
/// sections that take a lock, joins of threads, and waits_for_device(). False for non-blocking calls, tests and local
/// ones.
bool waits_for_others(const Region& region);

/// True for the calls of a host thread that wait for an accelerator. No recorder marks them, but their names do: calls
/// of CUDA, HIP, OpenCL and OpenACC that synchronise (cudaStreamSynchronize, clFinish, acc_wait, …), copy without
/// "Async" in their name, or release memory of the device, which waits for any kernel that may still use it.
bool waits_for_device(const Region& region);

/// True for the calls of a host thread that start a kernel, by their names: those of CUDA, HIP and OpenACC with
/// "launch" in them (cuLaunchKernel, hipModuleLaunchKernel, …), clEnqueueNDRangeKernel and clEnqueueTask.
bool launches_kernel(const Region& region);

}  // namespace waitstate
