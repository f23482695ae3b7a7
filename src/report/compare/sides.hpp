// A number of both runs, and the text that shows it.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A value in both runs; none: it is not known, or does not exist, in a run.
struct Sides {
  std::optional<double> before{}, after{};
  std::optional<double> change() const {
    if (!before || !after) return std::nullopt;
    return *after - *before;
  }
  /// The change; a value that does not exist counts as 0.
  double size() const { return std::abs(after.value_or(0) - before.value_or(0)); }
};

/// One of the two runs.
struct ComparedRun {
  const AnalysisResult& result;
  std::optional<double> Sides::*side;

  template <class Number>
  double seconds(Number ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(result.definitions.clock.resolution);
  }
};

inline std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? brief_seconds(*seconds) : "-";
}
inline std::string seconds_change(const Sides& s) {
  if (!s.change()) return s.after ? "new" : "gone";
  if (*s.change() == 0) return "same";
  return (*s.change() > 0 ? "+" : "-") + brief_seconds(std::abs(*s.change()));
}

inline nlohmann::ordered_json sides_json(const Sides& s) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  return {{"before", or_null(s.before)}, {"after", or_null(s.after)}, {"change", or_null(s.change())}};
}

}  // namespace waitstate::report
