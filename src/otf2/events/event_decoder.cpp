// Two halves: the window over a file and its marks, one by one; and the contents of event records, driven by the table
// of event types. They stay one class in one long file, because neither half makes sense without the other.
//
// A record whose fields do not fit into it is neither delivered nor counted. Numbers are read without checking for
// the end of the record, which is checked behind the last one: the window's padding is as long as six numbers can be.
#include "otf2/events/event_decoder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "otf2/events/event_records.hpp"

namespace waitstate::otf2 {

namespace {

// Bytes in memory at a time: few enough to stay in the processor's cache beside the data of the sinks.
constexpr std::size_t largest_fetch = 64 * 1024, smallest_fetch = 4 * 1024;

}  // namespace

EventDecoder::EventDecoder(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
                           std::size_t max_open, const Delivery& delivery)
    : archive_(archive),
      references_(archive.references()),
      regions_(references_[RefKind::region]),
      comms_(archive.definitions().comms),
      keep_lists_(keep_attribute_lists),
      max_open_(std::max<std::size_t>(max_open, 1)),
      chunk_size_(archive.anchor().event_chunk_size),
      delivery_(delivery),
      locations_(archive.definitions().locations.size()),
      window_(largest_fetch + padding) {
  for (const LocationId id : locations) {
    if (id.index() >= locations_.size() || locations_[id.index()]) continue;
    locations_[id.index()] = std::make_unique<Location>();
    locations_[id.index()]->id = id;
  }
}

EventDecoder::~EventDecoder() {
  while (!open_.empty()) close(*open_.back());
}

bool EventDecoder::at_end(LocationId loc) const {
  const Location* l = find(loc);
  return l == nullptr || l->ended;
}

EventPlace EventDecoder::place(LocationId loc) const {
  const Location& l = *find(loc);
  return {l.position, l.chunk, l.events, l.time, l.last_time, l.in_chunk, l.big_endian, l.stamped};
}

void EventDecoder::go_to(LocationId loc, const EventPlace& place) {
  Location& l = *find(loc);
  l.position = place.position, l.chunk = place.chunk, l.events = place.events;
  l.time = place.time, l.last_time = place.last_time;
  l.in_chunk = place.in_chunk, l.big_endian = place.big_endian, l.stamped = place.stamped;
  if (paused_ == &l) paused_ = nullptr;
  if (l.ended) l.ended = l.started = false;  // its definitions are freed
}

// --- files and the window --------------------------------------------------------------------------------------------

// Prepares to continue reading; null if there is nothing to read.
EventDecoder::Location* EventDecoder::start(LocationId loc, void* sink, std::size_t max_events) {
  Location* const l = find(loc);
  if (l == nullptr || l->ended || !open(*l)) return nullptr;
  sink_ = sink;
  if (paused_ != l) {
    at_ = end_ = window_.data();
    window_end_ = l->position;
    read_error_ = 0;
    file_ended_ = false;
  }
  paused_ = nullptr;
  // Fetches little more than will be decoded: the rest would be read again next time.
  const std::uint64_t an_event = l->events == 0 ? 16 : std::min<std::uint64_t>(l->position / l->events + 1, 256);
  const std::size_t bytes = std::min<std::size_t>(max_events, largest_fetch) * an_event + 2 * longest_ordinary;
  fetch_size_ = std::clamp(bytes, smallest_fetch, largest_fetch);
  return l;
}

bool EventDecoder::open(Location& l) {
  if (l.file >= 0) {
    if (open_.front() != &l) open_.splice(open_.begin(), open_, l.place);
    return true;
  }
  while (open_.size() >= max_open_) close(*open_.back());
  if (!l.started) {
    l.started = true;
    if (!read_local_definitions(l)) return false;
  }
  const std::string path = archive_.on_disk(archive_.event_file(l.id)).string();
  int file = -1;
  do file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not wait for a pipe
  while (file < 0 && close_another(errno));
  if (file < 0) {
    l.missing = errno == ENOENT;
    end(l, std::strerror(errno));
    return false;
  }
  open_.push_front(&l);
  l.place = open_.begin();
  l.file = file;
  return true;
}

void EventDecoder::close(Location& l) {
  ::close(l.file);
  l.file = -1;
  open_.erase(l.place);
}

// True if opening a file can be retried after this error: if there are fewer descriptors than max_open, one of the open
// files gives up its own.
bool EventDecoder::close_another(int error) {
  if ((error != EMFILE && error != ENFILE) || open_.empty()) return false;
  close(*open_.back());
  return true;
}

// Brings the next `n` bytes into memory, and more at a time; false if the chunk or the file ends before.
bool EventDecoder::fetch(Location& l, std::uint64_t n) {
  if (n > left_in_chunk(l) || file_ended_) return false;
  auto size = static_cast<std::size_t>(end_ - at_);
  std::memmove(window_.data(), at_, size);
  const std::size_t wanted = std::max(static_cast<std::size_t>(n), fetch_size_);
  if (window_.size() < wanted + padding) window_.resize(wanted + padding);
  while (size < wanted && window_end_ != chunk_end(l) && !file_ended_) {
    const std::uint64_t bytes = std::min<std::uint64_t>(wanted - size, chunk_end(l) - window_end_);
    const ssize_t got = ::pread(l.file, window_.data() + size, bytes, static_cast<off_t>(window_end_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) read_error_ = errno;
    file_ended_ = got <= 0;
    if (file_ended_) break;
    size += static_cast<std::size_t>(got);
    window_end_ += static_cast<std::uint64_t>(got);
  }
  at_ = window_.data();
  end_ = at_ + size;
  return size >= n;
}

// Ends the reading of the file.
void EventDecoder::stop(Location& l, const char* why) {
  end(l, read_error_ == ESPIPE ? "not a regular file" : read_error_ != 0 ? std::strerror(read_error_) : why);
}

// False if nothing can be said of the location's events: without the file their numbers and times are those of its
// process.
bool EventDecoder::read_local_definitions(Location& l) {
  if (!archive_.has_local_definitions()) return true;
  const auto path = archive_.local_definition_file(l.id);
  const auto opened = archive_.on_disk(path);
  const std::uint64_t chunk_size = archive_.anchor().definition_chunk_size;
  CheckedFile file = otf2::read_local_definitions(opened, chunk_size, l.local);
  while (close_another(file.open_error)) file = otf2::read_local_definitions(opened, chunk_size, l.local);
  if (file.damage.empty()) return true;
  if (file.ends_early && (l.local.change_events() || archive_.local_definitions_matter())) {
    diagnostics_.add(DiagnosticId::location_unreadable, {l.id, ~Time{0}, path.string() + ": " + file.damage});
    l.local = {};
    l.ended = true;
    return false;
  }
  diagnostics_.add(DiagnosticId::local_definitions_unreadable, {l.id, ~Time{0}, path.string() + ": " + file.damage});
  return true;
}

// --- records ---------------------------------------------------------------------------------------------------------

void EventDecoder::begin_chunk(Location& l) {
  l.chunk = l.position;
  at_ = end_ = window_.data();
  window_end_ = l.position;
  if (!has(l, 1)) return stop(l, l.chunk == 0 ? "the file is empty" : "the file ends without an end mark");
  if (!has(l, chunk_header_size) || at_[0] != mark::chunk_header ||
      (at_[1] != mark::big_endian && at_[1] != mark::little_endian))
    return stop(l, "a chunk without a valid header");
  l.big_endian = at_[1] == mark::big_endian;
  l.in_chunk = true;
  l.stamped = false;
  at_ += chunk_header_size;
}

// Decodes one mark, time stamp, attribute list or event, whatever its length; returns the number of events.
std::size_t EventDecoder::step(Location& l) {
  if (!l.in_chunk) return begin_chunk(l), 0;
  // Usually the window is used up, and run() can continue.
  if (end_ - at_ <= longest_ordinary && !l.stamped && has(l, longest_ordinary + 1)) return 0;
  if (!has(l, 1))
    return stop(l, left_in_chunk(l) == 0 ? "a chunk without an end mark" : "the file ends without an end mark"), 0;
  const std::uint8_t type = at_[0];
  if (type == mark::timestamp) {
    if (!has(l, 10)) return stop(l, "the file ends within a record"), 0;
    if (l.stamped) return stop(l, "two time stamps where one was expected"), 0;
    l.stamped = true;
    l.time = l.local.clock.correct(l.big_endian ? full64<true>(at_ + 1) : full64<false>(at_ + 1));
    at_ += 9;
    return 0;
  }
  if (type == mark::end_of_file) {
    end(l, "");
    return 0;
  }
  if (type == mark::end_of_chunk) {
    l.position = chunk_end(l);
    l.in_chunk = false;
    return 0;
  }
  const bool list = type == mark::attribute_list;
  if (type < first_event_record && !list) return stop(l, "no event record where one was expected"), 0;
  if (!has(l, 2)) return stop(l, "the file ends within a record"), 0;
  const EventType event = type_of(type);
  const bool one_number = has_no_length(event);
  std::uint64_t head = 2, length = at_[1];
  if (length == 255) {
    length = 0;  // "undefined" is a number without further bytes
    if (!one_number) {
      head = 10;
      if (!has(l, head)) return stop(l, "the file ends within a record"), 0;
      length = l.big_endian ? full64<true>(at_ + 2) : full64<false>(at_ + 2);
    }
  } else if (length > 8 && one_number) {
    return stop(l, "a record with invalid contents"), 0;
  }
  if (left_in_chunk(l) - head <= length) return stop(l, "a record that is longer than its chunk"), 0;
  if (!has(l, head + length)) return stop(l, "the file ends within a record"), 0;
  const std::uint8_t* const next = at_ + head + length;
  const bool fits =
      list ? attribute_list(l, at_ + head, next) : contents(l, event, one_number ? at_ + 1 : at_ + head, next);
  if (!fits) return stop(l, "a record with invalid contents"), 0;
  at_ = next;
  l.stamped = false;
  l.events += !list;
  return list ? 0 : 1;
}

// Decodes an event's record of at most 256 bytes, all of which are in the window. Returns the position behind it, or
// null if it is anything else or not valid: step() then says why.
const std::uint8_t* EventDecoder::ordinary(Location& l, const std::uint8_t* record) {
  const Passing by = passing[record[0]];
  const std::uint8_t length = record[1];
  if (by == Passing::no || length > (by == Passing::size_of_number ? 8 : 254)) return nullptr;
  const std::uint8_t* const next = record + 2 + length;
  const bool fits = contents(l, type_of(record[0]), by == Passing::size_of_number ? record + 1 : record + 2, next);
  return fits ? next : nullptr;
}

void EventDecoder::end(Location& l, const std::string& damage) {
  const std::uint64_t announced = archive_.definitions()[l.id].announced_events;
  if (!damage.empty()) {
    const std::string path = archive_.event_file(l.id).string();
    if (l.events != 0)
      diagnostics_.add(DiagnosticId::location_truncated,
                       {l.id, l.last_time, path + ": after " + std::to_string(l.events) + " events: " + damage});
    else if (announced == 0 && l.missing)
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
  if (l.file >= 0) close(l);
  l.local = {};
  l.ended = true;
}

namespace {

constexpr std::size_t no_attribute = 6;

// How the fields of a record become our attributes; derived from the table of event types.
struct Layout {
  std::array<std::uint8_t, 6> place{0, 1, 2, 3, 4, 5};   // places of the attributes in the order of the file
  std::uint8_t rank = no_attribute;                      // the attribute that is a rank or root
  std::uint8_t comm = no_attribute, win = no_attribute;  // the attribute with the communicator or window that the rank
                                                         // belongs to
};

constexpr Layout layout_of(EventType type) {
  Layout layout;
  if (type == EventType::send || type == EventType::isend || type == EventType::recv || type == EventType::irecv ||
      type == EventType::probe) {
    layout.place[1] = 2;  // OTF2's order: peer, communicator, tag, …
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

// The table of definitions that an attribute refers to; ref_kinds if it is not a reference.
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

// The encoding of an attribute.
enum class Coding : std::uint8_t { number32, number64, byte, full };
constexpr Coding coding_of(AttributeKind kind) {
  if (kind == AttributeKind::time) return Coding::full;
  if (attribute_width(kind) == 1 || kind == AttributeKind::io_paradigm) return Coding::byte;
  return attribute_width(kind) == 8 ? Coding::number64 : Coding::number32;
}

// Reads a compressed number: a byte count and as many bytes; count 255 means all ones. False if the count is too large.
template <unsigned largest>
[[gnu::always_inline]] inline bool number(const std::uint8_t*& p, bool big_endian, std::uint64_t& value) {
  const std::uint8_t size = *p++;
  if (size <= largest) {
    value = big_endian ? sized<true>(p, size) : sized<false>(p, size);
    p += size;
    return true;
  }
  value = largest == 4 ? undefined32 : undefined64;
  return size == 255;
}

// Reads an attribute of this kind; false if it is not valid.
template <AttributeKind kind>
[[gnu::always_inline]] inline bool field(const std::uint8_t*& p, bool big_endian, std::uint64_t& value) {
  constexpr Coding coding = coding_of(kind);
  if constexpr (coding == Coding::number32) {
    return number<4>(p, big_endian, value);
  } else if constexpr (coding == Coding::number64) {
    return number<8>(p, big_endian, value);
  } else if constexpr (coding == Coding::byte) {
    value = *p++;
    return true;
  } else {
    value = big_endian ? full64<true>(p) : full64<false>(p);
    p += 8;
    return true;
  }
}

}  // namespace

template <EventType type>
bool EventDecoder::plain(Location& l, const std::uint8_t* p, const std::uint8_t* next) {
  static constexpr EventTypeSpec s = spec(type);
  static constexpr Layout layout = layout_of(type);
  static constexpr auto fields = std::make_index_sequence<s.attribute_count>{};
  std::uint64_t a[std::max<std::size_t>(s.attribute_count, 1)];
  if constexpr (s.attribute_count == 0) a[0] = 0;
  // Both loops over the fields are unrolled: the table says at compile time how each is handled.
  const bool valid = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return (field<s.attribute_table[layout.place[i]].kind>(p, l.big_endian, a[layout.place[i]]) && ...);
  }
  (fields);
  if (!valid || p > next) return false;
  l.last_time = l.time;

  const auto translate = [&]<std::size_t i>() {
    constexpr AttributeKind kind = s.attribute_table[i].kind;
    constexpr auto refers = static_cast<RefKind>(ref_kind_of(kind));
    if constexpr (ref_kind_of(kind) != ref_kinds)
      a[i] = resolve(l, refers, l.local.global(refers, a[i]));
    else if constexpr (kind == AttributeKind::time)
      a[i] = l.local.clock.correct(a[i]);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (translate.template operator()<i>(), ...); }
  (fields);
  if constexpr (layout.rank != no_attribute) {
    CommId comm;
    if constexpr (layout.comm != no_attribute) {
      comm = CommId{a[layout.comm]};
    } else {
      const RmaWinId win{a[layout.win]};
      if (win.valid()) comm = archive_.definitions()[win].comm;
    }
    constexpr bool root = s.attribute_table[layout.rank].kind == AttributeKind::root;
    // Partners of messages that cannot be found are counted together with messages.
    constexpr bool message =
        s.name == "send" || s.name == "isend" || s.name == "recv" || s.name == "irecv" || s.name == "probe";
    a[layout.rank] = locate(l, comm, a[layout.rank], root, !message);
  }
  if constexpr (type == EventType::enter)
    delivery_.enter(sink_, l.time, RegionId{a[0]});
  else if constexpr (type == EventType::exit)
    delivery_.exit(sink_, l.time, RegionId{a[0]});
  else
    delivery_.event(sink_, type, l.time, a, {});
  return true;
}

// Decodes a metric: its number, a count, and for each value its type and the value itself.
bool EventDecoder::metric(Location& l, const std::uint8_t* p, const std::uint8_t* next) {
  std::uint64_t ref = 0;
  if (p >= next || !number<4>(p, l.big_endian, ref) || p >= next) return false;
  tail_.clear();
  for (unsigned n = *p++; n != 0; --n) {
    if (next - p < 2) return false;
    const auto type = static_cast<ValueType>(*p++);
    std::uint64_t value = 0;
    if (!number<8>(p, l.big_endian, value) || p > next) return false;
    tail_.push_back({type, value});
  }
  l.last_time = l.time;
  const std::uint64_t a[6] = {resolve(l, RefKind::metric, l.local.global(RefKind::metric, ref))};
  delivery_.event(sink_, EventType::metric, l.time, a, tail_);
  return true;
}

// Decodes the program's name, a count, and its arguments.
bool EventDecoder::program_begin(Location& l, const std::uint8_t* p, const std::uint8_t* next) {
  std::uint64_t program = 0, n = 0, argument = 0;
  if (p >= next || !number<4>(p, l.big_endian, program) || p >= next || !number<4>(p, l.big_endian, n) || p > next)
    return false;
  if (n > static_cast<std::uint64_t>(next - p)) return false;
  const std::uint8_t* const arguments = p;
  for (std::uint64_t i = 0; i < n; ++i)
    if (p >= next || !number<4>(p, l.big_endian, argument) || p > next) return false;
  l.last_time = l.time;
  const auto string = [&](std::uint64_t ref) {
    return resolve(l, RefKind::string, l.local.global(RefKind::string, ref));
  };
  const std::uint64_t a[6] = {string(program)};
  tail_.clear();
  p = arguments;
  for (std::uint64_t i = 0; i < n; ++i) {
    number<4>(p, l.big_endian, argument);
    tail_.push_back({ValueType::string, string(argument)});
  }
  delivery_.event(sink_, EventType::program_begin, l.time, a, tail_);
  return true;
}

// Decodes a count, and for each attribute its number, type and value. Short and floating-point values are not
// compressed; all others are, including those of unknown types.
bool EventDecoder::attribute_list(Location& l, const std::uint8_t* p, const std::uint8_t* next) {
  const bool big = l.big_endian;
  std::uint64_t n = 0, attribute = 0;
  if (p >= next || !number<4>(p, big, n) || p > next) return false;
  list_.clear();
  for (; n != 0; --n) {
    if (p >= next || !number<4>(p, big, attribute) || p >= next) return false;
    const auto type = static_cast<OTF2_Type>(*p++);
    OTF2_AttributeValue value{};
    std::uint64_t bits = 0;
    unsigned bytes = 0;
    switch (type) {
      case OTF2_TYPE_UINT8:
      case OTF2_TYPE_INT8:
        bytes = 1;
        break;
      case OTF2_TYPE_UINT16:
      case OTF2_TYPE_INT16:
        bytes = 2;
        break;
      case OTF2_TYPE_FLOAT:
        bytes = 4;
        break;
      case OTF2_TYPE_DOUBLE:
        bytes = 8;
        break;
      default:
        break;
    }
    if (bytes == 0) {
      if (p >= next || !number<8>(p, big, bits) || p > next) return false;
    } else {
      if (next - p < static_cast<std::ptrdiff_t>(bytes)) return false;
      bits = big ? sized<true>(p, bytes) : sized<false>(p, bytes);
      p += bytes;
    }
    if (!keep_lists_) continue;
    if (bytes == 1)
      value.uint8 = static_cast<std::uint8_t>(bits);
    else if (bytes == 2)
      value.uint16 = static_cast<std::uint16_t>(bits);
    else if (bytes == 4)
      value.float32 = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if (bytes == 8 || type == OTF2_TYPE_UINT64 || type == OTF2_TYPE_INT64 || type == OTF2_TYPE_LOCATION)
      value.uint64 = bits;  // for a double, its bits
    else
      value.uint32 = static_cast<std::uint32_t>(bits);
    Value v = recorded_value(type, value);
    if (const auto kind = referred_kind(v.type)) v.bits = resolve(l, *kind, l.local.global(*kind, v.bits));
    list_.push_back({AttributeId{resolve(l, RefKind::attribute, l.local.global(RefKind::attribute, attribute))}, v});
  }
  if (!list_.empty()) delivery_.list(sink_, list_);
  return true;
}

// Delivers an event whose fields are in [p, next); false if they do not fit there.
bool EventDecoder::contents(Location& l, EventType type, const std::uint8_t* p, const std::uint8_t* next) {
  using Contents = bool (EventDecoder::*)(Location&, const std::uint8_t*, const std::uint8_t*);
  static constexpr auto by_type = []<std::size_t... i>(std::index_sequence<i...>) {
    std::array<Contents, sizeof...(i)> table{&EventDecoder::plain<static_cast<EventType>(i)>...};
    table[static_cast<std::size_t>(EventType::unknown)] = &EventDecoder::unknown;
    table[static_cast<std::size_t>(EventType::metric)] = &EventDecoder::metric;
    table[static_cast<std::size_t>(EventType::program_begin)] = &EventDecoder::program_begin;
    return table;
  }
  (std::make_index_sequence<recorded_event_type_count>{});
  return (this->*by_type[static_cast<std::size_t>(type)])(l, p, next);
}

bool EventDecoder::unknown(Location& l, const std::uint8_t*, const std::uint8_t*) {
  l.last_time = l.time;
  ++l.unknown;
  delivery_.event(sink_, EventType::unknown, l.time, nullptr, {});
  return true;
}

std::uint32_t EventDecoder::unresolved(Location& l, RefKind kind, std::uint64_t ref) {
  if (is_undefined(kind, ref) || (kind == RefKind::io_paradigm && ref == OTF2_UNDEFINED_IO_PARADIGM))
    return RefTable::none;
  if (l.undefined++ == 0)
    l.first_undefined =
        std::string(kind_name(kind)) + " " + std::to_string(ref) + ", in an event at " + std::to_string(l.last_time);
  return RefTable::none;
}

// Resolves a rank that is not a member's of an ordinary communicator; a root may be such on purpose.
std::uint64_t EventDecoder::locate_other(Location& l, CommId comm, std::uint64_t rank, bool root, bool count) {
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

}  // namespace waitstate::otf2
