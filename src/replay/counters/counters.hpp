// Sums of one location's METRIC events, by call path: hardware counters, memory in use, power.
//
// OTF2 says for each member of a metric what its values mean, and what is added up follows from that:
//
//   accumulated   the difference to the previous value of the same location. The first value only says from where to
//                 count.
//   absolute      for a point in time: the values, and how many there are. For the time since the last or until the
//                 next record: value times ticks, and the ticks, charged at the later of the two records.
//   relative      the values.
//
// What is about a time is charged to the call path where that time was spent, what is about a point in time to the one
// that is current. Score-P writes a record just before the enter or exit that it belongs to: then both are the call
// path where the record stands. APEX and CASITA write it just after, with the time stamp of the enter or exit: then
// what is about a time belongs to the call just left, or to the caller of the one just entered; and a state that is
// read at an exit is still one of the call just left. A record is taken to be of the event before it if both have the
// same time and the metric's last record is earlier, or was of the event before it too.
//
// An accumulated value that falls to less than half was reset, as far as one record tells: a counter starts again near
// zero. What was counted meanwhile is not known, and nothing is charged. But recorders declare levels - power, load,
// frequency - as accumulated too, and only the whole trace tells: so both is added up, differences and values, and
// CounterMoves says in the end which of them holds. See there for the rule.
//
// Values that are not numbers are counted as damage. Integers are added in 128 bits and doubles exactly, so neither
// order nor grouping changes a sum. Nothing of this exists before the location's first METRIC event; memory follows the
// call paths that have values. A record costs a lookup by call path, and a few nanoseconds a value.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "util/exact_sum.hpp"
#include "waitstate/result/counter.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::replay {

__extension__ using Int128 = __int128;

/// The sum of values of one counter. Integers and doubles may mix.
struct CounterSum {
  std::uint64_t samples = 0;       ///< values (of an accumulated counter: differences) in it
  std::uint64_t weight = 0;        ///< ticks, where values are weighted with time; else samples
  Int128 whole = 0;                ///< sum of the integers
  util::ExactSum real;             ///< sum of the doubles
  double least = 0, greatest = 0;  ///< single values; meaningless without samples

  /// `ticks`: that the value is to be weighted with, or null.
  void add(const Value& value, const std::uint64_t* ticks);
  /// later - earlier, which are of one kind.
  void add_difference(const Value& earlier, const Value& later);
  void add(const CounterSum& other);

  template <class Archive>
  void travel(Archive& archive) {
    archive(samples, weight, whole, real, least, greatest);
  }

 private:
  void count(double value, std::uint64_t ticks);
};

/// The moves of an accumulated counter, on one location or on all: they tell a counter from a level.
///
/// It is a level if it falls, other than to less than half of its value, by more than a hundredth of what it rises; or
/// if it falls to less than half at least twice, and two thirds as often as it rises. Everything else is a counter that
/// was reset where it falls: a jump back of hardware counters that share a register is small against what they count,
/// and a program that resets a counter lets it grow in between.
struct CounterMoves {
  std::uint64_t rises = 0, restarts = 0;  ///< records above the last; falls to less than half, but not below zero
  Int128 whole_risen = 0, whole_fallen = 0;
  util::ExactSum real_risen, real_fallen;
  Diagnostics falls;  ///< counter_reset, for all of them

  /// From `earlier` to `later`, which are of one kind; true if it fell.
  bool add(const Value& earlier, const Value& later);
  void add(const CounterMoves& other);
  bool level() const;

  template <class Archive>
  void travel(Archive& archive) {
    archive(rises, restarts, whole_risen, whole_fallen, real_risen, real_fallen, falls);
  }
};

/// Sums of a location in one of its call paths.
struct PathCounter {
  std::uint32_t callpath = 0;  ///< number in the location's own tree
  MetricMemberId member;
  LocationId location;  ///< location that the values are about: the location itself, or the one that it records for
  CounterSum sum;
  bool as_level = false;  ///< in an accumulated counter: what holds if it turns out to be a level
};

/// Where in the program a value belongs: a call path, in a segment as in TeamRecord or in none (0).
struct CounterPlace {
  std::uint32_t segment = 0, callpath = 0;
  bool operator==(const CounterPlace&) const = default;
};

/// When and where a METRIC event stands.
struct CounterMoment {
  Time now = 0;
  std::uint64_t stack_events = 0;  ///< enters and exits so far
  CounterPlace current;            ///< where the record stands
  bool after_event = false;        ///< the enter or exit before it has the same time
  bool after_exit = false;         ///< the event before is an exit
  CounterPlace time_before;        ///< where time was spent up to that
};

class LocationCounters {
 public:
  /// Counts from `from` to before `to`.
  LocationCounters(const Definitions& definitions, LocationId location, Time from, Time to)
      : definitions_(definitions), location_(location), from_(from), to_(to) {}

  void record(MetricId metric, std::span<const Value> values, const CounterMoment& moment, Diagnostics& diagnostics);
  /// Moves the sums of a segment (0: of what is in none) to the end of `to`; returns how many.
  std::uint32_t take(std::uint32_t segment, std::vector<PathCounter>& to);
  /// How the accumulated counters moved, to be taken once, at the end.
  std::vector<std::pair<MetricMemberId, CounterMoves>> take_moves();

 private:
  struct Member {
    MetricMemberId id;
    CounterKind kind{};
    CounterTiming timing{};
    bool known = false;  ///< `last` is
    Value last;
    Time last_time = 0;
    CounterMoves moves;  ///< only of an accumulated counter
  };
  struct Source {
    std::vector<Member> members;
    LocationId location;
    std::uint64_t stack_events = 0;
    Time last_time = ~Time{0};  ///< time of the last record
    bool after = false;         ///< the last record was of the enter or exit before it
  };
  struct Sums {
    CounterSum sum, level;  ///< the latter of accumulated counters only
  };
  using Key = std::tuple<std::uint32_t, std::uint32_t, MetricId>;  // segment, call path, metric

  Source& source(MetricId metric);
  void add_weighted(Member& member, const Value& value, Time now, CounterSum& sum) const;

  const Definitions& definitions_;
  LocationId location_;
  Time from_, to_;
  std::map<MetricId, Source> sources_;
  std::map<Key, std::vector<Sums>> sums_;  ///< by member of the metric, as far as there were values
};

}  // namespace waitstate::replay
