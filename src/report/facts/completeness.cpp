#include "report/facts/completeness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/facts/patterns_run.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/focus.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_named = 5;

bool has_property(const AnalysisResult& result, std::string_view key) {
  const auto& all = result.definitions.recorder.properties;
  return std::any_of(all.begin(), all.end(), [&](const auto& property) { return property.first == key; });
}

bool any_damage(const AnalysisResult& result) {
  for (int i = 0; i < diagnostic_count; ++i)
    if (const auto id = static_cast<DiagnosticId>(i);
        id != DiagnosticId::metric_left_out && result.diagnostics[id].count != 0)  // which is of the report itself
      return true;
  return false;
}

}  // namespace

std::string_view name(Told told) {
  switch (told) {
    case Told::exactly:
      return "exactly";
    case Told::at_least:
      return "at least";
    case Told::unknown:
      return "unknown";
    case Told::not_analysed:
      break;
  }
  return "not analysed";
}

Completeness::Completeness(const AnalysisResult& result)
    : result_(result),
      knows_damage_(!without_events(result) || any_damage(result) || has_property(result, warnings_key)) {
  for (const DiagnosticId id : {DiagnosticId::location_unreadable, DiagnosticId::location_truncated}) {
    const DiagnosticEntry& entry = result.diagnostics[id];
    missing_count_ += entry.count;
    const bool nothing = id == DiagnosticId::location_unreadable;
    for (const DiagnosticPlace& place : entry.places)
      if (place.location.valid())
        missing_.push_back({place.location, nothing || place.time == ~Time{0} ? 0 : place.time});
  }
  std::stable_sort(missing_.begin(), missing_.end(),
                   [](const MissingLocation& a, const MissingLocation& b) { return a.location < b.location; });
  const MetricTree& metrics = result.metrics;
  times_mean_nothing_ = result.diagnostics[DiagnosticId::time_outside].count != 0;
  if (!times_mean_nothing_ && result.diagnostics[DiagnosticId::sum_too_large].count == 0) return;
  means_nothing_.resize(metrics.size());
  for (const MetricIndex m : too_large(metrics, result.severities)) {
    means_nothing_[m] = true;
    times_mean_nothing_ = times_mean_nothing_ || metrics[m].id == "time";
  }
  for (MetricIndex m = 0; m < metrics.size() && times_mean_nothing_; ++m)
    if (metrics[m].unit == Unit::seconds) means_nothing_[m] = true;
}

// ---- of a value ----

bool Completeness::is_lower_bound(MetricIndex metric) const {
  return is_undetermined(result_.undetermined, result_.metrics, metric);
}

Told Completeness::told(MetricIndex metric, std::int64_t value) const {
  if (metric == no_metric) return Told::not_analysed;
  if (means_nothing(metric)) return Told::unknown;
  if (!is_lower_bound(metric)) return Told::exactly;
  return value == 0 ? Told::unknown : Told::at_least;
}

std::string Completeness::text(MetricIndex metric, std::int64_t value, const std::string& value_text) const {
  const Told what = told(metric, value);
  if (what == Told::unknown) return std::string(name(what));
  return (what == Told::at_least ? "at least " : "") + value_text;
}

std::optional<double> Completeness::share(MetricIndex metric, const Totals& totals) const {
  const MetricInfo& info = result_.metrics[metric];
  if (info.unit != Unit::seconds || !info.sums() || totals.time() <= 0 || times_mean_nothing()) return std::nullopt;
  return static_cast<double>(totals.of(metric)) / static_cast<double>(totals.time());
}

std::string Completeness::why(MetricIndex metric) const {
  for (; metric != no_metric; metric = result_.metrics[metric].parent)
    for (const UndeterminedMetric& u : result_.undetermined)
      if (u.metric == metric) return u.sentence;
  return "";
}

// ---- of the whole ----

std::string Completeness::missing_text() const {
  if (missing_count_ == 0) return "";
  const Time first = first_event(result_);
  std::string text;
  for (std::size_t i = 0; i < std::min(missing_.size(), most_named); ++i) {
    const auto& [location, from] = missing_[i];
    text += (i == 0 ? "" : ", ") + location_label(result_.definitions, location);
    if (from > first) text += " from " + brief_seconds(result_.seconds(static_cast<Ticks>(from - first))) + " on";
  }
  const std::uint64_t named = std::min(missing_.size(), most_named);
  if (named == 0) return count(static_cast<std::int64_t>(missing_count_), "location", "locations");
  if (missing_count_ > named)
    text += fmt::format(", and {} more", grouped(static_cast<std::int64_t>(missing_count_ - named)));
  return text;
}

std::string Completeness::missing_sentence() const {
  return missing_count_ == 0 ? "" : "Missing: the events of " + missing_text() + '.';
}

std::string Completeness::focus_sentence() const {
  const std::string focus = focus_text(result_);
  return focus.empty() ? "" : "This is " + focus.substr(0, 5) + "about " + focus.substr(5) + '.';
}

std::vector<std::string> Completeness::limits(bool patterns) const {
  std::vector<std::string> all;
  for (std::string sentence :
       {focus_sentence(), patterns ? patterns_run_sentence(result_) : std::string(), missing_sentence()})
    if (!sentence.empty()) all.push_back(std::move(sentence));
  return all;
}

std::string Completeness::where() const {
  const std::vector<LocationId>& chosen = result_.focus.locations;
  if (chosen.empty()) return "in all locations together";
  if (chosen.size() == 1) return "on " + location_label(result_.definitions, chosen.front());
  return fmt::format("in {} of {} locations together", grouped(static_cast<std::int64_t>(chosen.size())),
                     grouped(static_cast<std::int64_t>(result_.definitions.locations.size())));
}

Ticks Completeness::clock_error() const {
  return std::max(result_.diagnostics[DiagnosticId::clock_violation].largest,
                  result_.diagnostics[DiagnosticId::collective_clock_violation].largest);
}

// ---- of the trace ----

std::string Completeness::not_told_heading() const {
  return result_.focus.all() ? "Unknown in this trace" : "Unknown in this trace (counts are of the whole trace)";
}

std::string Completeness::not_told(const Totals& totals, const Style& style) const {
  std::string text = undetermined_text(result_, result_.undetermined, style, not_told_heading());
  std::string lines;
  for (const NotAnalysed& n : not_analysed(result_, totals, totals.time() / 100))
    lines += paragraph(
        "  ",
        fmt::format("{}: {} % of the {}time, in which no pattern looked for waiting", result_.metrics[n.metric].id,
                    percent(n.value, totals.time()), totals.scope() == Scope::whole ? "total " : ""),
        style.width);
  if (!lines.empty()) text += (text.empty() ? "" : "\n") + style.loss("Not looked at") + '\n' + lines;
  return text;
}

std::string Completeness::nothing_damaged() const {
  if (!knows_damage_) return "This report does not say whether anything was missing from its trace.";
  if (!result_.undetermined.empty())
    return "This trace is not damaged and has no anomalies: what is unknown was never recorded.";
  if (!patterns_run_sentence(result_).empty())
    return "Nothing that was looked for is missing from this trace, and it has no anomalies.";
  return "Nothing is missing from this trace, and it has no anomalies.";
}

std::string Completeness::nothing_lost() const {
  if (!knows_damage_) return nothing_damaged();
  if (!result_.undetermined.empty()) return "No record is lost: what is unknown was never recorded.";
  return patterns_run_sentence(result_).empty() ? "Nothing is missing from the results."
                                                : "Nothing that was looked for is missing from the results.";
}

std::string Completeness::lost_heading() const {
  return result_.focus.all() ? "Missing from the results" : "Missing from the whole trace";
}

std::string Completeness::odd_heading() const {
  return result_.focus.all() ? "Anomalies" : "Anomalies of the whole trace";
}

bool without_events(const AnalysisResult& result) {
  if (result.events() != 0) return false;
  if (has_property(result, warnings_key)) return true;
  const Totals totals(result);
  for (MetricIndex m = 0; m < result.metrics.size(); ++m)
    if (totals.of(m) != 0) return true;
  return !any_damage(result) && !result.definitions.locations.empty();
}

std::string table_note(const AnalysisResult& result, const std::vector<MetricIndex>& metrics) {
  std::vector<UndeterminedMetric> open;
  for (const UndeterminedMetric& u : result.undetermined)
    if (metrics.empty() || std::any_of(metrics.begin(), metrics.end(),
                                       [&](MetricIndex m) { return result.metrics.lies_within(m, u.metric); }))
      open.push_back(u);
  const std::string lines = undetermined_lines(result, open, {100'000, false});
  return lines.empty() ? "" : lines.substr(0, lines.size() - 1);
}

}  // namespace waitstate::report
