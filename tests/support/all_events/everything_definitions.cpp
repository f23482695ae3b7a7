// Every kind of global definition, all 38 of OTF2 3.0, in the order of the archive format's description.
#include <array>

#include "everything.hpp"

namespace all_events {
namespace {

using W = OTF2_GlobalDefWriter;

OTF2_AttributeValue number(std::uint64_t value) {
  OTF2_AttributeValue v{};
  v.uint64 = value;
  return v;
}
OTF2_AttributeValue string_value(OTF2_StringRef ref) {
  OTF2_AttributeValue v{};
  v.stringRef = ref;
  return v;
}

void group(Definitions& d, Group ref, const std::string& name, OTF2_GroupType type, OTF2_Paradigm paradigm,
           std::vector<std::uint64_t> members) {
  d.add([=, text = d.string(name)](W* w) {
    return OTF2_GlobalDefWriter_WriteGroup(w, ref, text, type, paradigm, OTF2_GROUP_FLAG_NONE,
                                           static_cast<std::uint32_t>(members.size()), members.data());
  });
}

void system(Archive& archive, Definitions& d) {
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNode, 0u, d.string("cluster"), d.string("machine"),
        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNode, 1u, d.string("node 1"), d.string("node"), 0u);
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty, 1u, d.string("cores"), OTF2_Type{OTF2_TYPE_UINT64},
        number(4));
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain, 0u, OTF2_SystemTreeDomain{OTF2_SYSTEM_TREE_DOMAIN_MACHINE});
  d.add(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain, 1u,
        OTF2_SystemTreeDomain{OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY});
  const auto process = [&](OTF2_LocationGroupRef ref, const char* name, OTF2_LocationGroupType type,
                           OTF2_LocationGroupRef creator) {
    d.add(OTF2_GlobalDefWriter_WriteLocationGroup, ref, d.string(name), type, 1u, creator);
  };
  process(process0, "MPI Rank 0", OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_UNDEFINED_LOCATION_GROUP);
  process(process1, "MPI Rank 1", OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_UNDEFINED_LOCATION_GROUP);
  process(device, "CUDA context", OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, process0);
  d.add(OTF2_GlobalDefWriter_WriteLocationGroupProperty, process0, d.string("pid"), OTF2_Type{OTF2_TYPE_UINT64},
        number(4711));
  archive.define_location(d, rank0, "Master thread", OTF2_LOCATION_TYPE_CPU_THREAD, process0);
  archive.define_location(d, rank0_thread, "OMP thread 1", OTF2_LOCATION_TYPE_CPU_THREAD, process0);
  archive.define_location(d, rank1, "Master thread", OTF2_LOCATION_TYPE_CPU_THREAD, process1);
  archive.define_location(d, rank1_thread, "OMP thread 1", OTF2_LOCATION_TYPE_CPU_THREAD, process1);
  archive.define_location(d, stream_location, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, device);
  archive.define_location(d, metric_location, "power meter", OTF2_LOCATION_TYPE_METRIC, process0);
  d.add(OTF2_GlobalDefWriter_WriteLocationProperty, rank0, d.string("core"), OTF2_Type{OTF2_TYPE_UINT64}, number(0));
}

void regions(Definitions& d) {
  struct Row {
    Region ref;
    const char* name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
  };
  const Row rows[] = {
      {region_main, "main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER},
      {region_init, "MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
      {region_send, "MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_recv, "MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_isend, "MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_irecv, "MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_wait, "MPI_Wait", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_test, "MPI_Test", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_cancel, "MPI_Cancel", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
      {region_barrier, "MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI},
      {region_iallreduce, "MPI_Iallreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
      {region_comm_dup, "MPI_Comm_dup", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
      {region_win, "MPI_Win_fence", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
      {region_read, "fread", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER},
      {region_parallel, "!$omp parallel @all.c:20", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP},
      {region_task, "!$omp task @all.c:30", OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_OPENMP},
      {region_pthread, "pthread_create", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_PTHREAD},
      {region_kernel, "kernel", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
      {region_sampled, "sampled", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_SAMPLING},
      {region_finalize, "MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
  };
  for (const Row& r : rows) {
    const std::uint32_t line = 10 * r.ref + 1;
    d.add(OTF2_GlobalDefWriter_WriteRegion, std::uint32_t{r.ref}, d.string(r.name), d.string(r.name),
          d.string("region \"" + std::string(r.name) + "\""), r.role, r.paradigm,
          OTF2_RegionFlag{OTF2_REGION_FLAG_NONE}, d.string("all.c"), line, line + 5);
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // readers must still know the record
  d.add(OTF2_GlobalDefWriter_WriteCallsite, 0u, d.string("all.c"), 12u, std::uint32_t{region_main},
        std::uint32_t{region_init});
#pragma GCC diagnostic pop
  d.add(OTF2_GlobalDefWriter_WriteCallpath, 0u, OTF2_UNDEFINED_CALLPATH, std::uint32_t{region_main});
  d.add(OTF2_GlobalDefWriter_WriteCallpath, 1u, 0u, std::uint32_t{region_init});
}

void communicators(Definitions& d) {
  group(d, group_mpi_locations, "MPI locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, {rank0, rank1});
  group(d, group_world, "world", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {0, 1});
  group(d, group_self, "self", OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, {});
  group(d, group_a, "A", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {0});
  group(d, group_b, "B", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, {1});
  group(d, group_omp_locations, "OpenMP locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
        {rank0, rank0_thread, rank1, rank1_thread});
  group(d, group_team, "team", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, {0, 1});
  group(d, group_pthread_locations, "pthread locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD,
        {rank0, rank0_thread});
  group(d, group_contingent, "pthread contingent", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD, {0, 1});
  group(d, group_plain_locations, "all threads", OTF2_GROUP_TYPE_LOCATIONS, OTF2_PARADIGM_NONE,
        {rank0, rank0_thread, rank1, rank1_thread});
  group(d, group_regions, "message calls", OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_NONE, {region_send, region_recv});
  group(d, group_metrics, "counters", OTF2_GROUP_TYPE_METRIC, OTF2_PARADIGM_NONE, {metric_counters});
  group(d, group_cuda_locations, "CUDA locations", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
        {rank0, stream_location});
  group(d, group_cuda, "CUDA", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA, {0, 1});
  const auto comm = [&](Comm ref, const char* name, Group members, OTF2_CommRef parent, OTF2_CommFlag flags) {
    d.add(OTF2_GlobalDefWriter_WriteComm, std::uint32_t{ref}, d.string(name), std::uint32_t{members}, parent, flags);
  };
  comm(comm_world, "MPI_COMM_WORLD", group_world, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  comm(comm_self, "MPI_COMM_SELF", group_self, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  d.add(OTF2_GlobalDefWriter_WriteInterComm, std::uint32_t{comm_inter}, d.string("bridge"), std::uint32_t{group_a},
        std::uint32_t{group_b}, std::uint32_t{comm_world}, OTF2_CommFlag{OTF2_COMM_FLAG_NONE});
  comm(comm_team, "OpenMP team", group_team, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  comm(comm_contingent, "pthread contingent", group_contingent, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  comm(comm_cuda, "CUDA", group_cuda, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  comm(comm_dup, "duplicate", group_world, comm_world, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
  d.add(OTF2_GlobalDefWriter_WriteRmaWin, std::uint32_t{win_mpi}, d.string("window"), std::uint32_t{comm_world},
        OTF2_RmaWinFlag{OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS});
  d.add(OTF2_GlobalDefWriter_WriteRmaWin, std::uint32_t{win_cuda}, d.string("device memory"), std::uint32_t{comm_cuda},
        OTF2_RmaWinFlag{OTF2_RMA_WIN_FLAG_NONE});
}

void metrics(Definitions& d) {
  const auto member = [&](std::uint32_t ref, const char* name, OTF2_MetricType type, OTF2_MetricMode mode,
                          OTF2_Type value, OTF2_Base base, std::int64_t exponent, const char* unit) {
    d.add(OTF2_GlobalDefWriter_WriteMetricMember, ref, d.string(name), d.string("a counter"), type, mode, value, base,
          exponent, d.string(unit));
  };
  member(0, "PAPI_TOT_INS", OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL,
         0, "#");
  member(1, "balance", OTF2_METRIC_TYPE_USER, OTF2_METRIC_RELATIVE_NEXT, OTF2_TYPE_INT64, OTF2_BASE_BINARY, 10, "B");
  member(2, "power", OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_LAST, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, -3, "W");
  d.add([](W* w) {
    static constexpr OTF2_MetricMemberRef members[] = {0, 1, 2};
    return OTF2_GlobalDefWriter_WriteMetricClass(w, metric_counters, 3, members, OTF2_METRIC_SYNCHRONOUS_STRICT,
                                                 OTF2_RECORDER_KIND_CPU);
  });
  d.add([](W* w) {
    static constexpr OTF2_MetricMemberRef members[] = {2};
    return OTF2_GlobalDefWriter_WriteMetricClass(w, metric_power, 1, members, OTF2_METRIC_ASYNCHRONOUS,
                                                 OTF2_RECORDER_KIND_ABSTRACT);
  });
  d.add(OTF2_GlobalDefWriter_WriteMetricInstance, std::uint32_t{metric_power_instance}, std::uint32_t{metric_power},
        metric_location, OTF2_MetricScope{OTF2_SCOPE_LOCATION_GROUP}, std::uint64_t{process0});
  d.add(OTF2_GlobalDefWriter_WriteMetricClassRecorder, std::uint32_t{metric_counters}, rank0);
}

void parameters(Definitions& d) {
  d.add(OTF2_GlobalDefWriter_WriteParameter, std::uint32_t{parameter_string}, d.string("phase"),
        OTF2_ParameterType{OTF2_PARAMETER_TYPE_STRING});
  d.add(OTF2_GlobalDefWriter_WriteParameter, std::uint32_t{parameter_int}, d.string("offset"),
        OTF2_ParameterType{OTF2_PARAMETER_TYPE_INT64});
  d.add(OTF2_GlobalDefWriter_WriteParameter, std::uint32_t{parameter_uint}, d.string("iteration"),
        OTF2_ParameterType{OTF2_PARAMETER_TYPE_UINT64});
  d.add(OTF2_GlobalDefWriter_WriteCallpathParameter, 1u, std::uint32_t{parameter_uint}, OTF2_Type{OTF2_TYPE_UINT64},
        number(3));
}

void topology(Definitions& d) {
  d.add(OTF2_GlobalDefWriter_WriteCartDimension, 0u, d.string("x"), 2u, OTF2_CartPeriodicity{OTF2_CART_PERIODIC_TRUE});
  d.add(OTF2_GlobalDefWriter_WriteCartDimension, 1u, d.string("y"), 1u, OTF2_CartPeriodicity{OTF2_CART_PERIODIC_FALSE});
  d.add([name = d.string("grid")](W* w) {
    static constexpr OTF2_CartDimensionRef dimensions[] = {0, 1};
    return OTF2_GlobalDefWriter_WriteCartTopology(w, 0, name, comm_world, 2, dimensions);
  });
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    d.add([rank](W* w) {
      const std::uint32_t coordinates[] = {rank, 0};
      return OTF2_GlobalDefWriter_WriteCartCoordinate(w, 0, rank, 2, coordinates);
    });
}

void sampling(Definitions& d) {
  d.add(OTF2_GlobalDefWriter_WriteSourceCodeLocation, 0u, d.string("all.c"), 99u);
  d.add(OTF2_GlobalDefWriter_WriteCallingContext, std::uint32_t{context_main}, std::uint32_t{region_main},
        OTF2_UNDEFINED_SOURCE_CODE_LOCATION, OTF2_UNDEFINED_CALLING_CONTEXT);
  d.add(OTF2_GlobalDefWriter_WriteCallingContext, std::uint32_t{context_sampled}, std::uint32_t{region_sampled}, 0u,
        std::uint32_t{context_main});
  d.add(OTF2_GlobalDefWriter_WriteCallingContextProperty, std::uint32_t{context_sampled}, d.string("inlined"),
        OTF2_Type{OTF2_TYPE_UINT64}, number(1));
  d.add(OTF2_GlobalDefWriter_WriteInterruptGenerator, std::uint32_t{generator_time}, d.string("timer"),
        OTF2_InterruptGeneratorMode{OTF2_INTERRUPT_GENERATOR_MODE_TIME}, OTF2_Base{OTF2_BASE_DECIMAL}, std::int64_t{-6},
        std::uint64_t{100});
  d.add(OTF2_GlobalDefWriter_WriteInterruptGenerator, std::uint32_t{generator_count_overflow}, d.string("PAPI_TOT_CYC"),
        OTF2_InterruptGeneratorMode{OTF2_INTERRUPT_GENERATOR_MODE_COUNT}, OTF2_Base{OTF2_BASE_BINARY}, std::int64_t{20},
        std::uint64_t{1});
}

void input_output(Definitions& d) {
  d.add([id = d.string("POSIX"), name = d.string("POSIX I/O"), version = string_value(d.string("2008"))](W* w) {
    static constexpr OTF2_IoParadigmProperty properties[] = {OTF2_IO_PARADIGM_PROPERTY_VERSION};
    static constexpr OTF2_Type types[] = {OTF2_TYPE_STRING};
    return OTF2_GlobalDefWriter_WriteIoParadigm(w, io_posix, id, name, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                                OTF2_IO_PARADIGM_FLAG_OS, 1, properties, types, &version);
  });
  d.add([id = d.string("MPI-IO"), name = d.string("MPI I/O")](W* w) {
    return OTF2_GlobalDefWriter_WriteIoParadigm(w, io_mpi, id, name, OTF2_IO_PARADIGM_CLASS_PARALLEL,
                                                OTF2_IO_PARADIGM_FLAG_NONE, 0, nullptr, nullptr, nullptr);
  });
  d.add(OTF2_GlobalDefWriter_WriteIoDirectory, std::uint32_t{file_directory}, d.string("/scratch"), 0u);
  d.add(OTF2_GlobalDefWriter_WriteIoRegularFile, std::uint32_t{file_data}, d.string("/scratch/data"), 0u);
  d.add(OTF2_GlobalDefWriter_WriteIoFileProperty, std::uint32_t{file_data}, d.string("stripes"),
        OTF2_Type{OTF2_TYPE_UINT64}, number(8));
  const auto handle = [&](Handle ref, const char* name, OTF2_IoFileRef file, IoParadigm paradigm,
                          OTF2_IoHandleFlag flags, OTF2_CommRef comm, OTF2_IoHandleRef parent) {
    d.add(OTF2_GlobalDefWriter_WriteIoHandle, std::uint32_t{ref}, d.string(name), file, std::uint32_t{paradigm}, flags,
          comm, parent);
  };
  handle(handle_stdin, "stdin", OTF2_UNDEFINED_IO_FILE, io_posix, OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM,
         OTF2_UNDEFINED_IO_HANDLE);
  handle(handle_data, "data", file_data, io_mpi, OTF2_IO_HANDLE_FLAG_NONE, comm_world, OTF2_UNDEFINED_IO_HANDLE);
  handle(handle_duplicate, "copy", file_data, io_posix, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM, handle_data);
  d.add(OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState, std::uint32_t{handle_stdin},
        OTF2_IoAccessMode{OTF2_IO_ACCESS_MODE_READ_ONLY}, OTF2_IoStatusFlag{OTF2_IO_STATUS_FLAG_NONE});
}

}  // namespace

EventStrings define_everything(Archive& archive, Definitions& d) {
  d.string("");
  d.add(OTF2_GlobalDefWriter_WriteClockProperties, std::uint64_t{1'000'000}, std::uint64_t{1000}, std::uint64_t{20'000},
        std::uint64_t{1'700'000'000'000'000'000});
  const auto paradigm = [&](OTF2_Paradigm p, const char* name, OTF2_ParadigmClass c) {
    d.add(OTF2_GlobalDefWriter_WriteParadigm, p, d.string(name), c);
  };
  paradigm(OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS);
  paradigm(OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
  paradigm(OTF2_PARADIGM_PTHREAD, "POSIX threads", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT);
  paradigm(OTF2_PARADIGM_CUDA, "CUDA", OTF2_PARADIGM_CLASS_ACCELERATOR);
  d.add(OTF2_GlobalDefWriter_WriteParadigmProperty, OTF2_Paradigm{OTF2_PARADIGM_MPI},
        OTF2_ParadigmProperty{OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE}, OTF2_Type{OTF2_TYPE_STRING},
        string_value(d.string("Comm ${id}")));
  for (OTF2_Type type = OTF2_TYPE_UINT8; type <= OTF2_TYPE_LOCATION_GROUP; ++type)
    d.add(OTF2_GlobalDefWriter_WriteAttribute, attribute_of(type), d.string("attribute " + std::to_string(type)),
          d.string("of value type " + std::to_string(type)), type);
  system(archive, d);
  regions(d);
  communicators(d);
  metrics(d);
  parameters(d);
  topology(d);
  sampling(d);
  input_output(d);
  return {d.string("/opt/bin/everything"), d.string("--all"), d.string("warm-up")};
}

LocalIds::Sizes sizes_of_everything(const Definitions& d) {
  LocalIds::Sizes n{};
  n[OTF2_MAPPING_STRING] = d.string_count();
  n[OTF2_MAPPING_ATTRIBUTE] = attribute_count;
  n[OTF2_MAPPING_REGION] = region_count;
  n[OTF2_MAPPING_GROUP] = group_count;
  n[OTF2_MAPPING_METRIC] = metric_count;
  n[OTF2_MAPPING_COMM] = comm_count;
  n[OTF2_MAPPING_PARAMETER] = parameter_count;
  n[OTF2_MAPPING_RMA_WIN] = win_count;
  n[OTF2_MAPPING_SOURCE_CODE_LOCATION] = 1;
  n[OTF2_MAPPING_CALLING_CONTEXT] = context_count;
  n[OTF2_MAPPING_INTERRUPT_GENERATOR] = generator_count;
  n[OTF2_MAPPING_IO_FILE] = file_count;
  n[OTF2_MAPPING_IO_HANDLE] = handle_count;
  n[OTF2_MAPPING_LOCATION_GROUP] = process_count;
  return n;
}

}  // namespace all_events
