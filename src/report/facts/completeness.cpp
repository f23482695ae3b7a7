#include "report/facts/completeness.hpp"

#include <algorithm>

namespace waitstate::report {
namespace {

bool has_property(const AnalysisResult& result, std::string_view key) {
  const auto& all = result.definitions.recorder.properties;
  return std::any_of(all.begin(), all.end(), [&](const auto& property) { return property.first == key; });
}

bool any_damage(const AnalysisResult& result) {
  for (int i = 0; i < diagnostic_count; ++i)
    if (const auto id = static_cast<DiagnosticId>(i);
        id != DiagnosticId::metric_left_out && result.diagnostics[id].count != 0)  // damage of the report itself
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

Ticks Completeness::clock_error() const {
  return std::max(result_.diagnostics[DiagnosticId::clock_violation].largest,
                  result_.diagnostics[DiagnosticId::collective_clock_violation].largest);
}

bool without_events(const AnalysisResult& result) {
  if (result.events() != 0) return false;
  if (has_property(result, warnings_key)) return true;
  const Totals totals(result);
  for (MetricIndex m = 0; m < result.metrics.size(); ++m)
    if (totals.of(m) != 0) return true;
  return !any_damage(result) && !result.definitions.locations.empty();
}

}  // namespace waitstate::report
