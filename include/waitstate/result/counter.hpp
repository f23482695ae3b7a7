// Counters: what METRIC events tell, added up per call path. Each counter that has values in a trace is a metric of its
// own in the result, named as the recorder named it (PAPI_TOT_CYC), so that it stands beside times and wait states.
//
// Asynchronous recorders (MetricOccurrence::asynchronous: power, network, PAPI of a whole process) run beside the
// program on locations of their own, outside of every region. Their values are about an interval of time of whatever
// the metric instance's scope names. They are charged to that location if the scope is one location, and to the
// recorder's own if it is a process, a node or several locations; in the region "(unknown region)" in either case,
// because the call paths that the interval covers had each an unknown share of it. So the sums of locations are right,
// and none of a call path is made up. What a thread records itself, also at times of the recorder's choice, is charged
// to the call path that it is in.
//
// A value belongs to the call path where the time was spent that it is about, also if it is recorded just after the
// enter or exit at which that ends; and a state that is read at an exit to the call just left. Recorders declare levels
// (power, load) as accumulated counters too. One that falls and rises on any location, other than a counter that is
// reset now and then does, is a level everywhere: its kind is absolute, of points in time, and
// DiagnosticId::counter_level names it.
//
// Severities are integers: of an integer counter its sum, of others as many quanta of MetricInfo::scale. What is more
// to say than a sum is here: how many values there are, the smallest and the largest, and what a mean is taken over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// What a counter's values are (OTF2_MetricMode).
enum class CounterKind : std::uint8_t {
  accumulated,  ///< ever growing: differences are charged
  absolute,     ///< a state: memory in use, power, temperature
  relative,     ///< differences already
};
/// What time a value is about (OTF2_MetricMode).
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

/// From MetricMember::mode; what OTF2 does not define is taken as accumulated and start.
CounterKind counter_kind(const MetricMember& member);
CounterTiming counter_timing(const MetricMember& member);

/// A counter in one call path (exclusive of callees) on one location.
struct CounterRow {
  CallPathId callpath;
  LocationId location;
  std::uint64_t samples = 0;  ///< number of values; of an accumulated counter: of differences
  /// What the sum is divided by for a mean: ticks of an absolute counter whose values hold for a time, else samples.
  std::uint64_t weight = 0;
  double least = 0, greatest = 0;  ///< single values (differences), in the counter's unit
  friend bool operator==(const CounterRow&, const CounterRow&) = default;
};

/// A counter of a trace. Its severities are those of `metric`.
struct Counter {
  MetricIndex metric = no_metric;
  CounterKind kind{};  ///< as recorded; absolute for a level that is recorded as accumulated
  CounterTiming timing{};
  std::string unit;              ///< of its values, as recorded; that of the severities is MetricInfo::unit_name
  std::vector<CounterRow> rows;  ///< by call path and location

  /// Its values hold for a time: the severity is value times seconds, and weights are ticks.
  bool weighted() const {
    return kind == CounterKind::absolute && (timing == CounterTiming::last || timing == CounterTiming::next);
  }
  /// All rows together: samples, weight, least and greatest. No call path, no location.
  CounterRow total() const;
};

}  // namespace waitstate
