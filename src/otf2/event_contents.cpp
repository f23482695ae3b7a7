// EventDecoder: what is inside the records of events, driven by the table of event types.
//
// Nothing is delivered or counted of a record whose fields do not fit into it. Numbers are read without looking where
// the record ends, which is checked behind the last one: the window's padding is as long as six numbers can be.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "otf2/event_reader.hpp"
#include "otf2/event_records.hpp"

namespace waitstate::otf2 {

namespace {

constexpr std::size_t no_attribute = 6;

// How the fields of a record become our attributes: derived from the table of event types.
struct Layout {
  std::array<std::uint8_t, 6> place{0, 1, 2, 3, 4, 5};   // of the fields in the order of the file
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

// How an attribute is written.
enum class Coding : std::uint8_t { number32, number64, byte, full };
constexpr Coding coding_of(AttributeKind kind) {
  if (kind == AttributeKind::time) return Coding::full;
  if (attribute_width(kind) == 1 || kind == AttributeKind::io_paradigm) return Coding::byte;
  return attribute_width(kind) == 8 ? Coding::number64 : Coding::number32;
}

// A compressed number: a byte count and as many bytes; count 255 means all ones. False if the count is too large.
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

// An attribute of that kind; false if it is not valid.
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
  // Both loops over the fields are unrolled: what is done with each is known from the table when this is compiled.
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
    // Partners of messages that cannot be found are counted where messages are.
    constexpr bool message = s.name == "send" || s.name == "isend" || s.name == "recv" || s.name == "irecv";
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

// A metric, a count, and for each value its type and the value itself.
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

// The program's name, a count, and its arguments.
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

// A count, and for each attribute its number, type and value. Short and floating-point values are not compressed, all
// others are, those of unknown types too.
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
      value.uint64 = bits;  // or a double, by its bits
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

// A rank that is no member's of an ordinary communicator, which a root may be on purpose.
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
