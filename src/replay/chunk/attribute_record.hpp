// How an event's attributes lie in memory: the fixed ones one after the other in the widths of event_type.hpp, then the
// tail (counter values, program arguments), then the attribute list, each only where the type has one. Used by the
// chunks of a location and by the event store, so that moving an event from one to the other is a copy.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "waitstate/trace/event.hpp"

namespace waitstate::replay {

/// Marks a stored type whose record ends with an attribute list.
inline constexpr std::uint8_t list_flag = 0x80;
static_assert(event_type_count < list_flag);
constexpr EventType with_list(EventType t) { return static_cast<EventType>(static_cast<std::uint8_t>(t) | list_flag); }
constexpr bool has_list(EventType t) { return (static_cast<std::uint8_t>(t) & list_flag) != 0; }
constexpr EventType without_list(EventType t) {
  return static_cast<EventType>(static_cast<std::uint8_t>(t) & ~list_flag);
}

/// Types other than enter and exit that change the region stack: their record begins with a call path (0: they did
/// not).
constexpr bool is_stack_event(EventType t) {
  return t == EventType::program_begin || t == EventType::program_end || t == EventType::calling_context_enter ||
         t == EventType::calling_context_exit;
}
constexpr bool opens_region(EventType t) {
  return t == EventType::enter || t == EventType::program_begin || t == EventType::calling_context_enter;
}
constexpr bool closes_region(EventType t) {
  return t == EventType::exit || t == EventType::program_end || t == EventType::calling_context_exit;
}

inline void append_number(std::vector<std::uint8_t>& out, std::uint64_t value, std::size_t width) {
  const std::size_t at = out.size();
  out.resize(at + width);
  std::memcpy(out.data() + at, &value, width);  // little endian, as every machine that OTF2 libraries run on
}
inline std::uint64_t read_number(const std::uint8_t*& in, std::size_t width) {
  std::uint64_t value = 0;
  std::memcpy(&value, in, width);
  in += width;
  return value;
}

/// The widths of a type's fixed attributes, looked up instead of added up for each event; and copies of a number in
/// each width, which are single instructions where memcpy() with a width that varies is a call.
struct RecordWidths {
  std::uint8_t sum = 0;
  std::array<std::uint8_t, 6> each{};
};
inline constexpr auto record_widths = [] {
  std::array<RecordWidths, event_type_count> table{};
  for (std::size_t t = 0; t < event_type_count; ++t) {
    const EventTypeSpec& s = spec(static_cast<EventType>(t));
    table[t].sum = static_cast<std::uint8_t>(s.width());
    for (std::size_t i = 0; i < s.attribute_count; ++i)
      table[t].each[i] = static_cast<std::uint8_t>(attribute_width(s.attribute_table[i].kind));
  }
  return table;
}();
inline void store_attribute(std::uint8_t*& at, std::uint64_t value, std::size_t width) {
  switch (width) {
    case 1:
      std::memcpy(at, &value, 1);
      break;
    case 4:
      std::memcpy(at, &value, 4);
      break;
    default:
      std::memcpy(at, &value, 8);
  }
  at += width;
}
inline std::uint64_t load_attribute(const std::uint8_t*& in, std::size_t width) {
  switch (width) {
    case 1:
      return read_number(in, 1);
    case 4:
      return read_number(in, 4);
    default:
      return read_number(in, 8);
  }
}

inline void append_value(std::vector<std::uint8_t>& out, const Value& v) {
  append_number(out, static_cast<std::uint8_t>(v.type), 1);
  append_number(out, v.bits, 8);
}
inline Value read_value(const std::uint8_t*& in) {
  const auto type = static_cast<ValueType>(read_number(in, 1));
  return {type, read_number(in, 8)};
}

inline void append_attributes(std::vector<std::uint8_t>& out, EventType type, const std::uint64_t* attributes,
                              std::span<const Value> tail) {
  const EventTypeSpec& s = spec(type);
  const RecordWidths& widths = record_widths[static_cast<std::size_t>(type)];
  const std::size_t begin = out.size();
  out.resize(begin + widths.sum);
  std::uint8_t* at = out.data() + begin;
  for (std::size_t i = 0; i < s.attribute_count; ++i) store_attribute(at, attributes[i], widths.each[i]);
  if (!s.has_tail) return;
  append_number(out, tail.size(), 4);
  for (const Value& v : tail) append_value(out, v);
}
inline void append_list(std::vector<std::uint8_t>& out, std::span<const ListedAttribute> list) {
  append_number(out, list.size(), 4);
  for (const ListedAttribute& a : list) {
    append_number(out, a.attribute.value, 4);
    append_value(out, a.value);
  }
}

/// Reads attributes, tail and list of a record into `event` (whose type is set) and leaves `in` behind it.
inline void read_record(const std::uint8_t*& in, bool list, Event& event) {
  const EventTypeSpec& s = spec(event.type);
  const RecordWidths& widths = record_widths[static_cast<std::size_t>(event.type)];
  for (std::size_t i = 0; i < s.attribute_count; ++i) event.attributes[i] = load_attribute(in, widths.each[i]);
  if (s.has_tail) {
    event.tail.resize(read_number(in, 4));
    for (Value& v : event.tail) v = read_value(in);
  }
  if (list) {
    event.list.resize(read_number(in, 4));
    for (ListedAttribute& a : event.list) {
      a.attribute = AttributeId{read_number(in, 4)};
      a.value = read_value(in);
    }
  }
}

/// Length in bytes of the record that begins at `in`, without the call path of a stack event.
inline std::size_t record_size(const std::uint8_t* in, EventType type, bool list) {
  const std::uint8_t* const begin = in;
  const EventTypeSpec& s = spec(type);
  in += record_widths[static_cast<std::size_t>(type)].sum;
  if (s.has_tail) {
    const std::uint64_t n = read_number(in, 4);
    in += n * 9;
  }
  if (list) {
    const std::uint64_t n = read_number(in, 4);
    in += n * 13;
  }
  return static_cast<std::size_t>(in - begin);
}

}  // namespace waitstate::replay
