// The completeness of a result. Every form of a report asks here - text, comparisons, gates, graphs, tables for other
// programs -, so that none contradicts another:
//
//   of a value       exactly, at least, unknown (a zero that is no answer, a number without a meaning), not analysed:
//                    Told
//   of the whole     of which locations events are missing, and by how much clocks disagree
//
// The facts come from AnalysisResult: what the patterns could not tell (undetermined.hpp), and damage. A CUBE report of
// ours keeps them in its attributes. words/completeness.hpp has the sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/facts/undetermined.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// How far a value is known: exactly; at least; not at all (a zero is no answer then); or no pattern looked for it.
enum class Told { exactly, at_least, unknown, not_analysed };
/// "exactly", "at least", "unknown", "not analysed".
std::string_view name(Told told);
/// True if the value says anything.
inline bool is_value(Told told) { return told == Told::exactly || told == Told::at_least; }

/// Key of the property of the recorder by which a CUBE report says that it knows the damage of its trace, and start of
/// the keys of each kind of damage: "id count largest"; places follow under the same key with ".0", ".1", ….
inline constexpr std::string_view warnings_key = "waitstate warnings", warning_key = "waitstate warning ";

/// A location whose events could not be read, or only up to some time.
struct MissingLocation {
  LocationId location;
  Time from = 0;  ///< ticks; 0: nothing of it is there
};

class Completeness {
 public:
  /// `result` must outlive it.
  explicit Completeness(const AnalysisResult& result);

  // ---- of a value ----

  /// How far the value of that metric is known; no_metric: it was not analysed.
  Told told(MetricIndex metric, std::int64_t value) const;
  bool is_lower_bound(MetricIndex metric) const;
  /// True if the metric's values are numbers without a meaning: too large for 64 bits, or times where time stamps are
  /// damaged. Reports show them as unknown.
  bool means_nothing(MetricIndex metric) const { return metric < means_nothing_.size() && means_nothing_[metric]; }
  /// True if no time has a meaning.
  bool times_mean_nothing() const { return times_mean_nothing_; }
  /// The share that a time has of all time in the scope of the totals. No value for other metrics, if there is no time,
  /// and if times mean nothing.
  std::optional<double> share(MetricIndex metric, const Totals& totals) const;
  /// The reason why the metric may be larger; "" if it cannot be.
  std::string why(MetricIndex metric) const;

  // ---- of the whole ----

  /// Locations that lack events; only the first of very many, see missing_count().
  const std::vector<MissingLocation>& missing() const { return missing_; }
  std::uint64_t missing_count() const { return missing_count_; }

  /// The least disagreement of the clocks of locations, in ticks; 0 if nothing shows one.
  Ticks clock_error() const;
  /// False for a report of another tool, which does not list damage.
  bool knows_damage() const { return knows_damage_; }

  const AnalysisResult& result() const { return result_; }

 private:
  const AnalysisResult& result_;
  std::vector<MissingLocation> missing_;  ///< ascending
  std::uint64_t missing_count_ = 0;
  bool knows_damage_ = true;
  bool times_mean_nothing_ = false;
  std::vector<bool> means_nothing_;  ///< by metric; empty: of none
};

/// True for a report that was made without the events of its trace at hand, as CUBE reports are: it does not say which
/// location waited for which. A report of a trace without events is not one of them; its damage says so.
bool without_events(const AnalysisResult& result);

}  // namespace waitstate::report
