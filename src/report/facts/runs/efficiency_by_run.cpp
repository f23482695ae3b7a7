#include "report/facts/runs/efficiency_by_run.hpp"

#include <algorithm>

#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/facts/totals.hpp"

namespace waitstate::report {
namespace {

std::vector<FactorByRun> no_factors(std::size_t runs) {
  std::vector<FactorByRun> all;
  for (const EfficiencyFactor& f : efficiency_factors) all.push_back({f.id, ByRun(runs)});
  for (const IdealFactor& f : ideal_factors) all.push_back({f.id, ByRun(runs)});
  return all;
}

void add(const AnalysisResult& run, std::size_t i, const IdealMachine& m, IdealMachineByRun& all) {
  const auto seconds = [&](std::int64_t ticks) { return run.seconds(ticks); };
  all.run_time[i] = seconds(m.run_time);
  all.ideal_run_time[i] = seconds(m.ideal_run_time);
  if (!m.unbalanced.valid()) return;
  all.balanced_run_time[i] = seconds(m.balanced_run_time);
  all.unbalanced[i] = m.unbalanced;
}

}  // namespace

EfficiencyByRun efficiency_by_run(Runs runs) {
  const std::size_t n = runs.size();
  std::vector<RunTotals> totals;
  for (const AnalysisResult* run : runs) totals.emplace_back(*run);
  const bool all_differ = std::all_of(totals.begin(), totals.end(), [](const RunTotals& t) { return t.differ(); });
  EfficiencyByRun all{.scope = all_differ ? Scope::without_init_exit : Scope::whole, .factors = no_factors(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const Efficiency e = efficiency(*runs[i], totals[i].of(all.scope));
    const IdealMachine m = ideal_machine(*runs[i], totals[i].of(all.scope));
    auto factor = all.factors.begin();
    for (const EfficiencyFactor& f : efficiency_factors) {
      if (e.known()) factor->value[i] = e.*f.value;
      ++factor;
    }
    for (const IdealFactor& f : ideal_factors) {
      if (m.known()) factor->value[i] = m.*f.value;
      ++factor;
    }
    if (!m.known()) continue;
    if (!all.ideal_machine) all.ideal_machine = {ByRun(n), ByRun(n), ByRun(n), PathByRun(n, CallPathId::none())};
    add(*runs[i], i, m, *all.ideal_machine);
  }
  std::erase_if(all.factors, [](const FactorByRun& f) { return !f.value.any(); });
  return all;
}

}  // namespace waitstate::report
