#include "report/format/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace waitstate::report {

Seconds::Seconds(const Clock& clock, Ticks largest) : resolution_(static_cast<double>(clock.resolution)) {
  const double seconds = value(largest);
  decimals_ = seconds < 0.1 ? 9 : seconds < 10'000 ? 6 : 3;
}

std::string Seconds::text(std::int64_t ticks) const { return fmt::format("{:.{}f}", value(ticks), decimals_); }

std::string Seconds::brief(std::int64_t ticks) const { return brief_seconds(value(ticks), decimals_); }

std::string brief_seconds(double seconds, int most_decimals) {
  const double size = std::abs(seconds);
  if (size == 0) return "0 s";
  if (size >= 0.01) return fmt::format("{:.{}f} s", seconds, size < 100 ? 3 : size < 10'000 ? 1 : 0);
  return fmt::format("{:.{}f} s", seconds, std::min(most_decimals, 2 - static_cast<int>(std::floor(std::log10(size)))));
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
