#include "otf2/event_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace waitstate::otf2 {
namespace {

// OTF2 numbers its event records from 10 in this order.
constexpr std::uint8_t first_record = 10;
constexpr EventType record_types[] = {
    EventType::buffer_flush, EventType::measurement_on_off, EventType::enter, EventType::exit, EventType::send,
    EventType::isend, EventType::isend_complete, EventType::irecv_request, EventType::recv, EventType::irecv,
    EventType::request_test, EventType::request_cancelled, EventType::collective_begin, EventType::collective_end,
    EventType::omp_fork, EventType::omp_join, EventType::omp_acquire_lock, EventType::omp_release_lock,
    EventType::omp_task_create, EventType::omp_task_switch, EventType::omp_task_complete, EventType::metric,
    EventType::parameter_string, EventType::parameter_int, EventType::parameter_uint, EventType::rma_win_create,
    EventType::rma_win_destroy, EventType::rma_collective_begin, EventType::rma_collective_end,
    EventType::rma_group_sync, EventType::rma_request_lock, EventType::rma_acquire_lock, EventType::rma_try_lock,
    EventType::rma_release_lock, EventType::rma_sync, EventType::rma_wait_change, EventType::rma_put,
    EventType::rma_get, EventType::rma_atomic, EventType::rma_op_complete_blocking,
    EventType::rma_op_complete_nonblocking, EventType::rma_op_test, EventType::rma_op_complete_remote,
    EventType::thread_fork, EventType::thread_join, EventType::thread_team_begin, EventType::thread_team_end,
    EventType::thread_acquire_lock, EventType::thread_release_lock, EventType::thread_task_create,
    EventType::thread_task_switch, EventType::thread_task_complete, EventType::thread_create,
    EventType::thread_begin, EventType::thread_wait, EventType::thread_end, EventType::calling_context_enter,
    EventType::calling_context_exit, EventType::calling_context_sample, EventType::io_create_handle,
    EventType::io_destroy_handle, EventType::io_duplicate_handle, EventType::io_seek,
    EventType::io_change_status_flags, EventType::io_delete_file, EventType::io_operation_begin,
    EventType::io_operation_test, EventType::io_operation_issued, EventType::io_operation_complete,
    EventType::io_operation_cancelled, EventType::io_acquire_lock, EventType::io_release_lock,
    EventType::io_try_lock, EventType::program_begin, EventType::program_end,
    EventType::nonblocking_collective_request, EventType::nonblocking_collective_complete, EventType::comm_create,
    EventType::comm_destroy};
static_assert(std::size(record_types) == event_type_count - 1);

// Records of one number only, written before OTF2 1.2, have no length: the number's own byte count stands in its place.
constexpr bool has_no_length(EventType type) {
  switch (type) {
    case EventType::enter: case EventType::exit: case EventType::isend_complete: case EventType::irecv_request:
    case EventType::request_test: case EventType::request_cancelled: case EventType::omp_fork:
    case EventType::omp_task_create: case EventType::omp_task_switch: case EventType::omp_task_complete: return true;
    default: return false;
  }
}

constexpr std::size_t no_attribute = 6;

// How to read the attributes of a type: derived from the table of event types.
struct Layout {
  bool has_length = true;
  std::array<std::uint8_t, 6> place{0, 1, 2, 3, 4, 5};  // of the attributes in the order of the file
  std::uint8_t rank = no_attribute;                     // a rank or root, …
  std::uint8_t comm = no_attribute, win = no_attribute;  // … of this communicator, or of this window's
};

constexpr auto make_layouts() {
  std::array<Layout, event_type_count> layouts{};
  for (std::size_t t = 0; t < event_type_count; ++t) {
    const auto type = static_cast<EventType>(t);
    Layout& layout = layouts[t];
    layout.has_length = !has_no_length(type);
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
  }
  return layouts;
}
constexpr auto layouts = make_layouts();

}  // namespace

EventDecoder::EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
                           std::size_t max_open)
    : keep_lists_(keep_attribute_lists),
      archive_(archive),
      max_open_(std::max<std::size_t>(max_open, 1)),
      slots_(archive.definitions().locations.size()) {
  for (const LocationId loc : locations) {
    if (loc.index() >= slots_.size() || slots_[loc.index()]) continue;
    auto l = std::make_unique<Location>();
    l->id = loc;
    l->file = ChunkFile(archive.event_file(loc), archive.anchor().event_chunk_size);
    slots_[loc.index()] = std::move(l);
  }
}

bool EventDecoder::at_end(LocationId loc) const {
  const Location* l = find(loc);
  return !l || l->ended;
}

std::uint64_t EventDecoder::events_read(LocationId loc) const {
  const Location* l = find(loc);
  return l ? l->events : 0;
}

void EventDecoder::start(Location& l) {
  l.started = true;
  const auto path = archive_.local_definition_file(l.id);
  l.local = read_local_definitions(path, archive_.anchor().definition_chunk_size);
  const bool missing_is_normal = l.local.open_error == ENOENT && !archive_.has_local_definitions();
  if (!l.local.damage.empty() && !missing_is_normal)
    diagnostics_.add(DiagnosticId::local_definitions_unreadable,
                     {l.id, ~Time{0}, path.string() + ": " + l.local.damage});

  const RefTable& table = archive_.references()[RefKind::region];
  const IdMap& map = l.local.maps[static_cast<std::size_t>(RefKind::region)];
  if (map.empty()) {
    l.regions = table.dense();
  } else {
    for (const std::uint64_t global : map.dense)
      l.own_regions.push_back(is_undefined(RefKind::region, global) ? RefTable::none : table.find(global));
    l.regions = l.own_regions;
  }
}

void EventDecoder::close(Location& l) {
  l.offset = static_cast<std::size_t>(l.in.position() - l.file.records().position());
  l.file.close();
  recently_used_.erase(l.recent);
}

bool EventDecoder::open(Location& l) {
  if (l.ended) return false;
  if (l.file.is_open()) {
    recently_used_.splice(recently_used_.begin(), recently_used_, l.recent);
    return true;
  }
  if (!l.started) start(l);
  while (recently_used_.size() >= max_open_) close(*recently_used_.back());
  if (!l.file.load(l.chunk)) {
    l.file.close();
    return end(l, l.file.error()), false;
  }
  recently_used_.push_front(&l);
  l.recent = recently_used_.begin();
  l.in = l.file.records();
  if (l.offset > l.in.left()) return end(l, "the file has become shorter while it was read"), false;
  l.in.skip(l.offset);
  return true;
}

void EventDecoder::end(Location& l, const std::string& damage) {
  const std::uint64_t announced = archive_.definitions()[l.id].announced_events;
  if (!damage.empty()) {
    const std::string path = l.file.path().string();
    if (l.events != 0)
      diagnostics_.add(DiagnosticId::location_truncated,
                       {l.id, l.time, path + ": after " + std::to_string(l.events) + " events: " + damage});
    else if (announced == 0 && l.file.open_error() == ENOENT)
      diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, "no file, and no events announced"});
    else
      diagnostics_.add(DiagnosticId::location_unreadable, {l.id, ~Time{0}, path + ": " + damage});
  } else if (l.events == 0) {
    diagnostics_.add(DiagnosticId::empty_location, {l.id, ~Time{0}, ""});
  }
  if (l.events != announced && (damage.empty() || l.events != 0))
    diagnostics_.add(DiagnosticId::event_count_differs,
                     {l.id, ~Time{0}, std::to_string(l.events) + " read, " + std::to_string(announced) + " announced"});
  diagnostics_.add(DiagnosticId::undefined_reference, {l.id, ~Time{0}, l.first_undefined}, 0, l.undefined);
  diagnostics_.add(DiagnosticId::unknown_event, {l.id, ~Time{0}, ""}, 0, l.unknown);

  if (l.file.is_open()) close(l);
  l.own_regions = {};
  l.local = {};
  list_.clear();
  l.ended = true;
}

std::uint32_t EventDecoder::resolve(Location& l, RefKind kind, std::uint64_t local) {
  if (is_undefined(kind, local)) return RefTable::none;
  const std::uint64_t global = l.local.map(kind, local);
  if (is_undefined(kind, global)) return RefTable::none;
  const std::uint32_t id = archive_.references()[kind].find(global);
  if (id == RefTable::none && l.undefined++ == 0)
    l.first_undefined = std::string(kind_name(kind)) + " " + std::to_string(global) + ", referred to by event " +
                        std::to_string(l.events);
  return id;
}

RegionId EventDecoder::region(Location& l, std::uint32_t local) {
  return RegionId{resolve(l, RefKind::region, local)};
}

EventDecoder::Step EventDecoder::step(Location& l, ByteReader& in) {
  const std::uint8_t type = in.u8();
  if (!in.ok()) return end(l, "the file ends within a chunk"), Step::ended;
  switch (type) {
    case mark::timestamp: {
      const Time local = in.full64();
      if (!in.ok()) break;
      l.time = l.local.clock(local);
      return Step::nothing;
    }
    case mark::end_of_chunk:
      if (!l.file.load(++l.chunk)) return end(l, l.file.error()), Step::ended;
      in = l.in = l.file.records();
      return Step::nothing;
    case mark::end_of_file: return end(l, ""), Step::ended;
    case mark::attribute_list: {
      const ByteReader fields = in.record();
      if (!in.ok()) break;
      if (keep_lists_ && !read_list(l, fields)) return end(l, "an attribute list with invalid contents"), Step::ended;
      return Step::nothing;
    }
    default: return decode(l, type, in);
  }
  return end(l, "the file ends within a record, or a record's length is wrong"), Step::ended;
}

EventDecoder::Step EventDecoder::decode(Location& l, std::uint8_t record_type, ByteReader& in) {
  decoded_.tail.clear();
  if (record_type < first_record) return end(l, "no event record where one was expected"), Step::ended;
  const std::size_t number = record_type - first_record;
  decoded_.type = number < std::size(record_types) ? record_types[number] : EventType::unknown;
  if (decoded_.type == EventType::unknown) ++l.unknown;

  if (layouts[static_cast<std::size_t>(decoded_.type)].has_length) {
    ByteReader fields = in.record();
    if (in.ok() && read_fields(l, fields)) return Step::event;
  } else if (read_fields(l, in)) {
    return Step::event;
  }
  const bool framed = in.ok();
  return end(l, framed ? "a record with invalid contents" : "the file ends within a record, or a record's length is wrong"),
         Step::ended;
}

bool EventDecoder::read_fields(Location& l, ByteReader& in) {
  using K = AttributeKind;
  const EventTypeSpec& type = spec(decoded_.type);
  const Layout& layout = layouts[static_cast<std::size_t>(decoded_.type)];
  std::uint64_t* const a = decoded_.attributes;
  for (std::size_t i = 0; i < type.attribute_count; ++i) {
    const std::size_t place = layout.place[i];
    std::uint64_t& value = a[place];
    switch (type.attribute_table[place].kind) {
      case K::u32: case K::hex32: case K::location: case K::root: value = in.u32(); break;
      case K::u64: case K::i64: value = in.u64(); break;
      case K::time: value = l.local.clock(in.full64()); break;
      case K::region: value = resolve(l, RefKind::region, in.u32()); break;
      case K::comm: value = resolve(l, RefKind::comm, in.u32()); break;
      case K::group: value = resolve(l, RefKind::group, in.u32()); break;
      case K::rma_win: value = resolve(l, RefKind::rma_win, in.u32()); break;
      case K::string: value = resolve(l, RefKind::string, in.u32()); break;
      case K::parameter: value = resolve(l, RefKind::parameter, in.u32()); break;
      case K::metric: value = resolve(l, RefKind::metric, in.u32()); break;
      case K::calling_context: value = resolve(l, RefKind::calling_context, in.u32()); break;
      case K::interrupt_generator: value = resolve(l, RefKind::interrupt_generator, in.u32()); break;
      case K::io_handle: value = resolve(l, RefKind::io_handle, in.u32()); break;
      case K::io_file: value = resolve(l, RefKind::io_file, in.u32()); break;
      case K::io_paradigm: value = resolve(l, RefKind::io_paradigm, in.u8()); break;
      case K::paradigm: case K::measurement_mode: case K::collective_op: case K::rma_sync_type: case K::lock_type:
      case K::rma_atomic_type: case K::io_access_mode: case K::io_seek: case K::io_operation_mode:
        value = in.u8();
        break;
    }
  }

  if (layout.rank != no_attribute) {
    constexpr std::uint32_t root_self = 0xfffffffeu;
    const Definitions& d = archive_.definitions();
    CommId comm;
    if (layout.comm != no_attribute)
      comm = CommId{a[layout.comm]};
    else if (const RmaWinId win{a[layout.win]}; win.valid())
      comm = d[win].comm;
    std::uint64_t& rank = a[layout.rank];
    const bool is_root = type.attribute_table[layout.rank].kind == K::root;
    if (is_root && rank == root_self)
      rank = l.id.value;
    else if (rank != undefined32 && !(is_root && rank == root_this_group))
      rank = d.locate(comm, static_cast<std::uint32_t>(rank), l.id).value;
  }

  if (decoded_.type == EventType::metric) {
    const unsigned n = in.u8();
    for (unsigned i = 0; i < n && in.ok(); ++i) {
      const auto value_type = static_cast<ValueType>(in.u8());
      decoded_.tail.push_back({value_type, in.u64()});
    }
  } else if (decoded_.type == EventType::program_begin) {
    const std::uint32_t n = in.u32();
    for (std::uint32_t i = 0; i < n && in.ok(); ++i)
      decoded_.tail.push_back({ValueType::string, resolve(l, RefKind::string, in.u32())});
  }
  return in.ok();
}

bool EventDecoder::read_list(Location& l, ByteReader in) {
  const std::uint32_t n = in.u32();
  for (std::uint32_t i = 0; i < n && in.ok(); ++i) {
    const AttributeId attribute{resolve(l, RefKind::attribute, in.u32())};
    const auto type = static_cast<ValueType>(in.u8());
    const Value value = read_value(in, type, [&](RefKind kind, std::uint64_t ref) { return resolve(l, kind, ref); });
    if (value.type != type) break;  // of unknown length: the rest of the list cannot be read
    list_.push_back({attribute, value});
  }
  return in.ok();
}

}  // namespace waitstate::otf2
