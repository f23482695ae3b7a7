// A point: a record at which a location met others. It says who came later, how long this location waited, and which
// part of the call came after all were there. 72 bytes.
//
// A point is named by its location and its number in that location's log, the order in which it came: so what is known
// of a location can be kept and judged where its events are, and only names travel.
#pragma once

#include <cstdint>

#include "causes/kinds.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::causes {

struct PointId {
  static constexpr std::uint32_t no_number = 0x7fffffff, away = 0x80000000;
  LocationId location{};
  std::uint32_t number = no_number;  ///< among those of its location; with `away`: among the points that a worker has
                                     ///< for that location's home (away_points.hpp), while a trace is read

  bool is_away() const { return (number & away) != 0; }
  bool operator==(const PointId&) const = default;
};
inline constexpr PointId no_point{};
inline constexpr std::uint32_t no_group = 0xffffffffu;

struct Point {
  static constexpr unsigned other_bits = 0x3f;

  LocationId location;
  CallPathId callpath;
  Time enter = 0, record = 0;      ///< when the call was entered; the time of the record in it
  Ticks total = 0;                 ///< time of the call
  Ticks wait = 0;                  ///< 0 if it did not wait
  Ticks completion = 0;            ///< time of the call after all partners had come
  PointId culprit = no_point;      ///< the point that it waited for
  std::uint32_t group = no_group;  ///< a collective operation's number in OperationGroups, a fork's number in
                                   ///< Teams::forks, or the communicator of a team's barrier
  LocationId met;                  ///< the partner of a message; for a waiter in a one-to-all operation, the root
  std::uint32_t before = PointId::no_number;  ///< the location's point before it, in the order of time
  std::uint16_t call = 0;                     ///< Call::number; 0 if it is not known
  PointKind kind{};
  bool on_path : 1 = false;     ///< the critical path came by
  bool leads_back : 1 = false;  ///< from the stream of this kernel the path finds the way back to a host thread
  std::uint8_t other : 6 = 0;   ///< the low bits of Call::number of the partner, or of the operation's communicator:
                                ///< they put points in order that are equal otherwise

  PointId point_before() const { return before == PointId::no_number ? no_point : PointId{location, before}; }
};
static_assert(sizeof(Point) == 72);

/// Negative if `to` lies before `from`.
inline Ticks ticks_from(Time from, Time to) {
  return to > from ? static_cast<Ticks>(to - from) : -static_cast<Ticks>(from - to);
}

inline Point make_point(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion) {
  Point p;
  p.location = call.location;
  p.callpath = call.callpath;
  p.call = call.number;
  p.enter = call.enter;
  p.record = record;
  p.total = ticks_from(call.enter, call.exit);
  p.wait = wait;
  p.completion = completion;
  p.kind = kind;
  return p;
}

}  // namespace waitstate::causes
