// One event as in EARL: a position, a time, a location, a type, attributes by name, and links to earlier events.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// An entry of an event's attribute list.
struct ListedAttribute {
  AttributeId attribute;
  Value value;
  friend bool operator==(const ListedAttribute&, const ListedAttribute&) = default;
};

/// A copy of one event: valid on its own, for as long as the caller likes.
/// Links are positions of earlier events, or no_position where there is none.
struct Event {
  Position pos = no_position;  ///< number in the stream, from 0; no_position for an event outside of the stream
  Time time = 0;               ///< timer ticks
  LocationId loc;
  EventType type = EventType::unknown;

  /// Fixed attributes in the order of spec(type).attributes(), each widened to 64 bits (signed ones sign-extended;
  /// references are ids, none is 0xffffffff).
  std::array<std::uint64_t, 6> attributes{};
  /// Counter values of `metric`, arguments of `program_begin` (as strings).
  std::vector<Value> tail;
  /// The attribute list, if the trace was opened with attribute lists kept.
  std::vector<ListedAttribute> list;

  CallPathId callpath;                ///< call path of the region instance in which it happened; for enter and exit,
                                      ///< their own
  Position enterptr = no_position;    ///< enter of the region instance in which it happened; for an exit, its own enter
  Position sendptr = no_position;     ///< recv, irecv → the matching send
  Position requestptr = no_position;  ///< completion, test or cancel → the event that started the request
  Position beginptr = no_position;    ///< collective_end → its collective_begin
  Position startptr = no_position;    ///< put_1te → its put_1ts; get_1te → its get_1ts
  Position originptr = no_position;   ///< get_1ts → its get_1to

  /// The value of an attribute, e.g. get("dest"); nothing if this type has no attribute of this name.
  std::optional<std::uint64_t> get(std::string_view name) const;

  RegionId region() const { return RegionId{attributes[0]}; }    ///< for enter and exit
  LocationId peer() const { return LocationId{attributes[0]}; }  ///< dest of a send, src of a receive
  std::uint32_t tag() const { return static_cast<std::uint32_t>(attributes[1]); }
  CommId com() const { return CommId{attributes[2]}; }
  std::uint64_t len() const { return attributes[3]; }
};

}  // namespace waitstate
