// At least one record of every event type, on six locations; both ranks run the same program, so that messages,
// requests and collective operations are complete. References are local ones where a location has mapping tables.
// Long because there are 79 types.
#include <stdexcept>

#include "everything.hpp"

namespace all_events {
namespace {

/// One location, writing in its own references.
class Recorder {
 public:
  Recorder(Archive& archive, OTF2_LocationRef location, std::uint32_t rank, LocalIds ids, const EventStrings& strings,
           std::uint64_t start)
      : s_(archive.events(location, start)), rank_(rank), ids_(ids), strings_(strings) {
    archive.local_ids(location, ids);
  }

  template <class... Arguments>
  void operator()(Arguments... arguments) {
    s_.write(arguments...);
  }

  void enter(Region r) { s_.write("enter", OTF2_EvtWriter_Enter, ids_(OTF2_MAPPING_REGION, r)); }
  void exit(Region r) { s_.write("exit", OTF2_EvtWriter_Leave, ids_(OTF2_MAPPING_REGION, r)); }
  /// The next event gets one attribute of every value type.
  void list_every_attribute();

  void program();
  void worker_thread();
  void device_stream();
  void power_meter();

 private:
  OTF2_StringRef string(OTF2_StringRef g) const { return ids_(OTF2_MAPPING_STRING, g); }
  OTF2_CommRef comm(Comm g) const { return ids_(OTF2_MAPPING_COMM, g); }
  OTF2_RmaWinRef win(Win g) const { return ids_(OTF2_MAPPING_RMA_WIN, g); }
  OTF2_IoHandleRef handle(Handle g) const { return ids_(OTF2_MAPPING_IO_HANDLE, g); }
  OTF2_ParameterRef parameter(Parameter g) const { return ids_(OTF2_MAPPING_PARAMETER, g); }

  void messages();
  void requests();
  void collectives();
  void one_sided();
  void threads();
  void metrics_and_parameters();
  void input_output();

  Stream& s_;
  std::uint32_t rank_;
  LocalIds ids_;
  EventStrings strings_;
};

void Recorder::list_every_attribute() {
  for (OTF2_Type type = OTF2_TYPE_UINT8; type <= OTF2_TYPE_LOCATION_GROUP; ++type) {
    OTF2_AttributeValue v{};
    switch (type) {
      case OTF2_TYPE_UINT8:
        v.uint8 = 200;
        break;
      case OTF2_TYPE_UINT16:
        v.uint16 = 60'000;
        break;
      case OTF2_TYPE_UINT32:
        v.uint32 = 4'000'000'000;
        break;
      case OTF2_TYPE_UINT64:
        v.uint64 = 10'000'000'000'000'000'000ull;
        break;
      case OTF2_TYPE_INT8:
        v.int8 = -100;
        break;
      case OTF2_TYPE_INT16:
        v.int16 = -30'000;
        break;
      case OTF2_TYPE_INT32:
        v.int32 = -2'000'000'000;
        break;
      case OTF2_TYPE_INT64:
        v.int64 = -9'000'000'000'000'000'000ll;
        break;
      case OTF2_TYPE_FLOAT:
        v.float32 = 0.5f;
        break;
      case OTF2_TYPE_DOUBLE:
        v.float64 = -0.25;
        break;
      case OTF2_TYPE_STRING:
        v.stringRef = string(strings_.value);
        break;
      case OTF2_TYPE_ATTRIBUTE:
        v.attributeRef = ids_(OTF2_MAPPING_ATTRIBUTE, attribute_of(OTF2_TYPE_DOUBLE));
        break;
      case OTF2_TYPE_LOCATION:
        v.locationRef = rank1_thread;
        break;
      case OTF2_TYPE_REGION:
        v.regionRef = ids_(OTF2_MAPPING_REGION, region_kernel);
        break;
      case OTF2_TYPE_GROUP:
        v.groupRef = ids_(OTF2_MAPPING_GROUP, group_team);
        break;
      case OTF2_TYPE_METRIC:
        v.metricRef = ids_(OTF2_MAPPING_METRIC, metric_power);
        break;
      case OTF2_TYPE_COMM:
        v.commRef = comm(comm_inter);
        break;
      case OTF2_TYPE_PARAMETER:
        v.parameterRef = parameter(parameter_uint);
        break;
      case OTF2_TYPE_RMA_WIN:
        v.rmaWinRef = win(win_cuda);
        break;
      case OTF2_TYPE_SOURCE_CODE_LOCATION:
        v.sourceCodeLocationRef = ids_(OTF2_MAPPING_SOURCE_CODE_LOCATION, 0);
        break;
      case OTF2_TYPE_CALLING_CONTEXT:
        v.callingContextRef = ids_(OTF2_MAPPING_CALLING_CONTEXT, context_sampled);
        break;
      case OTF2_TYPE_INTERRUPT_GENERATOR:
        v.interruptGeneratorRef = ids_(OTF2_MAPPING_INTERRUPT_GENERATOR, generator_count_overflow);
        break;
      case OTF2_TYPE_IO_FILE:
        v.ioFileRef = ids_(OTF2_MAPPING_IO_FILE, file_data);
        break;
      case OTF2_TYPE_IO_HANDLE:
        v.ioHandleRef = handle(handle_duplicate);
        break;
      case OTF2_TYPE_LOCATION_GROUP:
        v.locationGroupRef = ids_(OTF2_MAPPING_LOCATION_GROUP, device);
        break;
      default:
        throw std::logic_error("attribute of an unknown type");
    }
    check(OTF2_AttributeList_AddAttribute(s_.attributes(), ids_(OTF2_MAPPING_ATTRIBUTE, attribute_of(type)), type, v),
          "an attribute list");
  }
}

void Recorder::messages() {
  // Rank 0 sends and rank 1 receives, in the world and across the bridge; each rank sends to itself.
  if (rank_ == 0) {
    enter(region_send);
    check(
        OTF2_AttributeList_AddUint64(s_.attributes(), ids_(OTF2_MAPPING_ATTRIBUTE, attribute_of(OTF2_TYPE_UINT64)), 77),
        "an attribute list");
    s_.write("send", OTF2_EvtWriter_MpiSend, 1u, comm(comm_world), 5u, std::uint64_t{1024});
    exit(region_send);
    enter(region_send);
    s_.write("send", OTF2_EvtWriter_MpiSend, 0u, comm(comm_inter), 6u, std::uint64_t{0});
    exit(region_send);
  } else {
    s_.wait_until(1600);
    enter(region_recv);
    s_.write("recv", OTF2_EvtWriter_MpiRecv, 0u, comm(comm_world), 5u, std::uint64_t{1024});
    exit(region_recv);
    enter(region_recv);
    s_.write("recv", OTF2_EvtWriter_MpiRecv, 0u, comm(comm_inter), 6u, std::uint64_t{0});
    exit(region_recv);
  }
  enter(region_isend);
  s_.write("isend", OTF2_EvtWriter_MpiIsend, 0u, comm(comm_self), 7u, std::uint64_t{8}, std::uint64_t{50});
  exit(region_isend);
  enter(region_recv);
  s_.write("recv", OTF2_EvtWriter_MpiRecv, 0u, comm(comm_self), 7u, std::uint64_t{8});
  exit(region_recv);
  enter(region_wait);
  s_.write("isend_complete", OTF2_EvtWriter_MpiIsendComplete, std::uint64_t{50});
  exit(region_wait);
}

void Recorder::requests() {
  // Both post a receive, send, test once, wait; and cancel a receive that nobody sends to.
  s_.wait_until(2200);
  const std::uint32_t other = 1 - rank_;
  enter(region_irecv);
  s_.write("irecv_request", OTF2_EvtWriter_MpiIrecvRequest, std::uint64_t{60});
  exit(region_irecv);
  enter(region_isend);
  s_.write("isend", OTF2_EvtWriter_MpiIsend, other, comm(comm_world), 8u, std::uint64_t{2048}, std::uint64_t{61});
  exit(region_isend);
  enter(region_test);
  s_.write("request_test", OTF2_EvtWriter_MpiRequestTest, std::uint64_t{60});
  exit(region_test);
  s_.wait_until(2400);
  enter(region_wait);
  s_.write("irecv", OTF2_EvtWriter_MpiIrecv, other, comm(comm_world), 8u, std::uint64_t{2048}, std::uint64_t{60});
  s_.write("isend_complete", OTF2_EvtWriter_MpiIsendComplete, std::uint64_t{61});
  exit(region_wait);
  enter(region_irecv);
  s_.write("irecv_request", OTF2_EvtWriter_MpiIrecvRequest, std::uint64_t{62});
  exit(region_irecv);
  enter(region_cancel);
  s_.write("request_cancelled", OTF2_EvtWriter_MpiRequestCancelled, std::uint64_t{62});
  exit(region_cancel);
}

void Recorder::collectives() {
  constexpr std::uint32_t none = OTF2_COLLECTIVE_ROOT_NONE;
  s_.wait_until(2800);
  enter(region_barrier);
  s_.write("collective_begin", OTF2_EvtWriter_MpiCollectiveBegin);
  s_.wait_until(2900);
  s_.write("collective_end", OTF2_EvtWriter_MpiCollectiveEnd, OTF2_CollectiveOp{OTF2_COLLECTIVE_OP_BARRIER},
           comm(comm_world), none, std::uint64_t{0}, std::uint64_t{0});
  exit(region_barrier);
  enter(region_iallreduce);
  s_.write("nonblocking_collective_request", OTF2_EvtWriter_NonBlockingCollectiveRequest, std::uint64_t{70});
  exit(region_iallreduce);
  s_.wait_until(3000);
  enter(region_wait);
  s_.write("nonblocking_collective_complete", OTF2_EvtWriter_NonBlockingCollectiveComplete,
           OTF2_CollectiveOp{OTF2_COLLECTIVE_OP_ALLREDUCE}, comm(comm_world), none, std::uint64_t{16},
           std::uint64_t{16}, std::uint64_t{70});
  exit(region_wait);
  enter(region_comm_dup);
  s_.write("comm_create", OTF2_EvtWriter_CommCreate, comm(comm_dup));
  exit(region_comm_dup);
  enter(region_comm_dup);
  s_.write("comm_destroy", OTF2_EvtWriter_CommDestroy, comm(comm_dup));
  exit(region_comm_dup);
}

void Recorder::one_sided() {
  const std::uint32_t other = 1 - rank_;
  const OTF2_RmaWinRef w = win(win_mpi);
  const OTF2_LockType exclusive = OTF2_LOCK_EXCLUSIVE, shared = OTF2_LOCK_SHARED;
  const OTF2_RmaSyncLevel full = OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY;
  const std::uint64_t lock = 0, bytes = 512;
  enter(region_win);
  s_.write("rma_win_create", OTF2_EvtWriter_RmaWinCreate, w);
  s_.write("rma_collective_begin", OTF2_EvtWriter_RmaCollectiveBegin);
  s_.write("rma_collective_end", OTF2_EvtWriter_RmaCollectiveEnd, OTF2_CollectiveOp{OTF2_COLLECTIVE_OP_BARRIER}, full,
           w, std::uint32_t{OTF2_COLLECTIVE_ROOT_NONE}, std::uint64_t{0}, std::uint64_t{0});
  s_.write("rma_group_sync", OTF2_EvtWriter_RmaGroupSync, full, w,
           OTF2_GroupRef{ids_(OTF2_MAPPING_GROUP, group_world)});
  s_.write("rma_request_lock", OTF2_EvtWriter_RmaRequestLock, w, other, lock, exclusive);
  s_.write("rma_acquire_lock", OTF2_EvtWriter_RmaAcquireLock, w, other, lock, exclusive);
  s_.write("rma_put", OTF2_EvtWriter_RmaPut, w, other, bytes, std::uint64_t{80});
  s_.write("rma_op_complete_blocking", OTF2_EvtWriter_RmaOpCompleteBlocking, w, std::uint64_t{80});
  s_.write("rma_get", OTF2_EvtWriter_RmaGet, w, other, bytes, std::uint64_t{81});
  s_.write("rma_op_test", OTF2_EvtWriter_RmaOpTest, w, std::uint64_t{81});
  s_.write("rma_op_complete_nonblocking", OTF2_EvtWriter_RmaOpCompleteNonBlocking, w, std::uint64_t{81});
  s_.write("rma_atomic", OTF2_EvtWriter_RmaAtomic, w, other, OTF2_RmaAtomicType{OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP},
           std::uint64_t{16}, std::uint64_t{8}, std::uint64_t{82});
  s_.write("rma_op_complete_remote", OTF2_EvtWriter_RmaOpCompleteRemote, w, std::uint64_t{82});
  s_.write("rma_release_lock", OTF2_EvtWriter_RmaReleaseLock, w, other, lock);
  s_.write("rma_try_lock", OTF2_EvtWriter_RmaTryLock, w, other, lock, shared);
  s_.write("rma_sync", OTF2_EvtWriter_RmaSync, w, other, OTF2_RmaSyncType{OTF2_RMA_SYNC_TYPE_NOTIFY_IN});
  s_.write("rma_wait_change", OTF2_EvtWriter_RmaWaitChange, w);
  s_.write("rma_win_destroy", OTF2_EvtWriter_RmaWinDestroy, w);
  exit(region_win);
}

void Recorder::threads() {
  const OTF2_Paradigm openmp = OTF2_PARADIGM_OPENMP;
  s_.write("thread_fork", OTF2_EvtWriter_ThreadFork, openmp, 2u);
  enter(region_parallel);
  s_.write("thread_team_begin", OTF2_EvtWriter_ThreadTeamBegin, comm(comm_team));
  s_.write("thread_acquire_lock", OTF2_EvtWriter_ThreadAcquireLock, openmp, 3u, 1u);
  s_.write("thread_release_lock", OTF2_EvtWriter_ThreadReleaseLock, openmp, 3u, 1u);
  s_.write("thread_task_create", OTF2_EvtWriter_ThreadTaskCreate, comm(comm_team), 0u, 1u);
  s_.write("thread_task_switch", OTF2_EvtWriter_ThreadTaskSwitch, comm(comm_team), 0u, 1u);
  enter(region_task);
  exit(region_task);
  s_.write("thread_task_complete", OTF2_EvtWriter_ThreadTaskComplete, comm(comm_team), 0u, 1u);
  s_.write("thread_team_end", OTF2_EvtWriter_ThreadTeamEnd, comm(comm_team));
  exit(region_parallel);
  s_.write("thread_join", OTF2_EvtWriter_ThreadJoin, openmp);
  enter(region_pthread);
  s_.write("thread_create", OTF2_EvtWriter_ThreadCreate, comm(comm_contingent), std::uint64_t{1});
  s_.write("thread_wait", OTF2_EvtWriter_ThreadWait, comm(comm_contingent), std::uint64_t{1});
  exit(region_pthread);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old traces hold these records, readers must know them
  s_.write("omp_fork", OTF2_EvtWriter_OmpFork, 2u);
  s_.write("omp_acquire_lock", OTF2_EvtWriter_OmpAcquireLock, 4u, 1u);
  s_.write("omp_release_lock", OTF2_EvtWriter_OmpReleaseLock, 4u, 1u);
  s_.write("omp_task_create", OTF2_EvtWriter_OmpTaskCreate, std::uint64_t{9});
  s_.write("omp_task_switch", OTF2_EvtWriter_OmpTaskSwitch, std::uint64_t{9});
  s_.write("omp_task_complete", OTF2_EvtWriter_OmpTaskComplete, std::uint64_t{9});
  s_.write("omp_join", OTF2_EvtWriter_OmpJoin);
#pragma GCC diagnostic pop
}

void Recorder::metrics_and_parameters() {
  static constexpr OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
  OTF2_MetricValue values[3];
  values[0].unsigned_int = 18'000'000'000'000'000'000ull;
  values[1].signed_int = -5;
  values[2].floating_point = 95.5;
  s_.write("metric", OTF2_EvtWriter_Metric, OTF2_MetricRef{ids_(OTF2_MAPPING_METRIC, metric_counters)}, std::uint8_t{3},
           types, values);
  s_.write("parameter_string", OTF2_EvtWriter_ParameterString, parameter(parameter_string), string(strings_.value));
  s_.write("parameter_int", OTF2_EvtWriter_ParameterInt, parameter(parameter_int), std::int64_t{-17});
  s_.write("parameter_uint", OTF2_EvtWriter_ParameterUnsignedInt, parameter(parameter_uint), std::uint64_t{17});
  const std::uint64_t until = s_.now() + 15;  // the flush begins ten ticks later and takes five
  s_.write("buffer_flush", OTF2_EvtWriter_BufferFlush, until);
  s_.write("measurement_on_off", OTF2_EvtWriter_MeasurementOnOff, OTF2_MeasurementMode{OTF2_MEASUREMENT_OFF});
  s_.write("measurement_on_off", OTF2_EvtWriter_MeasurementOnOff, OTF2_MeasurementMode{OTF2_MEASUREMENT_ON});
}

void Recorder::input_output() {
  const OTF2_IoHandleRef data = handle(handle_data), copy = handle(handle_duplicate);
  const OTF2_LockType shared = OTF2_LOCK_SHARED, exclusive = OTF2_LOCK_EXCLUSIVE;
  const OTF2_IoStatusFlag append = OTF2_IO_STATUS_FLAG_APPEND;
  enter(region_read);
  s_.write("io_create_handle", OTF2_EvtWriter_IoCreateHandle, data, OTF2_IoAccessMode{OTF2_IO_ACCESS_MODE_READ_WRITE},
           OTF2_IoCreationFlag{OTF2_IO_CREATION_FLAG_CREATE | OTF2_IO_CREATION_FLAG_TRUNCATE}, append);
  s_.write("io_duplicate_handle", OTF2_EvtWriter_IoDuplicateHandle, data, copy,
           OTF2_IoStatusFlag{OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC});
  s_.write("io_seek", OTF2_EvtWriter_IoSeek, copy, std::int64_t{-8}, OTF2_IoSeekOption{OTF2_IO_SEEK_FROM_END},
           std::uint64_t{4088});
  s_.write("io_change_status_flags", OTF2_EvtWriter_IoChangeStatusFlags, copy,
           OTF2_IoStatusFlag{OTF2_IO_STATUS_FLAG_SYNC});
  const auto begin = [&](OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags, std::uint64_t match) {
    s_.write("io_operation_begin", OTF2_EvtWriter_IoOperationBegin, data, mode, flags, std::uint64_t{4096}, match);
  };
  begin(OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 90);
  s_.write("io_operation_issued", OTF2_EvtWriter_IoOperationIssued, data, std::uint64_t{90});
  s_.write("io_operation_test", OTF2_EvtWriter_IoOperationTest, data, std::uint64_t{90});
  s_.write("io_operation_complete", OTF2_EvtWriter_IoOperationComplete, data, std::uint64_t{4000}, std::uint64_t{90});
  begin(OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NON_BLOCKING | OTF2_IO_OPERATION_FLAG_COLLECTIVE, 91);
  s_.write("io_operation_cancelled", OTF2_EvtWriter_IoOperationCancelled, data, std::uint64_t{91});
  s_.write("io_acquire_lock", OTF2_EvtWriter_IoAcquireLock, data, exclusive);
  s_.write("io_release_lock", OTF2_EvtWriter_IoReleaseLock, data, exclusive);
  s_.write("io_try_lock", OTF2_EvtWriter_IoTryLock, data, shared);
  s_.write("io_destroy_handle", OTF2_EvtWriter_IoDestroyHandle, copy);
  s_.write("io_delete_file", OTF2_EvtWriter_IoDeleteFile, OTF2_IoParadigmRef{io_posix},
           OTF2_IoFileRef{ids_(OTF2_MAPPING_IO_FILE, file_data)});
  exit(region_read);
}

void Recorder::program() {
  const OTF2_StringRef arguments[] = {string(strings_.argument), string(strings_.value)};
  s_.write("program_begin", OTF2_EvtWriter_ProgramBegin, string(strings_.program), 2u, &arguments[0]);
  list_every_attribute();
  enter(region_main);
  enter(region_init);
  exit(region_init);
  messages();
  requests();
  collectives();
  one_sided();
  if (rank_ == 0) threads();
  metrics_and_parameters();
  input_output();
  enter(region_finalize);
  exit(region_finalize);
  exit(region_main);
  s_.write("program_end", OTF2_EvtWriter_ProgramEnd, std::int64_t{-3});
}

void Recorder::worker_thread() {
  const auto context = [&](Context c) { return OTF2_CallingContextRef{ids_(OTF2_MAPPING_CALLING_CONTEXT, c)}; };
  if (rank_ == 0) {
    s_.write("thread_team_begin", OTF2_EvtWriter_ThreadTeamBegin, comm(comm_team));
    enter(region_parallel);
    exit(region_parallel);
    s_.write("thread_team_end", OTF2_EvtWriter_ThreadTeamEnd, comm(comm_team));
    s_.write("thread_begin", OTF2_EvtWriter_ThreadBegin, comm(comm_contingent), std::uint64_t{1});
    s_.write("thread_end", OTF2_EvtWriter_ThreadEnd, comm(comm_contingent), std::uint64_t{1});
  }
  s_.write("calling_context_enter", OTF2_EvtWriter_CallingContextEnter, context(context_main), 1u);
  s_.write("calling_context_sample", OTF2_EvtWriter_CallingContextSample, context(context_sampled), 2u,
           OTF2_InterruptGeneratorRef{ids_(OTF2_MAPPING_INTERRUPT_GENERATOR, generator_time)});
  s_.write("calling_context_exit", OTF2_EvtWriter_CallingContextLeave, context(context_main));
}

void Recorder::device_stream() {
  enter(region_kernel);
  exit(region_kernel);
  s_.write("rma_put", OTF2_EvtWriter_RmaPut, win(win_cuda), 0u, std::uint64_t{65536}, std::uint64_t{1});
  s_.write("rma_op_complete_blocking", OTF2_EvtWriter_RmaOpCompleteBlocking, win(win_cuda), std::uint64_t{1});
}

void Recorder::power_meter() {
  static constexpr OTF2_Type types[] = {OTF2_TYPE_DOUBLE};
  for (int i = 0; i < 3; ++i) {
    OTF2_MetricValue value;
    value.floating_point = 100.25 + i;
    s_.write("metric", OTF2_EvtWriter_Metric, OTF2_MetricRef{ids_(OTF2_MAPPING_METRIC, metric_power_instance)},
             std::uint8_t{1}, types, &value);
  }
}

}  // namespace

void record_everything(Archive& archive, const EventStrings& strings, const LocalIds::Sizes& sizes) {
  const auto recorder = [&](OTF2_LocationRef location, std::uint32_t rank, Mapping mapping, std::uint64_t start) {
    return Recorder(archive, location, rank, LocalIds(mapping, sizes), strings, start);
  };
  recorder(rank0, 0, Mapping::dense, 1000).program();
  recorder(rank0_thread, 0, Mapping::sparse, 3400).worker_thread();
  recorder(rank1, 1, Mapping::none, 1005).program();
  recorder(rank1_thread, 1, Mapping::none, 3500).worker_thread();
  recorder(stream_location, 0, Mapping::dense, 4000).device_stream();
  recorder(metric_location, 0, Mapping::none, 1000).power_meter();
  archive.clock_offset(rank0, 1000, 0);
  archive.clock_offset(rank0, 9000, 0);
  archive.clock_offset(rank1, 1000, 2);  // linear in between
  archive.clock_offset(rank1, 9000, 10);
  archive.clock_offset(rank1_thread, 1000, -300);
}

void write_markers(OTF2_Archive* archive) {
  OTF2_MarkerWriter* out = OTF2_Archive_GetMarkerWriter(archive);
  if (!out) throw std::runtime_error("cannot create the marker file");
  check(OTF2_MarkerWriter_WriteDefMarker(out, 0, "phases", "begin", OTF2_SEVERITY_LOW), "a marker");
  check(OTF2_MarkerWriter_WriteDefMarker(out, 1, "trouble", "imbalance", OTF2_SEVERITY_HIGH), "a marker");
  const auto marker = [&](std::uint64_t time, std::uint64_t duration, OTF2_MarkerRef ref, OTF2_MarkerScope scope,
                          std::uint64_t of, const char* text) {
    check(OTF2_MarkerWriter_WriteMarker(out, time, duration, ref, scope, of, text), "a marker");
  };
  marker(1000, 0, 0, OTF2_MARKER_SCOPE_GLOBAL, 0, "start");
  marker(1500, 100, 1, OTF2_MARKER_SCOPE_LOCATION, rank1, "late");
  marker(1600, 100, 1, OTF2_MARKER_SCOPE_LOCATION_GROUP, process0, "busy");
  marker(1700, 100, 1, OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE, 1, "hot");
  marker(1800, 100, 1, OTF2_MARKER_SCOPE_GROUP, group_world, "everyone");
  marker(1900, 100, 1, OTF2_MARKER_SCOPE_COMM, comm_world, "slow");
  check(OTF2_Archive_CloseMarkerWriter(archive, out), "the marker file");
}

}  // namespace all_events
