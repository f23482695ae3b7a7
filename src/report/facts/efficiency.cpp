#include "report/facts/efficiency.hpp"

#include <algorithm>
#include <vector>

namespace waitstate::report {
namespace {

Efficiency cannot_tell(EfficiencyUnknown why) {
  Efficiency e;
  e.unknown = why;
  return e;
}

/// The reason why the efficiency is not known for these totals.
EfficiencyUnknown without_answer(const AnalysisResult& result, const Totals& totals, const Completeness& completeness) {
  if (completeness.times_mean_nothing()) return EfficiencyUnknown::times_mean_nothing;
  const MetricIndex comp = result.metrics.find("comp");
  if (totals.time() <= 0) return EfficiencyUnknown::no_time;
  if (comp == no_metric) return EfficiencyUnknown::no_metric_of_computation;
  if (totals.of(comp) <= 0) return EfficiencyUnknown::no_other_region;
  // A run that only starts and ends MPI has nothing but computation left.
  const MetricIndex off = result.metrics.find("measurement_off");
  const std::int64_t not_measured = off == no_metric ? 0 : totals.of(off);
  if (add_ticks(totals.of(comp), static_cast<std::uint64_t>(not_measured)) == totals.time() &&
      totals.scope() == Scope::whole)
    return result.open_calls.empty() ? EfficiencyUnknown::no_library_call : EfficiencyUnknown::no_library_call_ended;
  if (completeness.missing_count() > completeness.missing().size()) return EfficiencyUnknown::unnamed_locations_missing;
  return EfficiencyUnknown::known;
}

}  // namespace

const EfficiencyFactor* efficiency_factor(std::string_view id) {
  const auto* known = std::find_if(std::begin(efficiency_factors), std::end(efficiency_factors),
                                   [&](const EfficiencyFactor& f) { return f.id == id; });
  return known == std::end(efficiency_factors) ? nullptr : known;
}

Efficiency efficiency(const AnalysisResult& result, const Totals& totals) {
  const Completeness completeness(result);
  if (const auto why = without_answer(result, totals, completeness); why != EfficiencyUnknown::known)
    return cannot_tell(why);

  std::vector<std::int64_t> time = totals.by_location(totals.time_metric());
  const std::vector<std::int64_t> computation = totals.by_location(result.metrics.at("comp"));
  if (const MetricIndex off = result.metrics.find("measurement_off"); off != no_metric) {  // nobody knows what was done
    const std::vector<std::int64_t> not_measured = totals.by_location(off);
    for (std::size_t l = 0; l < time.size(); ++l) time[l] -= not_measured[l];
  }
  std::vector<bool> is_missing(time.size()), is_chosen(time.size(), result.focus.locations.empty());
  for (const MissingLocation& m : completeness.missing()) is_missing[m.location.index()] = true;
  for (const LocationId l : result.focus.locations) is_chosen[l.index()] = true;
  std::int64_t largest = 0;
  double sum = 0;
  std::vector<std::size_t> of_process(result.definitions.processes.size());
  Efficiency e;
  for (std::size_t l = 0; l < time.size(); ++l) {
    const Location& location = result.definitions.locations[l];
    if (location.type != LocationType::cpu_thread || !is_chosen[l]) continue;
    if (is_missing[l]) ++e.left_out;
    if (is_missing[l] || time[l] <= 0) continue;
    ++e.units;
    sum += static_cast<double>(computation[l]);
    e.run_time = std::max(e.run_time, time[l]);
    largest = std::max(largest, computation[l]);
    if (location.process.valid() && ++of_process[location.process.index()] > 1) e.threads = true;
  }
  if (e.units < 2 && e.left_out != 0) return cannot_tell(EfficiencyUnknown::locations_missing);
  if (e.units < 2)
    return cannot_tell(result.focus.locations.size() == 1 ? EfficiencyUnknown::one_location_chosen
                                                          : EfficiencyUnknown::one_process);
  if (largest <= 0) return cannot_tell(EfficiencyUnknown::no_computation);
  const double mean = sum / static_cast<double>(e.units);
  e.load_balance = mean / static_cast<double>(largest);
  e.communication = static_cast<double>(largest) / static_cast<double>(e.run_time);
  e.parallel = mean / static_cast<double>(e.run_time);
  return e;
}

}  // namespace waitstate::report
