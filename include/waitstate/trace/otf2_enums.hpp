// The enumerations of OTF2 3.2 under their standard names, which the text notation and every report use. The numbers
// are OTF2's own, so that a value of a later version passes through unharmed: its name is then its number.
#pragma once

#include "waitstate/trace/enum_names.hpp"

namespace waitstate {

WAITSTATE_ENUM(Paradigm, unknown, user, compiler, openmp, mpi, cuda, measurement_system, pthread, hmpp, ompss, hardware,
               gaspi, upc, shmem, winthread, qtthread, acethread, tbbthread, openacc, opencl, mtapi, sampling, none,
               hip, kokkos, openmp_target);
WAITSTATE_ENUM(ParadigmClass, process, thread_fork_join, thread_create_wait, accelerator);
WAITSTATE_ENUM(ParadigmPropertyKind, comm_name_template, rma_win_name_template, rma_only);
WAITSTATE_ENUM(RegionRole, unknown, function, wrapper, loop, code, parallel, sections, section, workshare, single,
               single_sblock, master, critical, critical_sblock, atomic, barrier, implicit_barrier, flush, ordered,
               ordered_sblock, task, task_create, task_wait, coll_one2all, coll_all2one, coll_all2all, coll_other,
               file_io, point2point, rma, data_transfer, artificial, thread_create, thread_wait, task_untied, allocate,
               deallocate, reallocate, file_io_metadata, cancel, kernel);
WAITSTATE_ENUM(LocationType, unknown, cpu_thread, accelerator_stream, metric);
WAITSTATE_ENUM(LocationGroupType, unknown, process, accelerator);
WAITSTATE_ENUM(GroupType, unknown, locations, regions, metric, comm_locations, comm_group, comm_self,
               comm_location_groups);
WAITSTATE_ENUM(SystemTreeDomain, machine, shared_memory, numa, socket, cache, core, pu, accelerator_device,
               networking_device);
WAITSTATE_ENUM(ValueType, none, uint8, uint16, uint32, uint64, int8, int16, int32, int64, float_, double_, string,
               attribute, location, region, group, metric, comm, parameter, rma_win, source_code_location,
               calling_context, interrupt_generator, io_file, io_handle, location_group);
WAITSTATE_ENUM(Base, binary, decimal);
WAITSTATE_ENUM(MetricType, other, papi, rusage, user);
WAITSTATE_ENUM(MetricOccurrence, synchronous_strict, synchronous, asynchronous);
WAITSTATE_ENUM(MetricScope, location, location_group, system_tree_node, group);
WAITSTATE_ENUM(RecorderKind, unknown, abstract, cpu, gpu);
WAITSTATE_ENUM(ParameterType, string, int64, uint64);
WAITSTATE_ENUM(CartPeriodicity, false_, true_);
WAITSTATE_ENUM(InterruptGeneratorMode, time, count);
WAITSTATE_ENUM(IoParadigmClass, serial, parallel);
WAITSTATE_ENUM(IoParadigmPropertyKind, version);
WAITSTATE_ENUM(IoAccessMode, read_only, write_only, read_write, execute_only, search_only);
WAITSTATE_ENUM(IoSeekOption, from_start, from_current, from_end, data, hole);
WAITSTATE_ENUM(IoOperationMode, read, write, flush);
WAITSTATE_ENUM(MeasurementMode, on = 1, off);
WAITSTATE_ENUM(CollectiveOp, barrier, bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall,
               alltoallv, alltoallw, allreduce, reduce, reduce_scatter, scan, exscan, reduce_scatter_block,
               create_handle, destroy_handle, allocate, deallocate, create_handle_and_allocate,
               destroy_handle_and_deallocate);
WAITSTATE_ENUM(RmaSyncType, memory, notify_in, notify_out);
WAITSTATE_ENUM(LockType, exclusive, shared);
WAITSTATE_ENUM(RmaAtomicType, accumulate, increment, test_and_set, compare_and_swap, swap, fetch_and_add,
               fetch_and_increment, fetch_and_accumulate);

}  // namespace waitstate
