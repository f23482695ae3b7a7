// How two runs are shown of the runs that facts are about: the first one as A, "before", and the second one as B,
// "after".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "report/facts/runs/by_run.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {

inline constexpr std::size_t run_a = 0, run_b = 1;

inline std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? duration_text(*seconds) : "-";
}
inline std::string seconds_change(const ByRun& value) {
  const std::optional<double> change = value.change(run_b);
  if (!change) return value[run_b] ? "new" : "gone";
  if (*change == 0) return "same";
  return (*change > 0 ? "+" : "-") + duration_text(std::abs(*change));
}

}  // namespace waitstate::report
