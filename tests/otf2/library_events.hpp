// The events of an archive as the OTF2 library delivers them, in the numbers of our definitions: the reference for our
// own decoder.
//
// It shares only the tables of definitions with our decoder: the library reads local definitions, maps numbers,
// corrects times. It trusts its files, so only valid archives may be given to it.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "otf2/file_check.hpp"
#include "otf2/library.hpp"
#include "otf2/trace_copy.hpp"
#include "support/otf2_records.hpp"

namespace waitstate::otf2::test {

/// Our name of each OTF2 event.
inline constexpr std::pair<const char*, EventType> library_names[] = {
    {"BufferFlush", EventType::buffer_flush},
    {"CallingContextEnter", EventType::calling_context_enter},
    {"CallingContextLeave", EventType::calling_context_exit},
    {"CallingContextSample", EventType::calling_context_sample},
    {"CommCreate", EventType::comm_create},
    {"CommDestroy", EventType::comm_destroy},
    {"Enter", EventType::enter},
    {"IoAcquireLock", EventType::io_acquire_lock},
    {"IoChangeStatusFlags", EventType::io_change_status_flags},
    {"IoCreateHandle", EventType::io_create_handle},
    {"IoDeleteFile", EventType::io_delete_file},
    {"IoDestroyHandle", EventType::io_destroy_handle},
    {"IoDuplicateHandle", EventType::io_duplicate_handle},
    {"IoOperationBegin", EventType::io_operation_begin},
    {"IoOperationCancelled", EventType::io_operation_cancelled},
    {"IoOperationComplete", EventType::io_operation_complete},
    {"IoOperationIssued", EventType::io_operation_issued},
    {"IoOperationTest", EventType::io_operation_test},
    {"IoReleaseLock", EventType::io_release_lock},
    {"IoSeek", EventType::io_seek},
    {"IoTryLock", EventType::io_try_lock},
    {"Leave", EventType::exit},
    {"MeasurementOnOff", EventType::measurement_on_off},
    {"Metric", EventType::metric},
    {"MpiCollectiveBegin", EventType::collective_begin},
    {"MpiCollectiveEnd", EventType::collective_end},
    {"MpiIrecv", EventType::irecv},
    {"MpiIrecvRequest", EventType::irecv_request},
    {"MpiIsend", EventType::isend},
    {"MpiIsendComplete", EventType::isend_complete},
    {"MpiRecv", EventType::recv},
    {"MpiRequestCancelled", EventType::request_cancelled},
    {"MpiRequestTest", EventType::request_test},
    {"MpiSend", EventType::send},
    {"NonBlockingCollectiveComplete", EventType::nonblocking_collective_complete},
    {"NonBlockingCollectiveRequest", EventType::nonblocking_collective_request},
    {"OmpAcquireLock", EventType::omp_acquire_lock},
    {"OmpFork", EventType::omp_fork},
    {"OmpJoin", EventType::omp_join},
    {"OmpReleaseLock", EventType::omp_release_lock},
    {"OmpTaskComplete", EventType::omp_task_complete},
    {"OmpTaskCreate", EventType::omp_task_create},
    {"OmpTaskSwitch", EventType::omp_task_switch},
    {"ParameterInt", EventType::parameter_int},
    {"ParameterString", EventType::parameter_string},
    {"ParameterUnsignedInt", EventType::parameter_uint},
    {"ProgramBegin", EventType::program_begin},
    {"ProgramEnd", EventType::program_end},
    {"RmaAcquireLock", EventType::rma_acquire_lock},
    {"RmaAtomic", EventType::rma_atomic},
    {"RmaCollectiveBegin", EventType::rma_collective_begin},
    {"RmaCollectiveEnd", EventType::rma_collective_end},
    {"RmaGet", EventType::rma_get},
    {"RmaGroupSync", EventType::rma_group_sync},
    {"RmaOpCompleteBlocking", EventType::rma_op_complete_blocking},
    {"RmaOpCompleteNonBlocking", EventType::rma_op_complete_nonblocking},
    {"RmaOpCompleteRemote", EventType::rma_op_complete_remote},
    {"RmaOpTest", EventType::rma_op_test},
    {"RmaPut", EventType::rma_put},
    {"RmaReleaseLock", EventType::rma_release_lock},
    {"RmaRequestLock", EventType::rma_request_lock},
    {"RmaSync", EventType::rma_sync},
    {"RmaTryLock", EventType::rma_try_lock},
    {"RmaWaitChange", EventType::rma_wait_change},
    {"RmaWinCreate", EventType::rma_win_create},
    {"RmaWinDestroy", EventType::rma_win_destroy},
    {"ThreadAcquireLock", EventType::thread_acquire_lock},
    {"ThreadBegin", EventType::thread_begin},
    {"ThreadCreate", EventType::thread_create},
    {"ThreadEnd", EventType::thread_end},
    {"ThreadFork", EventType::thread_fork},
    {"ThreadJoin", EventType::thread_join},
    {"ThreadReleaseLock", EventType::thread_release_lock},
    {"ThreadTaskComplete", EventType::thread_task_complete},
    {"ThreadTaskCreate", EventType::thread_task_create},
    {"ThreadTaskSwitch", EventType::thread_task_switch},
    {"ThreadTeamBegin", EventType::thread_team_begin},
    {"ThreadTeamEnd", EventType::thread_team_end},
    {"ThreadWait", EventType::thread_wait},
};
consteval EventType named(std::string_view name) {
  for (const auto& [theirs, ours] : library_names)
    if (name == theirs) return ours;
  throw "an event without a name of ours";
}

/// All events of an archive, by location, and how many numbers in them lead nowhere.
class LibraryEvents {
 public:
  explicit LibraryEvents(const Archive& archive) : archive_(archive), sinks(archive.definitions().locations.size()) {
    const LibraryReader library(archive.anchor().path);
    OTF2_Reader* const reader = library.get();
    for (const Location& l : archive.definitions().locations) OTF2_Reader_SelectLocation(reader, l.ref);
    OTF2_Reader_OpenDefFiles(reader);
    OTF2_Reader_OpenEvtFiles(reader);
    OTF2_EvtReaderCallbacks* const callbacks = OTF2_EvtReaderCallbacks_New();
#define SET(Name) OTF2_EvtReaderCallbacks_Set##Name##Callback(callbacks, &LibraryEvents::event<named(#Name)>);
    OTF2_EVENTS(SET)
#undef SET
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, &LibraryEvents::event<EventType::unknown>);
    for (std::size_t i = 0; i < sinks.size(); ++i) {
      loc_ = LocationId{i};
      const std::uint64_t ref = archive.definitions()[loc_].ref;
      std::uint64_t got = 0;
      if (OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader, ref)) {
        // A record that it refuses does not keep it from the next.
        const std::uint64_t records = check_file(archive.local_definition_file(loc_),
                                                 archive.anchor().definition_chunk_size, FileKind::local_definitions)
                                          .records;
        for (std::uint64_t done = 0; done < records; done += got + 1)
          if (OTF2_Reader_ReadLocalDefinitions(reader, local, records - done, &got) == OTF2_SUCCESS) break;
        OTF2_Reader_CloseDefReader(reader, local);
      }
      OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, ref);
      if (events == nullptr) continue;  // no file
      OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, this);
      if (OTF2_Reader_ReadAllLocalEvents(reader, events, &got) != OTF2_SUCCESS)
        complaints.push_back(std::to_string(ref) + ": " + last_library_message());
      OTF2_Reader_CloseEvtReader(reader, events);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    last_library_message();
  }

 private:
  const Archive& archive_;
  LocationId loc_;

 public:
  std::vector<Sink> sinks;
  std::uint64_t undefined = 0, unknown_peers = 0;
  std::vector<std::string> complaints;

 private:
  template <EventType type, class... Parameters>
  requires(type != EventType::metric && type != EventType::program_begin) static OTF2_CallbackCode
      event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList* list,
            Parameters... parameters) {
    auto& self = *static_cast<LibraryEvents*>(user);
    self.list(list);
    self.add(type, time, {static_cast<std::uint64_t>(parameters)...}, {});
    return OTF2_CALLBACK_SUCCESS;
  }
  template <EventType type>
  requires(type == EventType::metric) static OTF2_CallbackCode
      event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList* list,
            OTF2_MetricRef metric, std::uint8_t n, const OTF2_Type* types, const OTF2_MetricValue* values) {
    auto& self = *static_cast<LibraryEvents*>(user);
    self.list(list);
    std::vector<Value> tail;
    for (unsigned i = 0; i < n; ++i) tail.push_back({static_cast<ValueType>(types[i]), values[i].unsigned_int});
    self.add(type, time, {metric}, tail);
    return OTF2_CALLBACK_SUCCESS;
  }
  template <EventType type>
  requires(type == EventType::program_begin) static OTF2_CallbackCode
      event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, OTF2_AttributeList* list,
            OTF2_StringRef program, std::uint32_t n, const OTF2_StringRef* arguments) {
    auto& self = *static_cast<LibraryEvents*>(user);
    self.list(list);
    std::vector<Value> tail;
    for (std::uint32_t i = 0; i < n; ++i)
      tail.push_back({ValueType::string, self.resolve(RefKind::string, arguments[i])});
    self.add(type, time, {program}, tail);
    return OTF2_CALLBACK_SUCCESS;
  }

  void add(EventType type, Time time, std::vector<std::uint64_t> a, const std::vector<Value>& tail) {
    if (type == EventType::send || type == EventType::isend || type == EventType::recv || type == EventType::irecv)
      std::swap(a[1], a[2]);  // OTF2: peer, communicator, tag, …
    const auto attributes = spec(type).attributes();
    ASSERT_EQ(a.size(), attributes.size()) << name(type);
    std::uint64_t* rank = nullptr;
    bool root = false;
    CommId comm;
    for (std::size_t i = 0; i < a.size(); ++i) {
      using A = AttributeKind;
      static const std::map<A, RefKind> kinds{{A::region, RefKind::region},
                                              {A::comm, RefKind::comm},
                                              {A::group, RefKind::group},
                                              {A::rma_win, RefKind::rma_win},
                                              {A::string, RefKind::string},
                                              {A::parameter, RefKind::parameter},
                                              {A::metric, RefKind::metric},
                                              {A::calling_context, RefKind::calling_context},
                                              {A::interrupt_generator, RefKind::interrupt_generator},
                                              {A::io_handle, RefKind::io_handle},
                                              {A::io_file, RefKind::io_file},
                                              {A::io_paradigm, RefKind::io_paradigm}};
      const A kind = attributes[i].kind;
      if (const auto found = kinds.find(kind); found != kinds.end()) a[i] = resolve(found->second, a[i]);
      if (kind == A::comm) comm = CommId{a[i]};
      if (kind == A::rma_win && RmaWinId{a[i]}.valid()) comm = archive_.definitions()[RmaWinId{a[i]}].comm;
      if (kind != A::location && kind != A::root) continue;
      rank = &a[i];
      root = kind == A::root;
    }
    if (rank != nullptr) {
      const bool message = attributes[0].kind == AttributeKind::location;
      if (*rank == OTF2_UNDEFINED_UINT32) {
        *rank = LocationId::none_value;
      } else if (root && *rank == OTF2_COLLECTIVE_ROOT_SELF) {
        *rank = loc_.value;
      } else if (!root || *rank != OTF2_COLLECTIVE_ROOT_THIS_GROUP) {
        const LocationId found = archive_.definitions().locate(comm, static_cast<std::uint32_t>(*rank), loc_);
        unknown_peers += !found.valid() && !message;
        *rank = found.value;
      }
    }
    sinks[loc_.index()].add(type, time, std::move(a), tail);
  }

  void list(const OTF2_AttributeList* list) {
    auto& pending = sinks[loc_.index()].pending;
    for (std::uint32_t i = 0; i < OTF2_AttributeList_GetNumberOfElements(list); ++i) {
      OTF2_AttributeRef attribute{};
      OTF2_Type type{};
      OTF2_AttributeValue value{};
      OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value);
      Value v = recorded_value(type, value);
      if (const auto kind = referred_kind(v.type)) v.bits = resolve(*kind, v.bits);
      pending.push_back({AttributeId{resolve(RefKind::attribute, attribute)}, v});
    }
  }

  std::uint32_t resolve(RefKind kind, std::uint64_t ref) {
    if (is_undefined(kind, ref) || (kind == RefKind::io_paradigm && ref == OTF2_UNDEFINED_IO_PARADIGM))
      return RefTable::none;
    const std::uint32_t id = archive_.references()[kind].find(ref);
    undefined += id == RefTable::none;
    return id;
  }
};

}  // namespace waitstate::otf2::test
