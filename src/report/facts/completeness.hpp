// What a report may say of how complete it is. Every report asks here - text, comparisons, gates, graphs, tables for
// other programs -, so that none claims what another one denies:
//
//   of a value       exactly, at least, unknown (a zero that is no answer, a number without a meaning), not analysed:
//                    Told
//   of the whole     what part of the run it is about, which patterns ran, of which locations events are missing
//   of the trace     that nothing is missing, only where nothing is: no damage, no question left open, all patterns run
//
// The facts come from AnalysisResult: what the patterns could not tell (undetermined.hpp), damage, the focus, and which
// patterns ran (patterns_run.hpp). A CUBE report of ours keeps them in its attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/facts/undetermined.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// What a value of a metric says: all; that it is so much at least; nothing (a zero that is no answer); or nobody
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

  /// What the value of that metric says; no_metric: it was not analysed.
  Told told(MetricIndex metric, std::int64_t value) const;
  bool is_lower_bound(MetricIndex metric) const;
  /// True if the metric's values are numbers without a meaning: too large for 64 bits, or times where time stamps are
  /// damaged. Nothing is shown of them but that they are unknown.
  bool means_nothing(MetricIndex metric) const { return metric < means_nothing_.size() && means_nothing_[metric]; }
  /// The same of all times.
  bool times_mean_nothing() const { return times_mean_nothing_; }
  /// The value's text with what it says: "0.5 s", "at least 0.5 s", "unknown".
  std::string text(MetricIndex metric, std::int64_t value, const std::string& value_text) const;
  /// Of a time: its share of the time in the scope of the totals. Nothing of all else, where there is no time, and
  /// where times mean nothing.
  std::optional<double> share(MetricIndex metric, const Totals& totals) const;
  /// Why the metric may be larger; "" if it may not.
  std::string why(MetricIndex metric) const;

  // ---- of the whole ----

  /// Of which events are missing; only the first of very many, see missing_count().
  const std::vector<MissingLocation>& missing() const { return missing_; }
  std::uint64_t missing_count() const { return missing_count_; }
  /// "rank 2, rank 3 from 0.414 s on, and 7 more"; "" if none is missing.
  std::string missing_text() const;
  /// "Missing: the events of rank 2." "" if none are.
  std::string missing_sentence() const;
  /// "This is only about what happens inside solve." "" if it is about all.
  std::string focus_sentence() const;
  /// What limits all that the report says, each a sentence: focus, patterns that ran (only if `patterns`), missing
  /// locations.
  std::vector<std::string> limits(bool patterns = true) const;
  /// Where the values of all locations together come from: "in all locations together", "on rank 1", "in 2 of 4
  /// locations together".
  std::string where() const;

  /// By how much the clocks of locations disagree at least, in ticks; 0 if nothing shows that they do.
  Ticks clock_error() const;

  // ---- of the trace ----

  /// Sections "Unknown in this trace", and of time in which nobody looked for waiting; "" without either.
  std::string not_told(const Totals& totals, const Style& style) const;
  /// Stands above what is unknown.
  std::string not_told_heading() const;
  /// What may be said where there is no damage: nothing lost and no anomaly, or nothing lost alone.
  std::string nothing_damaged() const;
  std::string nothing_lost() const;
  /// Headings of what is lost and of anomalies: "Missing from the results", or of a part of the run "Missing from the
  /// whole trace".
  std::string lost_heading() const;
  std::string odd_heading() const;
  /// False of a report of another tool, which says nothing of damage.
  bool knows_damage() const { return knows_damage_; }

  const std::vector<UndeterminedMetric>& undetermined() const { return result_.undetermined; }

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

/// What a table for other programs has no place for: that not all values of these metrics (empty: of all) can be told.
/// "" if they can.
std::string table_note(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {});

}  // namespace waitstate::report
