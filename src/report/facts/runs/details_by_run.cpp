#include "report/facts/runs/details_by_run.hpp"

namespace waitstate::report {

DetailsByRun details_by_run(Runs runs, const std::vector<std::string>& only) {
  const bool all = only.empty();
  return {.runs = {runs.begin(), runs.end()},
          .efficiency = all ? efficiency_by_run(runs) : EfficiencyByRun(),
          .problems = problems_by_run(runs, only),
          .waits = waits_by_run(runs, only),
          .phases = phases_by_run(runs, only),
          .series = series_by_run(runs, only),
          .communication = all ? communication_by_run(runs) : std::nullopt};
}

}  // namespace waitstate::report
