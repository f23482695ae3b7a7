#include "report/facts/ideal_machine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace waitstate::report {
namespace {

constexpr std::string_view ideal_wait_id = "mpi_ideal_wait";

IdealMachine without_ideal(IdealUnknown why, EfficiencyUnknown efficiency = {}) {
  IdealMachine m;
  m.was_asked = true;
  m.unknown = why;
  m.efficiency_unknown = efficiency;
  return m;
}

/// The first threads of processes about which something is known.
std::vector<LocationId> first_threads(const AnalysisResult& result, const std::vector<std::int64_t>& time) {
  std::vector<bool> is_missing(time.size());
  const Completeness completeness(result);
  for (const MissingLocation& m : completeness.missing()) is_missing[m.location.index()] = true;
  std::vector<LocationId> first;
  for (const LocationGroup& process : result.definitions.processes)
    for (const LocationId l : process.locations)
      if (result.definitions[l].type == LocationType::cpu_thread) {
        if (time[l.index()] > 0 && !is_missing[l.index()]) first.push_back(l);
        break;
      }
  return first;
}

/// The call path outside of MPI whose mean on every process would make the largest time outside of MPI smallest.
std::pair<CallPathId, double> worst_balance(const AnalysisResult& result, const Totals& totals,
                                            const std::vector<LocationId>& threads,
                                            const std::vector<std::int64_t>& outside) {
  constexpr std::size_t none = ~std::size_t{0};
  const MetricIndex mpi = result.metrics.find("mpi");
  const std::vector<MetricIndex> in_mpi = mpi == no_metric ? std::vector<MetricIndex>() : totals.summed(mpi);
  std::vector<std::size_t> place(outside.size(), none);  // among the threads
  for (std::size_t i = 0; i < threads.size(); ++i) place[threads[i].index()] = i;
  std::vector<std::uint32_t> in_order(result.call_tree.size());
  std::iota(in_order.begin(), in_order.end(), 0u);

  CallPathId worst, current;
  double least = 0;
  for (const LocationId l : threads) least = std::max(least, static_cast<double>(outside[l.index()]));
  std::vector<std::int64_t> here(threads.size());
  const auto judge = [&] {
    if (!current.valid()) return;
    double sum = 0, largest = 0;
    for (const std::int64_t t : here) sum += static_cast<double>(t);
    for (std::size_t i = 0; i < threads.size(); ++i)
      largest = std::max(largest, static_cast<double>(outside[threads[i].index()] - here[i]));
    largest += sum / static_cast<double>(threads.size());
    if (largest < least) least = largest, worst = current;
    std::fill(here.begin(), here.end(), 0);
  };
  for (const MetricIndex metric : totals.summed(totals.time_metric())) {
    if (std::find(in_mpi.begin(), in_mpi.end(), metric) != in_mpi.end()) continue;
    current = CallPathId::none();
    result.severities.for_each(metric, in_order, [&](CallPathId path, LocationId l, std::int64_t value) {
      if (path != current) judge(), current = path;
      if (place[l.index()] != none) here[place[l.index()]] += value;
    });
    judge();
  }
  return {worst, least};
}

}  // namespace

std::string_view ideal_wait_pattern() { return ideal_wait_id; }

const IdealFactor* ideal_factor(std::string_view id) {
  const auto* known = std::find_if(std::begin(ideal_factors), std::end(ideal_factors),
                                   [&](const IdealFactor& f) { return f.id == id; });
  return known == std::end(ideal_factors) ? nullptr : known;
}

IdealMachine ideal_machine(const AnalysisResult& result, const Totals& totals) {
  const MetricIndex waits = result.metrics.find(ideal_wait_id), mpi = result.metrics.find("mpi");
  const bool ran =
      std::any_of(result.patterns.begin(), result.patterns.end(), [](const auto& p) { return p.id == ideal_wait_id; });
  if (waits == no_metric || (!ran && totals.of(waits) == 0)) return {};
  if (!result.focus.all()) return without_ideal(IdealUnknown::part_of_the_run);
  const Efficiency e = efficiency(result, totals);
  if (!e.known()) return without_ideal(IdealUnknown::efficiency, e.unknown);
  if (mpi == no_metric || RunTotals(result).whole().of(mpi) <= 0) return without_ideal(IdealUnknown::no_mpi);

  std::vector<std::int64_t> outside = totals.by_location(totals.time_metric());
  const std::vector<std::int64_t> in_mpi = totals.by_location(mpi), waited = totals.by_location(waits);
  if (const MetricIndex off = result.metrics.find("measurement_off"); off != no_metric) {
    const std::vector<std::int64_t> not_measured = totals.by_location(off);
    for (std::size_t l = 0; l < outside.size(); ++l) outside[l] -= not_measured[l];
  }
  for (std::size_t l = 0; l < outside.size(); ++l) outside[l] -= in_mpi[l];
  const std::vector<LocationId> threads = first_threads(result, totals.by_location(totals.time_metric()));
  IdealMachine m;
  m.was_asked = true;
  double sum = 0;
  std::int64_t largest = 0;
  for (const LocationId l : threads) {
    sum += static_cast<double>(outside[l.index()]);
    largest = std::max(largest, outside[l.index()]);
    m.ideal_run_time = std::max(m.ideal_run_time, outside[l.index()] + waited[l.index()]);
  }
  if (threads.size() < 2 || largest <= 0) return without_ideal(IdealUnknown::one_process);
  m.run_time = e.run_time, m.threads = e.threads;
  if (m.ideal_run_time > m.run_time) return without_ideal(IdealUnknown::longer_than_the_run);
  const auto ratio = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); };
  const double mean = sum / static_cast<double>(threads.size());
  m.serialisation = ratio(largest, m.ideal_run_time);
  m.transfer = ratio(m.ideal_run_time, m.run_time);
  m.mpi_communication = ratio(largest, m.run_time);
  m.mpi_load_balance = mean / static_cast<double>(largest);
  m.mpi_parallel = mean / static_cast<double>(m.run_time);
  if (m.threads) m.openmp = e.parallel / m.mpi_parallel;
  const auto [worst, balanced] = worst_balance(result, totals, threads, outside);
  m.unbalanced = worst;
  m.balanced_run_time = std::llround(static_cast<double>(m.run_time) * balanced / static_cast<double>(largest));
  if (const std::vector<UndeterminedMetric> why = undetermined_of(result.undetermined, result.metrics, waits);
      !why.empty())
    m.bound = why.front().sentence;
  return m;
}

}  // namespace waitstate::report
