// What one location's METRIC events add up to, by call path: hardware counters, memory in use, power.
//
// OTF2 says of each member of a metric how its values are to be understood, and so does what is added up:
//
//   accumulated   the difference to the previous value of the same location, charged to the call path that is current
//                 where the record stands. Strictly synchronous counters are recorded just before each enter and exit:
//                 that is the region which ran between two records. The first value only says from where to count.
//   absolute      of a point in time: the values, and how many there are. Of the time since the last or until the next
//                 record: value times ticks, and the ticks, charged where the later of the two records stands.
//   relative      the values.
//
// An accumulated value that falls was reset: what was counted meanwhile is not known, nothing is charged, and it is
// counted as damage. So are values that are no numbers. Integers are added in 128 bits and doubles exactly, so neither
// order nor grouping changes a sum. Nothing of this exists before the location's first METRIC event; memory follows the
// call paths that have values. A record costs a lookup by call path, and a few nanoseconds a value.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "util/exact_sum.hpp"
#include "waitstate/counter.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"

namespace waitstate::replay {

__extension__ using Int128 = __int128;

/// What values of one counter add up to. Integers and doubles may mix.
struct CounterSum {
  std::uint64_t samples = 0;       ///< values (of an accumulated counter: differences) in it
  std::uint64_t weight = 0;        ///< ticks, where values are weighted with time; else samples
  Int128 whole = 0;                ///< of integers
  util::ExactSum real;             ///< of doubles
  double least = 0, greatest = 0;  ///< single values; meaningless without samples

  /// `ticks`: that the value is to be weighted with, or null.
  void add(const Value& value, const std::uint64_t* ticks);
  /// later - earlier, which are of one kind.
  void add_difference(const Value& earlier, const Value& later);
  void add(const CounterSum& other);

 private:
  void count(double value, std::uint64_t ticks);
};

/// Sums of a location in one of its call paths.
struct PathCounter {
  std::uint32_t callpath = 0;  ///< number in the location's own tree
  MetricMemberId member;
  LocationId location;  ///< that the values are about: the location itself, or the one that it records for
  CounterSum sum;
};

class LocationCounters {
 public:
  /// Counts from `from` to before `to`.
  LocationCounters(const Definitions& definitions, LocationId location, Time from, Time to)
      : definitions_(definitions), location_(location), from_(from), to_(to) {}

  /// A record at `now` in the call path with that number. `segment` as in TeamRecord, 0 outside of segments;
  /// `stack_events` is the number of enters and exits so far.
  void record(MetricId metric, std::span<const Value> values, Time now, std::uint32_t segment, std::uint32_t callpath,
              std::uint64_t stack_events, Diagnostics& diagnostics);
  /// Moves the sums of a segment (0: of what is in none) to the end of `to`; returns how many.
  std::uint32_t take(std::uint32_t segment, std::vector<PathCounter>& to);

 private:
  struct Member {
    MetricMemberId id;
    CounterKind kind{};
    CounterTiming timing{};
    bool known = false;  ///< `last` is
    Value last;
    Time last_time = 0;
  };
  struct Source {
    std::vector<Member> members;
    LocationId location;
    std::uint64_t stack_events = 0;
  };
  using Key = std::tuple<std::uint32_t, std::uint32_t, MetricId>;  // segment, call path, metric

  Source& source(MetricId metric);
  void add_weighted(Member& member, const Value& value, Time now, CounterSum& sum) const;

  const Definitions& definitions_;
  LocationId location_;
  Time from_, to_;
  std::map<MetricId, Source> sources_;
  std::map<Key, std::vector<CounterSum>> sums_;  ///< by member of the metric, as far as there were values
};

}  // namespace waitstate::replay
