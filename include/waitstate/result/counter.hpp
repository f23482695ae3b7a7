// Counters: the values of METRIC events, added up per call path. Each counter that has values in a trace is a metric of
// its own in the result, named as the recorder named it (PAPI_TOT_CYC), so that it stands beside times and wait states.
//
// Asynchronous recorders (MetricOccurrence::asynchronous: power, network, PAPI of a whole process) run beside the
// program on locations of their own, outside of every region. Their values are about an interval of time of whatever
// the metric instance's scope names. They are charged to that location if the scope is one location, and to the
// recorder's own if it is a process, a node or several locations; in the region "(unknown region)" in either case,
// because each call path in the interval had an unknown share of the value. So the sums of locations are right, and
// none of a call path is made up. Values that a thread records itself, also at times of the recorder's choice, are
// charged to the call path that it is in.
//
// A value belongs to the call path in which the time was spent that it is about, even if it is recorded just after the
// enter or exit at which that time ends; a state that is read at an exit belongs to the call just left. Recorders
// declare levels (power, load) as accumulated counters too. A counter that falls and rises on any location, except one
// that is reset now and then, is a level everywhere: its kind is absolute, of points in time, and
// DiagnosticId::counter_level names it.
//
// Severities are integers: for an integer counter its sum, for others a number of quanta of MetricInfo::scale. The
// structs here add to the sum the number of values, the smallest and the largest, and the weight of a mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// The meaning of a counter's values (OTF2_MetricMode).
enum class CounterKind : std::uint8_t {
  accumulated,  ///< ever growing; differences are charged
  absolute,     ///< a state, such as memory in use, power or temperature
  relative,     ///< the values are differences already
};
/// The time that a value is about (OTF2_MetricMode).
enum class CounterTiming : std::uint8_t { start, point, last, next };
namespace detail {
template <>
struct EnumNames<CounterKind> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"accumulated", "absolute", "relative"};
};
template <>
struct EnumNames<CounterTiming> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"start", "point", "last", "next"};
};
}  // namespace detail

/// From MetricMember::mode; values that OTF2 does not define are taken as accumulated and start.
CounterKind counter_kind(const MetricMember& member);
CounterTiming counter_timing(const MetricMember& member);

/// A counter in one call path (exclusive of callees) on one location.
struct CounterRow {
  CallPathId callpath;
  LocationId location;
  std::uint64_t samples = 0;  ///< number of values; for an accumulated counter, of differences
  /// The divisor of the sum for a mean: ticks for an absolute counter whose values hold for a time, else samples.
  std::uint64_t weight = 0;
  double least = 0, greatest = 0;  ///< smallest and largest single value (difference), in the counter's unit
  friend bool operator==(const CounterRow&, const CounterRow&) = default;
};

/// A counter of a trace. Its severities are those of `metric`.
struct Counter {
  MetricIndex metric = no_metric;
  CounterKind kind{};  ///< as recorded; absolute for a level that is recorded as accumulated
  CounterTiming timing{};
  std::string unit;              ///< unit of its values, as recorded; the unit of the severities is
                                 ///< MetricInfo::unit_name
  std::vector<CounterRow> rows;  ///< by call path and location

  /// True if its values hold for a time: the severity is value times seconds, and weights are ticks.
  bool weighted() const {
    return kind == CounterKind::absolute && (timing == CounterTiming::last || timing == CounterTiming::next);
  }
  /// The sum of all rows: samples, weight, least and greatest; without call path and location.
  CounterRow total() const;
};

}  // namespace waitstate
