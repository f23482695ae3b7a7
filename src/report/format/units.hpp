// Ticks, counts and bytes as people read them. The only place where ticks become seconds.
//
// A report shows all its durations with the same number of decimals, chosen from the largest of them, so that columns
// align and numbers can be compared by eye: microseconds, but nanoseconds of less than 0.1 s and milliseconds of 10,000
// s and more.
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
  /// Without unit, e.g. "0.152340".
  std::string text(std::int64_t ticks) const;
  /// For sentences, in seconds as all else, with about three digits, e.g. "0.273 s", "0.00152 s".
  std::string brief(std::int64_t ticks) const;

 private:
  double resolution_;
  int decimals_;
};

/// Share in percent with one decimal, e.g. "12.5"; "<0.1" for less than half of that but not nothing; "-" of nothing.
std::string percent(std::int64_t part, std::int64_t whole);
/// Like brief(), but takes seconds.
std::string brief_seconds(double seconds, int most_decimals = 9);
/// With six significant digits, e.g. "0.0123457".
std::string brief_number(double value);
/// e.g. "1.5 MiB (1,572,864)"; below 1 KiB only the number.
std::string bytes(std::int64_t number);
using util::count;
using util::grouped;

}  // namespace waitstate::report
