#include "report/facts/runs/problems_by_run.hpp"

#include <algorithm>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/facts/waits/accounts.hpp"
#include "report/facts/waits/problems.hpp"

namespace waitstate::report {
namespace {

double worst(const ProblemByRun& p) {
  double most = 0;
  for (std::size_t run = 0; run < p.seconds.size(); ++run) most = std::max(most, p.seconds[run].value_or(0));
  return most;
}

std::vector<Problem> problems_of(const AnalysisResult& run) {
  if (Completeness(run).times_mean_nothing()) return {};
  const RunTotals totals(run);
  return find_problems(run, totals, function_accounts(run, totals.counted()), most_problems).listed;
}

}  // namespace

std::vector<ProblemByRun> problems_by_run(Runs runs, const std::vector<std::string>& only) {
  const std::size_t n = runs.size();
  std::vector<ProblemByRun> all;
  for (std::size_t i = 0; i < n; ++i)
    for (const Problem& p : problems_of(*runs[i])) {
      if (p.metric == no_metric) continue;
      const std::string& id = runs[i]->metrics[p.metric].id;
      if (!is_compared(id, only)) continue;
      auto known = std::find_if(all.begin(), all.end(), [&](const ProblemByRun& other) { return other.metric == id; });
      if (known == all.end()) known = all.insert(known, {id, ByRun(n), PathByRun(n, CallPathId::none())});
      known->seconds[i] = runs[i]->seconds(p.ticks);
      known->callpath[i] = p.callpath;
    }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return worst(x) > worst(y); });
  return all;
}

}  // namespace waitstate::report
