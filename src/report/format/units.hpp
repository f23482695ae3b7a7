// Ticks, counts and bytes as people read them. The only place where ticks become seconds.
//
// A duration has four digits and the unit in which they say most, in sentences, tables, the page and Python alike:
// 2.059 s, 273.3 ms, 5.012 µs. So the same value looks the same everywhere, and none looks like zero. A point in time
// has as many decimals of a second as all others of its report, so that two can be told apart and given to --time.
#pragma once

#include <cstdint>
#include <string>

#include "util/text.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::report {

class Seconds {
 public:
  /// `largest`: the largest duration of the report, in ticks.
  Seconds(const Clock& clock, Ticks largest);

  double value(std::int64_t ticks) const { return static_cast<double>(ticks) / resolution_; }
  /// e.g. "273.3 ms"; see duration_text().
  std::string duration(std::int64_t ticks) const;
  /// A point in time, as ticks since the first event, e.g. "0.152340 s": microseconds, but nanoseconds in a report
  /// whose largest duration is less than 0.1 s, and milliseconds from 10,000 s on.
  std::string instant(std::int64_t ticks) const;

 private:
  double resolution_;
  int decimals_;
};

/// Share in percent with one decimal, e.g. "12.5"; "<0.1" for less than half of that but not nothing; "-" of nothing.
std::string percent(std::int64_t part, std::int64_t whole);
/// Four digits in s, ms, µs or ns: "273.3 ms"; "12,346 s" where these do not suffice for whole seconds; "0 s".
std::string duration_text(double seconds, int digits = 4);
/// With six significant digits, e.g. "0.0123457".
std::string brief_number(double value);
/// e.g. "1.5 MiB (1,572,864)"; below 1 KiB only the number.
std::string bytes(std::int64_t number);
using util::count;
using util::grouped;

}  // namespace waitstate::report
