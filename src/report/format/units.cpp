#include "report/format/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace waitstate::report {
namespace {

constexpr const char* time_units[] = {"s", "ms", "µs", "ns"};

}  // namespace

Seconds::Seconds(const Clock& clock, Ticks largest) : resolution_(static_cast<double>(clock.resolution)) {
  const double seconds = value(largest);
  decimals_ = seconds < 0.1 ? 9 : seconds < 10'000 ? 6 : 3;
}

std::string Seconds::duration(std::int64_t ticks) const { return duration_text(value(ticks)); }

std::string Seconds::instant(std::int64_t ticks) const {
  const std::string text = fmt::format("{:.{}f} s", value(ticks), decimals_);
  const bool looks_like_zero = text.find_first_of("123456789") == text.npos;
  return ticks != 0 && looks_like_zero ? duration(ticks) : text;
}

std::string duration_text(double seconds, int digits) {
  if (seconds == 0) return "0 s";
  // The largest unit in which the rounded value is at least 1; less than a nanosecond has no unit of its own.
  double value = std::abs(seconds);
  std::size_t unit = 0;
  const double rounding = 0.5 * std::pow(10., 1 - digits);
  for (; value < 1 - rounding / 10 && unit + 1 < std::size(time_units); ++unit) value *= 1000;
  const std::string sign = seconds < 0 ? "-" : "";
  if (value < 1 - rounding / 10) return fmt::format("{}{:.{}g} {}", sign, value, digits, time_units[unit]);
  int decimals = digits - 1;  // one less for each digit before the point
  for (double limit = 10; decimals > 0 && value >= limit - rounding * limit / 10; limit *= 10) --decimals;
  if (decimals > 0) return fmt::format("{}{:.{}f} {}", sign, value, decimals, time_units[unit]);
  return fmt::format("{}{} {}", sign, grouped(std::llround(value)), time_units[unit]);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part != 0 && std::abs(share) < 0.05) return share > 0 ? "<0.1" : "-0.0";
  return fmt::format("{:.1f}", share);
}

std::string brief_number(double value) { return fmt::format("{:.6g}", value); }

std::string bytes(std::int64_t number) {
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (number < 1024) return grouped(number);
  double scaled = static_cast<double>(number) / 1024;
  std::size_t unit = 0;
  for (; scaled >= 1023.95 && unit + 1 < std::size(units); ++unit)
    scaled /= 1024;  // a value that would print as 1024.0 takes the next unit
  return fmt::format("{:.1f} {} ({})", scaled, units[unit], grouped(number));
}

}  // namespace waitstate::report
