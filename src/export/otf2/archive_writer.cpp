// Long because OTF2 has so many kinds of definitions and events.
#include "export/otf2/archive_writer.hpp"

#include <fmt/format.h>
#include <otf2/OTF2_MarkerWriter.h>
#include <otf2/otf2.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "export/time_scale.hpp"
#include "waitstate/error.hpp"

#ifndef WAITSTATE_VERSION  // the version of the project, from CMakeLists.txt
#define WAITSTATE_VERSION "unknown"
#endif

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old records are written as they were read

namespace waitstate::exports {
namespace {

OTF2_ErrorCode keep_silent(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list) {
  return code;
}

OTF2_FlushType flush_when_full(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// --- events ----------------------------------------------------------------------------------------------------------

using WriteEvent = OTF2_ErrorCode (*)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, const std::uint64_t*);

/// Attributes are in the order of the library's parameters; see convert().
template <auto write>
struct Record;
template <class... A, OTF2_ErrorCode (*write)(OTF2_EvtWriter*, OTF2_AttributeList*, OTF2_TimeStamp, A...)>
struct Record<write> {
  static OTF2_ErrorCode put(OTF2_EvtWriter* writer, OTF2_AttributeList* list, OTF2_TimeStamp t,
                            const std::uint64_t* a) {
    return with(writer, list, t, a, std::index_sequence_for<A...>());
  }
  template <std::size_t... i>
  static OTF2_ErrorCode with(OTF2_EvtWriter* writer, OTF2_AttributeList* list, OTF2_TimeStamp t, const std::uint64_t* a,
                             std::index_sequence<i...>) {
    static_cast<void>(a);
    return write(writer, list, t, static_cast<A>(a[i])...);
  }
};

WriteEvent writer_of(EventType type) {
  switch (type) {
#define X(our, record) \
  case EventType::our: \
    return Record<OTF2_EvtWriter_##record>::put;
    X(enter, Enter)
    X(exit, Leave)
    X(send, MpiSend)
    X(isend, MpiIsend)
    X(isend_complete, MpiIsendComplete)
    X(irecv_request, MpiIrecvRequest)
    X(recv, MpiRecv)
    X(irecv, MpiIrecv)
    X(request_test, MpiRequestTest)
    X(request_cancelled, MpiRequestCancelled)
    X(collective_begin, MpiCollectiveBegin)
    X(collective_end, MpiCollectiveEnd)
    X(nonblocking_collective_request, NonBlockingCollectiveRequest)
    X(nonblocking_collective_complete, NonBlockingCollectiveComplete)
    X(comm_create, CommCreate)
    X(comm_destroy, CommDestroy)
    X(program_end, ProgramEnd)
    X(measurement_on_off, MeasurementOnOff)
    X(buffer_flush, BufferFlush)
    X(parameter_string, ParameterString)
    X(parameter_int, ParameterInt)
    X(parameter_uint, ParameterUnsignedInt)
    X(calling_context_enter, CallingContextEnter)
    X(calling_context_exit, CallingContextLeave)
    X(calling_context_sample, CallingContextSample)
    X(omp_fork, OmpFork)
    X(omp_join, OmpJoin)
    X(omp_acquire_lock, OmpAcquireLock)
    X(omp_release_lock, OmpReleaseLock)
    X(omp_task_create, OmpTaskCreate)
    X(omp_task_switch, OmpTaskSwitch)
    X(omp_task_complete, OmpTaskComplete)
    X(thread_fork, ThreadFork)
    X(thread_join, ThreadJoin)
    X(thread_team_begin, ThreadTeamBegin)
    X(thread_team_end, ThreadTeamEnd)
    X(thread_acquire_lock, ThreadAcquireLock)
    X(thread_release_lock, ThreadReleaseLock)
    X(thread_task_create, ThreadTaskCreate)
    X(thread_task_switch, ThreadTaskSwitch)
    X(thread_task_complete, ThreadTaskComplete)
    X(thread_create, ThreadCreate)
    X(thread_begin, ThreadBegin)
    X(thread_wait, ThreadWait)
    X(thread_end, ThreadEnd)
    X(rma_win_create, RmaWinCreate)
    X(rma_win_destroy, RmaWinDestroy)
    X(rma_collective_begin, RmaCollectiveBegin)
    X(rma_collective_end, RmaCollectiveEnd)
    X(rma_group_sync, RmaGroupSync)
    X(rma_request_lock, RmaRequestLock)
    X(rma_acquire_lock, RmaAcquireLock)
    X(rma_try_lock, RmaTryLock)
    X(rma_release_lock, RmaReleaseLock)
    X(rma_sync, RmaSync)
    X(rma_wait_change, RmaWaitChange)
    X(rma_put, RmaPut)
    X(rma_get, RmaGet)
    X(rma_atomic, RmaAtomic)
    X(rma_op_complete_blocking, RmaOpCompleteBlocking)
    X(rma_op_complete_nonblocking, RmaOpCompleteNonBlocking)
    X(rma_op_test, RmaOpTest)
    X(rma_op_complete_remote, RmaOpCompleteRemote)
    X(io_create_handle, IoCreateHandle)
    X(io_destroy_handle, IoDestroyHandle)
    X(io_duplicate_handle, IoDuplicateHandle)
    X(io_seek, IoSeek)
    X(io_change_status_flags, IoChangeStatusFlags)
    X(io_delete_file, IoDeleteFile)
    X(io_operation_begin, IoOperationBegin)
    X(io_operation_test, IoOperationTest)
    X(io_operation_issued, IoOperationIssued)
    X(io_operation_complete, IoOperationComplete)
    X(io_operation_cancelled, IoOperationCancelled)
    X(io_acquire_lock, IoAcquireLock)
    X(io_release_lock, IoReleaseLock)
    X(io_try_lock, IoTryLock)
#undef X
    default:
      return nullptr;
  }
}

OTF2_AttributeValue attribute_value(const Value& v) {
  OTF2_AttributeValue value{};
  if (v.type == ValueType::float_)
    value.float32 = static_cast<float>(std::bit_cast<double>(v.bits));
  else
    value.uint64 = v.bits;  // shorter types are its low bytes, which stand first
  return value;
}

/// References that are none have all bits set, whatever their size.
template <class Id>
std::uint32_t reference(Id id) {
  return id.valid() ? id.value : ~std::uint32_t{0};
}

}  // namespace

struct ArchiveWriter::Library {
  explicit Library(std::filesystem::path to)
      : folder(std::move(to)), before(OTF2_Error_RegisterCallback(keep_silent, nullptr)) {}
  ~Library() {
    if (list != nullptr) OTF2_AttributeList_Delete(list);
    if (archive != nullptr) OTF2_Archive_Close(archive);
    OTF2_Error_RegisterCallback(before, nullptr);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void check(OTF2_ErrorCode code) const {
    if (code == OTF2_SUCCESS) return;
    const int error = errno;
    throw OutputError(fmt::format("cannot write {}: {}", folder.string(),
                                  error != 0 ? std::strerror(error) : OTF2_Error_GetDescription(code)));
  }
  template <class T>
  T* made(T* handle) const {
    if (handle == nullptr) check(OTF2_ERROR_FILE_INTERACTION);
    return handle;
  }
  OTF2_EvtWriter* events_of(LocationId l) {
    OTF2_EvtWriter*& writer = writers[l.index()];
    if (writer == nullptr) writer = made(OTF2_Archive_GetEvtWriter(archive, l.index()));
    return writer;
  }
  void put(LocationId l, OTF2_ErrorCode code) {
    check(code);
    ++counts[l.index()];
  }

  std::filesystem::path folder;
  OTF2_ErrorCallback before;
  OTF2_Archive* archive = nullptr;
  OTF2_AttributeList* list = nullptr;
  OTF2_MarkerWriter* markers = nullptr;
  std::vector<OTF2_EvtWriter*> writers;
  std::vector<std::uint64_t> counts;
};

ArchiveWriter::ArchiveWriter(const std::filesystem::path& folder, const Definitions& definitions)
    : definitions_(definitions), library_(std::make_unique<Library>(folder)) {
  Library& l = *library_;
  errno = 0;
  std::error_code error;
  if (!std::filesystem::create_directory(folder, error) || error)
    throw OutputError(
        fmt::format("cannot write {}: {}", folder.string(), error ? error.message() : "it exists already"));
  l.writers.resize(definitions.locations.size());
  l.counts.resize(definitions.locations.size());
  constexpr std::uint64_t event_chunk = OTF2_CHUNK_SIZE_MIN, definition_chunk = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT;
  l.archive = l.made(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk, definition_chunk,
                                       OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  static constexpr OTF2_FlushCallbacks flush{flush_when_full, nullptr};
  l.check(OTF2_Archive_SetFlushCallbacks(l.archive, &flush, nullptr));
  l.check(OTF2_Archive_SetSerialCollectiveCallbacks(l.archive));
  l.check(OTF2_Archive_SetCreator(l.archive, "waitstate " WAITSTATE_VERSION));
  if (const std::string& machine = definitions.recorder.machine; !machine.empty())
    l.check(OTF2_Archive_SetMachineName(l.archive, machine.c_str()));
  if (const std::string& description = definitions.recorder.description; !description.empty())
    l.check(OTF2_Archive_SetDescription(l.archive, description.c_str()));
  l.check(OTF2_Archive_OpenEvtFiles(l.archive));
  l.list = l.made(OTF2_AttributeList_New());
}

ArchiveWriter::~ArchiveWriter() = default;

std::uint64_t ArchiveWriter::events(LocationId location) const { return library_->counts[location.index()]; }

std::uint32_t ArchiveWriter::rank(LocationId location, CommId comm, LocationId self) {
  if (!location.valid() || !comm.valid() || comm.index() >= definitions_.comms.size()) return ~std::uint32_t{0};
  const Comm& c = definitions_[comm];
  const auto [found, added] = ranks_.try_emplace(comm);
  Ranks& ranks = found->second;
  if (added) {
    for (std::size_t r = 0; r < c.members.size(); ++r)
      ranks.a.try_emplace(c.members[r].value, static_cast<std::uint32_t>(r));
    for (std::size_t r = 0; r < c.members_b.size(); ++r)
      ranks.b.try_emplace(c.members_b[r].value, static_cast<std::uint32_t>(r));
  }
  const auto& other_group = c.inter() && ranks.a.contains(self.value) ? ranks.b : ranks.a;
  if (const auto of = other_group.find(location.value); of != other_group.end()) return of->second;
  return c.self ? 0 : ~std::uint32_t{0};
}

// Locations become ranks of the communicator, or of the window's. The library has the communicator of a message before
// its tag, otherwise the order is ours.
void ArchiveWriter::convert(const Event& event, std::uint64_t* a) {
  const auto specs = spec(event.type).attributes();
  CommId comm;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    a[i] = event.attributes[i];
    if (specs[i].kind == AttributeKind::comm) comm = CommId{static_cast<std::size_t>(a[i])};
    if (specs[i].kind == AttributeKind::rma_win)
      if (const RmaWinId w{static_cast<std::size_t>(a[i])}; w.valid() && w.index() < definitions_.rma_wins.size())
        comm = definitions_[w].comm;
  }
  const auto convert_place = [&](std::size_t i) {
    const bool is_location = specs[i].kind == AttributeKind::location;
    if (!is_location && specs[i].kind != AttributeKind::root) return;
    if (a[i] < definitions_.locations.size())
      a[i] = rank(LocationId{static_cast<std::size_t>(a[i])}, comm, event.loc);
    else if (is_location)
      a[i] = ~std::uint32_t{0};
  };
  for (std::size_t i = 0; i < specs.size(); ++i) convert_place(i);
  const EventType t = event.type;
  if (t == EventType::send || t == EventType::isend || t == EventType::recv || t == EventType::irecv)
    std::swap(a[1], a[2]);
}

bool ArchiveWriter::write(const Event& event, Time time) {
  Library& l = *library_;
  errno = 0;
  for (const ListedAttribute& attribute : event.list)
    l.check(OTF2_AttributeList_AddAttribute(l.list, attribute.attribute.value,
                                            static_cast<OTF2_Type>(attribute.value.type),
                                            attribute_value(attribute.value)));
  OTF2_EvtWriter* const writer = l.events_of(event.loc);
  if (event.type == EventType::metric) {
    std::vector<OTF2_Type> types;
    std::vector<OTF2_MetricValue> values;
    constexpr std::size_t most = 255;
    for (const Value& v : event.tail) {
      if (types.size() == most) break;
      types.push_back(static_cast<OTF2_Type>(v.type == ValueType::float_ ? ValueType::double_ : v.type));
      OTF2_MetricValue value{};
      value.unsigned_int = v.bits;
      values.push_back(value);
    }
    l.put(event.loc, OTF2_EvtWriter_Metric(writer, l.list, time, static_cast<OTF2_MetricRef>(event.attributes[0]),
                                           static_cast<std::uint8_t>(types.size()), types.data(), values.data()));
    return true;
  }
  if (event.type == EventType::program_begin) {
    std::vector<OTF2_StringRef> arguments;
    for (const Value& v : event.tail) arguments.push_back(static_cast<OTF2_StringRef>(v.bits));
    l.put(event.loc, OTF2_EvtWriter_ProgramBegin(writer, l.list, time, static_cast<OTF2_StringRef>(event.attributes[0]),
                                                 static_cast<std::uint32_t>(arguments.size()), arguments.data()));
    return true;
  }
  const WriteEvent put = writer_of(event.type);
  if (put == nullptr) {
    l.check(OTF2_AttributeList_RemoveAllAttributes(l.list));
    return false;
  }
  std::array<std::uint64_t, 6> attributes{};
  convert(event, attributes.data());
  l.put(event.loc, put(writer, l.list, time, attributes.data()));
  return true;
}

void ArchiveWriter::write_enter(LocationId location, Time time, RegionId region) {
  errno = 0;
  library_->put(location, OTF2_EvtWriter_Enter(library_->events_of(location), nullptr, time, region.value));
}
void ArchiveWriter::write_exit(LocationId location, Time time, RegionId region) {
  errno = 0;
  library_->put(location, OTF2_EvtWriter_Leave(library_->events_of(location), nullptr, time, region.value));
}
void ArchiveWriter::write_program_end(LocationId location, Time time) {
  errno = 0;
  library_->put(location,
                OTF2_EvtWriter_ProgramEnd(library_->events_of(location), nullptr, time, OTF2_UNDEFINED_INT64));
}
void ArchiveWriter::write_program(LocationId location, Time time, StringId program) {
  errno = 0;
  library_->put(location,
                OTF2_EvtWriter_ProgramBegin(library_->events_of(location), nullptr, time, program.value, 0, nullptr));
}

// --- markers ---------------------------------------------------------------------------------------------------------

std::uint32_t ArchiveWriter::define_marker(const std::string& group, const std::string& category) {
  Library& l = *library_;
  errno = 0;
  if (l.markers == nullptr) l.markers = l.made(OTF2_Archive_GetMarkerWriter(l.archive));
  l.check(OTF2_MarkerWriter_WriteDefMarker(l.markers, markers_, group.c_str(), category.c_str(), OTF2_SEVERITY_MEDIUM));
  return markers_++;
}

void ArchiveWriter::write_marker(std::uint32_t marker, Time time, Ticks duration, LocationId location,
                                 const std::string& text) {
  errno = 0;
  library_->check(OTF2_MarkerWriter_WriteMarker(library_->markers, time, static_cast<OTF2_TimeStamp>(duration), marker,
                                                OTF2_MARKER_SCOPE_LOCATION, location.index(), text.c_str()));
}

// --- definitions -----------------------------------------------------------------------------------------------------

class ArchiveWriter::GlobalDefinitions {
 public:
  GlobalDefinitions(const Definitions& definitions, Library& library)
      : d_(definitions), library_(library), w_(library.made(OTF2_Archive_GetGlobalDefWriter(library.archive))) {}

  void write(Time begin, Time end) {
    std::uint64_t date = d_.clock.realtime;  // when the clock was at its offset, which is another one now
    if (date != ~std::uint64_t{0}) date += TimeScale(d_.clock, d_.clock.offset).nanoseconds(begin);
    check(OTF2_GlobalDefWriter_WriteClockProperties(w_, d_.clock.resolution, begin, end - begin + 1, date));
    for (const std::string& s : d_.strings) check(OTF2_GlobalDefWriter_WriteString(w_, next_string_++, s.c_str()));
    for (std::size_t i = 0; i < d_.strings.size(); ++i)
      strings_.try_emplace(d_.strings[i], static_cast<std::uint32_t>(i));
    paradigms();
    places();
    regions();
    communicators();
    metrics();
    topologies();
    files();
    check(OTF2_Archive_CloseGlobalDefWriter(library_.archive, w_));
  }

 private:
  void check(OTF2_ErrorCode code) const { library_.check(code); }

  OTF2_StringRef string(const std::string& text) {
    const auto [found, added] = strings_.try_emplace(text, next_string_);
    if (added) check(OTF2_GlobalDefWriter_WriteString(w_, next_string_++, text.c_str()));
    return found->second;
  }
  template <class Row, class Write>
  void each(const std::vector<Row>& table, Write&& write) {
    for (std::size_t i = 0; i < table.size(); ++i) check(write(static_cast<std::uint32_t>(i), table[i]));
  }

  void paradigms() {
    for (const ParadigmDefinition& p : d_.paradigms) {
      check(OTF2_GlobalDefWriter_WriteParadigm(w_, static_cast<OTF2_Paradigm>(p.paradigm), string(p.name),
                                               static_cast<OTF2_ParadigmClass>(p.paradigm_class)));
      for (const Property& property : p.properties) {
        ParadigmPropertyKind kind{};
        if (enum_from_name(property.name, kind))
          check(OTF2_GlobalDefWriter_WriteParadigmProperty(
              w_, static_cast<OTF2_Paradigm>(p.paradigm), static_cast<OTF2_ParadigmProperty>(kind),
              static_cast<OTF2_Type>(property.value.type), attribute_value(property.value)));
      }
    }
    each(d_.attributes, [&](std::uint32_t i, const Attribute& a) {
      return OTF2_GlobalDefWriter_WriteAttribute(w_, i, string(a.name), string(a.description),
                                                 static_cast<OTF2_Type>(a.type));
    });
  }

  void places() {
    each(d_.system_tree, [&](std::uint32_t i, const SystemTreeNode& n) {
      return OTF2_GlobalDefWriter_WriteSystemTreeNode(w_, i, string(n.name), string(n.class_name), reference(n.parent));
    });
    each(d_.system_tree, [&](std::uint32_t i, const SystemTreeNode& n) {
      for (const SystemTreeDomain domain : n.domains)
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(w_, i, static_cast<OTF2_SystemTreeDomain>(domain)));
      for (const Property& p : n.properties)
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(
            w_, i, string(p.name), static_cast<OTF2_Type>(p.value.type), attribute_value(p.value)));
      return OTF2_SUCCESS;
    });
    each(d_.processes, [&](std::uint32_t i, const LocationGroup& p) {
      check(OTF2_GlobalDefWriter_WriteLocationGroup(w_, i, string(p.name), static_cast<OTF2_LocationGroupType>(p.type),
                                                    reference(p.parent), reference(p.creator)));
      for (const Property& property : p.properties)
        check(OTF2_GlobalDefWriter_WriteLocationGroupProperty(w_, i, string(property.name),
                                                              static_cast<OTF2_Type>(property.value.type),
                                                              attribute_value(property.value)));
      return OTF2_SUCCESS;
    });
    each(d_.locations, [&](std::uint32_t i, const Location& l) {
      check(OTF2_GlobalDefWriter_WriteLocation(w_, i, string(l.name), static_cast<OTF2_LocationType>(l.type),
                                               library_.counts[i], reference(l.process)));
      for (const Property& p : l.properties)
        check(OTF2_GlobalDefWriter_WriteLocationProperty(w_, i, string(p.name), static_cast<OTF2_Type>(p.value.type),
                                                         attribute_value(p.value)));
      return OTF2_SUCCESS;
    });
  }

  void regions() {
    each(d_.regions, [&](std::uint32_t i, const Region& r) {
      return OTF2_GlobalDefWriter_WriteRegion(
          w_, i, string(r.name), string(r.canonical_name), string(r.description), static_cast<OTF2_RegionRole>(r.role),
          static_cast<OTF2_Paradigm>(r.paradigm), r.flags, string(r.file), r.begin_line, r.end_line);
    });
    each(d_.source_code_locations, [&](std::uint32_t i, const SourceCodeLocation& s) {
      return OTF2_GlobalDefWriter_WriteSourceCodeLocation(w_, i, string(s.file), s.line);
    });
    each(d_.calling_contexts, [&](std::uint32_t i, const CallingContext& c) {
      return OTF2_GlobalDefWriter_WriteCallingContext(w_, i, reference(c.region), reference(c.source),
                                                      reference(c.parent));
    });
    each(d_.interrupt_generators, [&](std::uint32_t i, const InterruptGenerator& g) {
      return OTF2_GlobalDefWriter_WriteInterruptGenerator(w_, i, string(g.name),
                                                          static_cast<OTF2_InterruptGeneratorMode>(g.mode),
                                                          static_cast<OTF2_Base>(g.base), g.exponent, g.period);
    });
    each(d_.parameters, [&](std::uint32_t i, const Parameter& p) {
      return OTF2_GlobalDefWriter_WriteParameter(w_, i, string(p.name), static_cast<OTF2_ParameterType>(p.type));
    });
  }

  void communicators() {
    each(d_.groups, [&](std::uint32_t i, const Group& g) {
      return OTF2_GlobalDefWriter_WriteGroup(w_, i, string(g.name), static_cast<OTF2_GroupType>(g.type),
                                             static_cast<OTF2_Paradigm>(g.paradigm), g.flags,
                                             static_cast<std::uint32_t>(g.members.size()), g.members.data());
    });
    each(d_.comms, [&](std::uint32_t i, const Comm& c) {
      return c.inter() ? OTF2_GlobalDefWriter_WriteInterComm(w_, i, string(c.name), reference(c.group),
                                                             reference(c.group_b), reference(c.parent), c.flags)
                       : OTF2_GlobalDefWriter_WriteComm(w_, i, string(c.name), reference(c.group), reference(c.parent),
                                                        c.flags);
    });
    each(d_.rma_wins, [&](std::uint32_t i, const RmaWin& w) {
      return OTF2_GlobalDefWriter_WriteRmaWin(w_, i, string(w.name), reference(w.comm), w.flags);
    });
  }

  void metrics() {
    each(d_.metric_members, [&](std::uint32_t i, const MetricMember& m) {
      return OTF2_GlobalDefWriter_WriteMetricMember(
          w_, i, string(m.name), string(m.description), static_cast<OTF2_MetricType>(m.type), m.mode,
          static_cast<OTF2_Type>(m.value_type), static_cast<OTF2_Base>(m.base), m.exponent, string(m.unit));
    });
    each(d_.metrics, [&](std::uint32_t i, const Metric& m) {
      if (m.metric_class.valid())
        return OTF2_GlobalDefWriter_WriteMetricInstance(w_, i, m.metric_class.value,
                                                        m.recorder.valid() ? m.recorder.value : OTF2_UNDEFINED_LOCATION,
                                                        static_cast<OTF2_MetricScope>(m.scope), m.scope_ref);
      std::vector<OTF2_MetricMemberRef> members;
      for (const MetricMemberId member : m.members) members.push_back(member.value);
      check(OTF2_GlobalDefWriter_WriteMetricClass(w_, i, static_cast<std::uint8_t>(members.size()), members.data(),
                                                  static_cast<OTF2_MetricOccurrence>(m.occurrence),
                                                  static_cast<OTF2_RecorderKind>(m.recorder_kind)));
      for (const LocationId recorder : m.recorders)
        check(OTF2_GlobalDefWriter_WriteMetricClassRecorder(w_, i, recorder.value));
      return OTF2_SUCCESS;
    });
  }

  void topologies() {
    each(d_.cart_dimensions, [&](std::uint32_t i, const CartDimension& c) {
      return OTF2_GlobalDefWriter_WriteCartDimension(w_, i, string(c.name), c.size,
                                                     static_cast<OTF2_CartPeriodicity>(c.periodicity));
    });
    each(d_.cart_topologies, [&](std::uint32_t i, const CartTopology& t) {
      std::vector<OTF2_CartDimensionRef> dimensions;
      for (const CartDimensionId c : t.dimensions) dimensions.push_back(c.value);
      const auto n = static_cast<std::uint8_t>(dimensions.size());
      check(OTF2_GlobalDefWriter_WriteCartTopology(w_, i, string(t.name), reference(t.comm), n, dimensions.data()));
      for (std::size_t at = 0; at + n < t.coordinates.size(); at += n + 1u) {
        std::vector<std::uint32_t> place;
        for (std::size_t k = 1; k <= n; ++k) place.push_back(static_cast<std::uint32_t>(t.coordinates[at + k]));
        check(OTF2_GlobalDefWriter_WriteCartCoordinate(w_, i, static_cast<std::uint32_t>(t.coordinates[at]), n,
                                                       place.data()));
      }
      return OTF2_SUCCESS;
    });
  }

  void files() {
    each(d_.io_paradigms, [&](std::uint32_t i, const IoParadigm& p) {
      return OTF2_GlobalDefWriter_WriteIoParadigm(w_, i, string(p.identification), string(p.name),
                                                  static_cast<OTF2_IoParadigmClass>(p.io_class), p.flags, 0, nullptr,
                                                  nullptr, nullptr);
    });
    each(d_.io_files, [&](std::uint32_t i, const IoFile& f) {
      return f.directory ? OTF2_GlobalDefWriter_WriteIoDirectory(w_, i, string(f.name), reference(f.scope))
                         : OTF2_GlobalDefWriter_WriteIoRegularFile(w_, i, string(f.name), reference(f.scope));
    });
    each(d_.io_handles, [&](std::uint32_t i, const IoHandle& h) {
      check(OTF2_GlobalDefWriter_WriteIoHandle(w_, i, string(h.name), reference(h.file),
                                               static_cast<OTF2_IoParadigmRef>(reference(h.paradigm)), h.flags,
                                               reference(h.comm), reference(h.parent)));
      if (!h.pre_created) return OTF2_SUCCESS;
      return OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(w_, i, static_cast<OTF2_IoAccessMode>(h.access_mode),
                                                               h.status_flags);
    });
  }

  const Definitions& d_;
  Library& library_;
  OTF2_GlobalDefWriter* const w_;
  OTF2_StringRef next_string_ = 0;
  std::unordered_map<std::string, OTF2_StringRef> strings_;
};

void ArchiveWriter::finish(Time begin, Time end) {
  Library& l = *library_;
  errno = 0;
  // Readers expect a file for every location.
  for (std::size_t i = 0; i < l.writers.size(); ++i)
    l.check(OTF2_Archive_CloseEvtWriter(l.archive, l.events_of(LocationId{i})));
  l.check(OTF2_Archive_CloseEvtFiles(l.archive));
  l.check(OTF2_Archive_OpenDefFiles(l.archive));
  for (std::size_t i = 0; i < l.writers.size(); ++i)
    l.check(OTF2_Archive_CloseDefWriter(l.archive, l.made(OTF2_Archive_GetDefWriter(l.archive, i))));
  l.check(OTF2_Archive_CloseDefFiles(l.archive));
  if (l.markers != nullptr) l.check(OTF2_Archive_CloseMarkerWriter(l.archive, l.markers));
  GlobalDefinitions(definitions_, l).write(begin, end);
  l.check(OTF2_Archive_Close(std::exchange(l.archive, nullptr)));
}

}  // namespace waitstate::exports
