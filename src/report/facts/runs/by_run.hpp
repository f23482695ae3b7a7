// A value for every run, in the order of the runs.
//
// Runs have nothing but names in common. So metrics are the same by id, call paths by their names from the root on
// (common_paths.hpp), communicators by name, processes by number. Values are seconds or numbers, since every run has a
// clock of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The results that are compared. They must outlive what is made of them.
using Runs = std::span<const AnalysisResult* const>;

/// The run that a change is measured from.
enum class Against { neighbour, first };

/// The number of the run that the change of a run is measured from; none for the first run, and behind the last one.
inline std::optional<std::size_t> measured_from(std::size_t run, std::size_t runs, Against against) {
  if (run == 0 || run >= runs) return std::nullopt;
  return against == Against::first ? 0 : run - 1;
}

/// A number of each run; none if the run lacks the thing that it is about, or does not tell it.
class ByRun {
 public:
  explicit ByRun(std::size_t runs, std::optional<double> value = {}) : values_(runs, value) {}

  std::optional<double>& operator[](std::size_t run) { return values_[run]; }
  const std::optional<double>& operator[](std::size_t run) const { return values_[run]; }
  std::size_t size() const { return values_.size(); }

  /// The value of a run less that of the run before it, or of the first one; none unless both are there.
  std::optional<double> change(std::size_t run, Against against = Against::neighbour) const {
    const auto from = measured_from(run, size(), against);
    if (!from || !values_[*from] || !values_[run]) return std::nullopt;
    return *values_[run] - *values_[*from];
  }
  /// How far the runs lie apart: the largest value less the smallest one, where no value counts as 0.
  double spread() const {
    const auto [smallest, largest] = std::minmax_element(
        values_.begin(), values_.end(), [](const auto& x, const auto& y) { return x.value_or(0) < y.value_or(0); });
    return values_.empty() ? 0 : largest->value_or(0) - smallest->value_or(0);
  }
  bool any() const {
    return std::any_of(values_.begin(), values_.end(), [](const auto& value) { return value.has_value(); });
  }

 private:
  std::vector<std::optional<double>> values_;
};

/// The number of the same call path in every run; none where a run does not have it.
using PathByRun = std::vector<CallPathId>;

/// `ticks` of the clock of a run, in seconds.
inline double seconds_in(const AnalysisResult& run, double ticks) {
  return ticks / static_cast<double>(run.definitions.clock.resolution);
}

/// True if the metric is one of those to compare; `only` is empty if all are.
inline bool is_compared(const std::string& metric, const std::vector<std::string>& only) {
  return only.empty() || std::find(only.begin(), only.end(), metric) != only.end();
}

}  // namespace waitstate::report
