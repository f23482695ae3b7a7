#include "otf2/event_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "otf2/file_check.hpp"

namespace waitstate::otf2 {

namespace {

constexpr std::size_t no_attribute = 6;

// How the library's callback parameters become our attributes: derived from the table of event types.
struct Layout {
  std::array<std::uint8_t, 6> place{0, 1, 2, 3, 4, 5};   // of the parameters in the order of the callback
  std::uint8_t rank = no_attribute;                      // attribute that is a rank or root, …
  std::uint8_t comm = no_attribute, win = no_attribute;  // … of this communicator, or of this window's
};

constexpr Layout layout_of(EventType type) {
  Layout layout;
  if (type == EventType::send || type == EventType::isend || type == EventType::recv || type == EventType::irecv) {
    layout.place[1] = 2;  // OTF2: peer, communicator, tag, …
    layout.place[2] = 1;
  }
  for (std::uint8_t i = 0; i < spec(type).attribute_count; ++i) {
    const AttributeKind kind = spec(type).attribute_table[i].kind;
    if (kind == AttributeKind::location || kind == AttributeKind::root) layout.rank = i;
    if (kind == AttributeKind::comm) layout.comm = i;
    if (kind == AttributeKind::rma_win) layout.win = i;
  }
  return layout;
}

// The table of definitions that an attribute refers to; ref_kinds if it is no reference.
constexpr std::size_t ref_kind_of(AttributeKind kind) {
  using A = AttributeKind;
  switch (kind) {
    case A::region:
      return static_cast<std::size_t>(RefKind::region);
    case A::comm:
      return static_cast<std::size_t>(RefKind::comm);
    case A::group:
      return static_cast<std::size_t>(RefKind::group);
    case A::rma_win:
      return static_cast<std::size_t>(RefKind::rma_win);
    case A::string:
      return static_cast<std::size_t>(RefKind::string);
    case A::parameter:
      return static_cast<std::size_t>(RefKind::parameter);
    case A::metric:
      return static_cast<std::size_t>(RefKind::metric);
    case A::calling_context:
      return static_cast<std::size_t>(RefKind::calling_context);
    case A::interrupt_generator:
      return static_cast<std::size_t>(RefKind::interrupt_generator);
    case A::io_handle:
      return static_cast<std::size_t>(RefKind::io_handle);
    case A::io_file:
      return static_cast<std::size_t>(RefKind::io_file);
    case A::io_paradigm:
      return static_cast<std::size_t>(RefKind::io_paradigm);
    default:
      return ref_kinds;
  }
}

}  // namespace

/// The callbacks for everything but enter and leave.
struct EventCallbacks {
  using Location = EventDecoder::Location;

  // Brings the parameters of a callback into the order and the numbers of the table of event types.
  template <EventType type, std::size_t n>
  static void translate(Location& l, const std::uint64_t (&raw)[n], std::uint64_t (&a)[6]) {
    constexpr Layout layout = layout_of(type);
    constexpr EventTypeSpec s = spec(type);
    static_assert(n == std::max<std::size_t>(s.attribute_count, 1));
    for (std::size_t i = 0; i < s.attribute_count; ++i) {
      const std::size_t at = layout.place[i];
      const std::size_t kind = ref_kind_of(s.attribute_table[at].kind);
      a[at] = kind == ref_kinds ? raw[i] : l.decoder->resolve(l, static_cast<RefKind>(kind), raw[i]);
    }
    if constexpr (layout.rank != no_attribute) {
      CommId comm;
      if constexpr (layout.comm != no_attribute) {
        comm = CommId{a[layout.comm]};
      } else {
        const RmaWinId win{a[layout.win]};
        if (win.valid()) comm = l.decoder->archive_.definitions()[win].comm;
      }
      constexpr bool root = s.attribute_table[layout.rank].kind == AttributeKind::root;
      // Partners of messages that cannot be found are counted where messages are.
      constexpr bool message = s.name == "send" || s.name == "isend" || s.name == "recv" || s.name == "irecv";
      a[layout.rank] = l.decoder->locate(l, comm, a[layout.rank], root, !message);
    }
  }

  template <class F>
  static OTF2_CallbackCode guarded(void* user, Time time, OTF2_AttributeList* list, F&& f) {
    Location& l = *static_cast<Location*>(user);
    try {
      if (l.decoder->keep_lists_) l.decoder->list(l, list);
      l.last_time = time;
      f(l);
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      l.decoder->fail();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }

  template <EventType type, class... Parameters>
  static OTF2_CallbackCode event(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                 OTF2_AttributeList* list, Parameters... parameters) {
    return guarded(user, time, list, [&](Location& l) {
      const std::uint64_t raw[std::max<std::size_t>(sizeof...(parameters), 1)] = {
          static_cast<std::uint64_t>(parameters)...};
      std::uint64_t attributes[6];
      translate<type>(l, raw, attributes);
      l.decoder->deliver_(l.sink, type, time, attributes, {});
    });
  }

  static OTF2_CallbackCode unknown(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                   OTF2_AttributeList* list) {
    return guarded(user, time, list, [&](Location& l) {
      ++l.unknown;
      l.decoder->deliver_(l.sink, EventType::unknown, time, nullptr, {});
    });
  }

  static OTF2_CallbackCode metric(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                  OTF2_AttributeList* list, OTF2_MetricRef metric, std::uint8_t n,
                                  const OTF2_Type* types, const OTF2_MetricValue* values) {
    return guarded(user, time, list, [&](Location& l) {
      const std::uint64_t raw[] = {metric};
      std::uint64_t attributes[6];
      translate<EventType::metric>(l, raw, attributes);
      auto& tail = l.decoder->tail_;
      tail.clear();
      for (unsigned i = 0; i < n; ++i) tail.push_back({static_cast<ValueType>(types[i]), values[i].unsigned_int});
      l.decoder->deliver_(l.sink, EventType::metric, time, attributes, tail);
    });
  }

  static OTF2_CallbackCode program_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                         OTF2_AttributeList* list, OTF2_StringRef program, std::uint32_t n,
                                         const OTF2_StringRef* arguments) {
    return guarded(user, time, list, [&](Location& l) {
      const std::uint64_t raw[] = {program};
      std::uint64_t attributes[6];
      translate<EventType::program_begin>(l, raw, attributes);
      auto& tail = l.decoder->tail_;
      tail.clear();
      for (std::uint32_t i = 0; i < n; ++i)
        tail.push_back({ValueType::string, l.decoder->resolve(l, RefKind::string, arguments[i])});
      l.decoder->deliver_(l.sink, EventType::program_begin, time, attributes, tail);
    });
  }

  static void set(OTF2_EvtReaderCallbacks* c) {
#define SET(Name, type) OTF2_EvtReaderCallbacks_Set##Name##Callback(c, &event<EventType::type>)
    SET(BufferFlush, buffer_flush);
    SET(MeasurementOnOff, measurement_on_off);
    SET(MpiSend, send);
    SET(MpiIsend, isend);
    SET(MpiIsendComplete, isend_complete);
    SET(MpiIrecvRequest, irecv_request);
    SET(MpiRecv, recv);
    SET(MpiIrecv, irecv);
    SET(MpiRequestTest, request_test);
    SET(MpiRequestCancelled, request_cancelled);
    SET(MpiCollectiveBegin, collective_begin);
    SET(MpiCollectiveEnd, collective_end);
    SET(OmpFork, omp_fork);
    SET(OmpJoin, omp_join);
    SET(OmpAcquireLock, omp_acquire_lock);
    SET(OmpReleaseLock, omp_release_lock);
    SET(OmpTaskCreate, omp_task_create);
    SET(OmpTaskSwitch, omp_task_switch);
    SET(OmpTaskComplete, omp_task_complete);
    SET(ParameterString, parameter_string);
    SET(ParameterInt, parameter_int);
    SET(ParameterUnsignedInt, parameter_uint);
    SET(RmaWinCreate, rma_win_create);
    SET(RmaWinDestroy, rma_win_destroy);
    SET(RmaCollectiveBegin, rma_collective_begin);
    SET(RmaCollectiveEnd, rma_collective_end);
    SET(RmaGroupSync, rma_group_sync);
    SET(RmaRequestLock, rma_request_lock);
    SET(RmaAcquireLock, rma_acquire_lock);
    SET(RmaTryLock, rma_try_lock);
    SET(RmaReleaseLock, rma_release_lock);
    SET(RmaSync, rma_sync);
    SET(RmaWaitChange, rma_wait_change);
    SET(RmaPut, rma_put);
    SET(RmaGet, rma_get);
    SET(RmaAtomic, rma_atomic);
    SET(RmaOpCompleteBlocking, rma_op_complete_blocking);
    SET(RmaOpCompleteNonBlocking, rma_op_complete_nonblocking);
    SET(RmaOpTest, rma_op_test);
    SET(RmaOpCompleteRemote, rma_op_complete_remote);
    SET(ThreadFork, thread_fork);
    SET(ThreadJoin, thread_join);
    SET(ThreadTeamBegin, thread_team_begin);
    SET(ThreadTeamEnd, thread_team_end);
    SET(ThreadAcquireLock, thread_acquire_lock);
    SET(ThreadReleaseLock, thread_release_lock);
    SET(ThreadTaskCreate, thread_task_create);
    SET(ThreadTaskSwitch, thread_task_switch);
    SET(ThreadTaskComplete, thread_task_complete);
    SET(ThreadCreate, thread_create);
    SET(ThreadBegin, thread_begin);
    SET(ThreadWait, thread_wait);
    SET(ThreadEnd, thread_end);
    SET(CallingContextEnter, calling_context_enter);
    SET(CallingContextLeave, calling_context_exit);
    SET(CallingContextSample, calling_context_sample);
    SET(IoCreateHandle, io_create_handle);
    SET(IoDestroyHandle, io_destroy_handle);
    SET(IoDuplicateHandle, io_duplicate_handle);
    SET(IoSeek, io_seek);
    SET(IoChangeStatusFlags, io_change_status_flags);
    SET(IoDeleteFile, io_delete_file);
    SET(IoOperationBegin, io_operation_begin);
    SET(IoOperationTest, io_operation_test);
    SET(IoOperationIssued, io_operation_issued);
    SET(IoOperationComplete, io_operation_complete);
    SET(IoOperationCancelled, io_operation_cancelled);
    SET(IoAcquireLock, io_acquire_lock);
    SET(IoReleaseLock, io_release_lock);
    SET(IoTryLock, io_try_lock);
    SET(ProgramEnd, program_end);
    SET(NonBlockingCollectiveRequest, nonblocking_collective_request);
    SET(NonBlockingCollectiveComplete, nonblocking_collective_complete);
    SET(CommCreate, comm_create);
    SET(CommDestroy, comm_destroy);
#undef SET
    OTF2_EvtReaderCallbacks_SetUnknownCallback(c, &unknown);
    OTF2_EvtReaderCallbacks_SetMetricCallback(c, &metric);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, &program_begin);
  }
};

EventDecoder::EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
                           std::size_t max_open, OTF2_EvtReaderCallback_Enter enter, OTF2_EvtReaderCallback_Leave leave,
                           Deliver deliver, DeliverList deliver_list)
    : archive_(archive),
      keep_lists_(keep_attribute_lists),
      max_open_(std::max<std::size_t>(max_open, 1)),
      deliver_(deliver),
      deliver_list_(deliver_list),
      locations_(archive.definitions().locations.size()) {
  for (const LocationId id : locations) {
    if (id.index() >= locations_.size() || locations_[id.index()]) continue;
    auto l = std::make_unique<Location>();
    l->decoder = this;
    l->id = id;
    l->ref = archive.definitions()[id].ref;
    l->regions = &archive.references()[RefKind::region];
    l->check = EventFileCheck(archive.event_file(id), archive.anchor().event_chunk_size);
    locations_[id.index()] = std::move(l);
  }
  library_ = std::make_unique<LibraryReader>(archive.anchor().path);
  OTF2_Reader* const reader = library_->get();
  for (const auto& l : locations_)
    if (l) OTF2_Reader_SelectLocation(reader, l->ref);
  OTF2_Reader_OpenDefFiles(reader);
  OTF2_Reader_OpenEvtFiles(reader);
  callbacks_ = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks_, enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks_, leave);
  EventCallbacks::set(callbacks_);
}

EventDecoder::~EventDecoder() {
  while (!open_.empty()) close(*open_.back());
  OTF2_EvtReaderCallbacks_Delete(callbacks_);
}

bool EventDecoder::at_end(LocationId loc) const {
  const Location* l = find(loc);
  return l == nullptr || l->ended;
}

std::size_t EventDecoder::read_events(LocationId loc, void* sink, std::size_t max_events) {
  Location* const l = find(loc);
  if (l == nullptr || l->ended) return 0;
  l->sink = sink;
  std::size_t n = 0;
  while (n < max_events && !l->ended) {
    if (l->checked == 0) {
      l->checked = l->check.next_chunk(buffer_);
      if (l->checked == 0) {
        end(*l, l->check.damage());
        break;
      }
    }
    if (!open(*l)) {
      end(*l, "the OTF2 library cannot open it: " + last_library_message());
      break;
    }
    std::uint64_t got = 0;
    const std::uint64_t want = std::min<std::uint64_t>(max_events - n, l->checked);
    const OTF2_ErrorCode status = OTF2_Reader_ReadLocalEvents(library_->get(), l->reader, want, &got);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    n += got;
    l->events += got;
    l->checked -= std::min(got, l->checked);
    if (status != OTF2_SUCCESS || got < want)
      end(*l, status != OTF2_SUCCESS ? "the OTF2 library says: " + last_library_message()
                                     : "the OTF2 library finds fewer events than the chunk holds");
  }
  return n;
}

bool EventDecoder::open(Location& l) {
  if (l.reader != nullptr) {
    if (open_.front() != &l) open_.splice(open_.begin(), open_, l.place);
    return true;
  }
  while (open_.size() >= max_open_) close(*open_.back());
  if (!l.started) {
    l.started = true;
    read_local_definitions(l);
  }
  l.reader = OTF2_Reader_GetEvtReader(library_->get(), l.ref);
  if (l.reader == nullptr) return false;
  open_.push_front(&l);
  l.place = open_.begin();
  OTF2_Reader_RegisterEvtCallbacks(library_->get(), l.reader, callbacks_, &l);
  if (l.events == 0 || OTF2_EvtReader_Seek(l.reader, l.events + 1) == OTF2_SUCCESS) return true;
  last_library_message();
  return false;
}

void EventDecoder::close(Location& l) {
  OTF2_Reader_CloseEvtReader(library_->get(), l.reader);
  l.reader = nullptr;
  open_.erase(l.place);
}

// Id maps and clock offsets go from the local definitions into the library, which applies them to the events. A record
// that the library refuses (a second map of one kind) does not keep it from the next one.
void EventDecoder::read_local_definitions(Location& l) {
  const auto path = archive_.local_definition_file(l.id);
  const CheckedFile file = check_file(path, archive_.anchor().definition_chunk_size, FileKind::local_definitions);
  std::string damage = file.damage;
  if (file.open_error == ENOENT && !archive_.has_local_definitions()) return;
  OTF2_DefReader* const reader = file.records == 0 ? nullptr : OTF2_Reader_GetDefReader(library_->get(), l.ref);
  for (std::uint64_t done = 0; reader != nullptr && done < file.records;) {
    std::uint64_t got = 0;
    last_library_message();
    const OTF2_ErrorCode status = OTF2_Reader_ReadLocalDefinitions(library_->get(), reader, file.records - done, &got);
    done += got;
    if (status == OTF2_SUCCESS) break;
    if (damage.empty()) damage = "record " + std::to_string(done) + " is refused: " + last_library_message();
    ++done;
  }
  if (reader != nullptr) OTF2_Reader_CloseDefReader(library_->get(), reader);
  if (!damage.empty())
    diagnostics_.add(DiagnosticId::local_definitions_unreadable, {l.id, ~Time{0}, path.string() + ": " + damage});
}

void EventDecoder::end(Location& l, const std::string& damage) {
  const std::uint64_t announced = archive_.definitions()[l.id].announced_events;
  if (!damage.empty()) {
    const std::string path = archive_.event_file(l.id).string();
    if (l.events != 0)
      diagnostics_.add(DiagnosticId::location_truncated,
                       {l.id, l.last_time, path + ": after " + std::to_string(l.events) + " events: " + damage});
    else if (announced == 0 && l.check.missing())
      diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, "no file, and no events announced"});
    else
      diagnostics_.add(DiagnosticId::location_unreadable, {l.id, ~Time{0}, path + ": " + damage});
  } else if (l.events == 0) {
    diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, ""});
  }
  if (l.events != announced && (damage.empty() || l.events != 0))
    diagnostics_.add(DiagnosticId::event_count_differs,
                     {l.id, ~Time{0}, std::to_string(l.events) + " read, " + std::to_string(announced) + " announced"});
  if (l.undefined != 0)
    diagnostics_.add(DiagnosticId::undefined_reference, {l.id, ~Time{0}, l.first_undefined}, 0, l.undefined);
  if (l.unknown != 0) diagnostics_.add(DiagnosticId::unknown_event, {l.id, ~Time{0}, ""}, 0, l.unknown);
  if (l.reader != nullptr) close(l);
  l.ended = true;
}

std::uint32_t EventDecoder::resolve(Location& l, RefKind kind, std::uint64_t ref) {
  if (is_undefined(kind, ref) || (kind == RefKind::io_paradigm && ref == OTF2_UNDEFINED_IO_PARADIGM))
    return RefTable::none;
  const std::uint32_t id = archive_.references()[kind].find(ref);
  if (id == RefTable::none && l.undefined++ == 0)
    l.first_undefined =
        std::string(kind_name(kind)) + " " + std::to_string(ref) + ", in an event at " + std::to_string(l.last_time);
  return id;
}

RegionId EventDecoder::undefined_region(Location& l, std::uint32_t ref) {
  return RegionId{l.decoder->resolve(l, RefKind::region, ref)};
}

// A rank of a communicator (or a root, which may be one of three special numbers) as a location.
std::uint64_t EventDecoder::locate(Location& l, CommId comm, std::uint64_t rank, bool root, bool count) {
  if (rank == OTF2_UNDEFINED_UINT32) return LocationId::none_value;
  if (root && rank == OTF2_COLLECTIVE_ROOT_SELF) return l.id.value;
  if (root && rank == OTF2_COLLECTIVE_ROOT_THIS_GROUP) return root_this_group;
  const LocationId location = archive_.definitions().locate(comm, static_cast<std::uint32_t>(rank), l.id);
  if (!location.valid() && count)
    diagnostics_.add(DiagnosticId::peer_unknown, {l.id, l.last_time,
                                                  "rank " + std::to_string(rank) + " of communicator " +
                                                      (comm.valid() ? std::to_string(comm.value) : "none")});
  return location.value;
}

void EventDecoder::list(Location& l, OTF2_AttributeList* list) {
  const std::uint32_t n = OTF2_AttributeList_GetNumberOfElements(list);
  if (n == 0) return;
  list_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    OTF2_AttributeRef attribute{};
    OTF2_Type type{};
    OTF2_AttributeValue value{};
    if (OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value) != OTF2_SUCCESS) continue;
    Value v = recorded_value(type, value);
    if (const auto kind = referred_kind(v.type)) v.bits = resolve(l, *kind, v.bits);
    list_.push_back({AttributeId{resolve(l, RefKind::attribute, attribute)}, v});
  }
  deliver_list_(l.sink, list_);
}

}  // namespace waitstate::otf2
