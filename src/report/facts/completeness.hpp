// How complete a result is. Every form of a report asks here - text, comparisons, gates, graphs, tables for other
// programs -, so that none claims what another one denies:
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

/// How much a value says of a metric: all; that it is at least so much; nothing (a zero that is no answer); or nobody
/// looked.
enum class Told { exactly, at_least, unknown, not_analysed };
/// "exactly", "at least", "unknown", "not analysed".
std::string_view name(Told told);
/// True if the value says anything.
inline bool is_value(Told told) { return told == Told::exactly || told == Told::at_least; }

/// Key of the property of the recorder in which a CUBE report says that it knows what was missing from its trace, and
/// begin of the keys of what was: "id count largest"; places follow under the same key with ".0", ".1", ….
inline constexpr std::string_view warnings_key = "waitstate warnings", warning_key = "waitstate warning ";

/// A location whose events could not be read, or only to some time.
struct MissingLocation {
  LocationId location;
  Time from = 0;  ///< ticks; 0: nothing of it is there
};

class Completeness {
 public:
  /// `result` must outlive it.
  explicit Completeness(const AnalysisResult& result);

  // ---- of a value ----

  /// How much the value says of that metric; no_metric: it was not analysed.
  Told told(MetricIndex metric, std::int64_t value) const;
  bool is_lower_bound(MetricIndex metric) const;
  /// True if the metric's values are numbers without a meaning: too large for 64 bits, or times where time stamps are
  /// damaged. Nothing is shown of them but that they are unknown.
  bool means_nothing(MetricIndex metric) const { return metric < means_nothing_.size() && means_nothing_[metric]; }
  /// True if no time has a meaning.
  bool times_mean_nothing() const { return times_mean_nothing_; }
  /// The share of a time in the time in the scope of the totals. Nothing of all other metrics, where there is no time,
  /// and where times mean nothing.
  std::optional<double> share(MetricIndex metric, const Totals& totals) const;
  /// Why the metric may be larger; "" if it may not.
  std::string why(MetricIndex metric) const;

  // ---- of the whole ----

  /// Locations that lack events; only the first of very many, see missing_count().
  const std::vector<MissingLocation>& missing() const { return missing_; }
  std::uint64_t missing_count() const { return missing_count_; }

  /// By how much the clocks of locations disagree at least, in ticks; 0 if nothing shows that they do.
  Ticks clock_error() const;
  /// False of a report of another tool, which says nothing of damage.
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

/// True for a report that was made without the events of its trace at hand, as CUBE reports are: it does not say who
/// waited for whom. A trace that has no events is none; its damage says so.
bool without_events(const AnalysisResult& result);

}  // namespace waitstate::report
