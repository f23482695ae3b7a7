#include "report/facts/runs/phases_by_run.hpp"

#include <algorithm>
#include <optional>

namespace waitstate::report {
namespace {

std::optional<PhaseKind> kind_of(const AnalysisResult& run) {
  if (!run.phases || run.phases->phases.empty()) return std::nullopt;
  if (!run.phases->region.valid()) return PhaseKind{.stretches = run.phases->visits};
  return PhaseKind{.region = std::string(run.definitions[run.phases->region].name),
                   .visits_per_phase = run.phases->visits_per_phase};
}

void set(PhaseByRun& to, std::size_t i, std::size_t runs, const AnalysisResult& run, const Phases::Phase& from,
         const std::vector<std::string>& only) {
  to.longest[i] = run.seconds(from.longest);
  if (from.has_efficiency()) {
    to.parallel_efficiency[i] = from.parallel_efficiency();
    to.load_balance[i] = from.load_balance();
    to.communication_efficiency[i] = from.communication_efficiency();
  }
  for (const auto& [metric, ticks] : from.waits)
    if (const std::string& id = run.metrics[metric].id; is_compared(id, only))
      to.waits.try_emplace(id, runs).first->second[i] = run.seconds(ticks);
}

}  // namespace

PhasesByRun phases_by_run(Runs runs, const std::vector<std::string>& only) {
  const std::size_t n = runs.size();
  const std::optional<PhaseKind> kind = kind_of(*runs.front());
  if (!kind || std::any_of(runs.begin(), runs.end(), [&](const AnalysisResult* r) { return kind_of(*r) != kind; }))
    return {};
  PhasesByRun all{.kind = *kind};
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<Phases::Phase>& phases = runs[i]->phases->phases;
    while (all.phases.size() < phases.size())
      all.phases.push_back({all.phases.size(), ByRun(n), ByRun(n), ByRun(n), ByRun(n)});
    for (std::size_t p = 0; p < phases.size(); ++p) set(all.phases[p], i, n, *runs[i], phases[p], only);
  }
  // A run that has the phase, and did not wait in it, waited for 0 seconds.
  bool waits = false;
  for (PhaseByRun& p : all.phases)
    for (auto& [id, seconds] : p.waits) {
      waits = true;
      for (std::size_t i = 0; i < n; ++i)
        if (p.longest[i] && !seconds[i]) seconds[i] = 0;
    }
  return waits || only.empty() ? all : PhasesByRun();
}

}  // namespace waitstate::report
