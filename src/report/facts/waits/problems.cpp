#include "report/facts/waits/problems.hpp"

#include <algorithm>

#include "report/facts/undetermined.hpp"
#include "report/facts/waits/waiting.hpp"

namespace waitstate::report {
namespace {

/// The most severe instance in the call path; null if single waits are not known.
const SevereInstance* worst_instance(const AnalysisResult& result, MetricIndex metric, CallPathId callpath) {
  const auto waits = result.waits.find(metric);
  if (waits == result.waits.end()) return nullptr;
  const auto severe = waits->second.severe.find(callpath);
  return severe == waits->second.severe.end() || severe->second.empty() ? nullptr : &severe->second.front();
}

Problem problem_of(const AnalysisResult& result, const Totals& totals, MetricIndex metric) {
  Problem p{.metric = metric,
            .scope = totals.scope(),
            .ticks = totals.of(metric),
            .of = totals.time(),
            .at_least = is_undetermined(result.undetermined, result.metrics, metric)};
  const Ranking places = totals.callpaths(metric);
  if (places.empty()) return p;
  p.callpath = CallPathId{places.front().first};
  p.callpath_ticks = places.front().second;
  p.all_there = places.size() == 1;
  p.worst = worst_instance(result, metric, p.callpath);
  return p;
}

Problem problem_of(const Remainder& rest, const Totals& totals) {
  return {.rest = rest,
          .scope = totals.scope(),
          .ticks = rest.ticks,
          .of = totals.time(),
          .callpath = rest.callpath,
          .callpath_ticks = rest.callpath_ticks,
          .all_there = rest.callpath_ticks == rest.ticks};
}

/// True for a value that is a large enough share of the time of its totals.
bool is_problem(std::int64_t ticks, const Totals& totals) {
  return static_cast<double>(ticks) >= problem_share * static_cast<double>(totals.time());
}

}  // namespace

bool Problems::has_no_wait() const {
  return unlisted == 0 &&
         std::all_of(listed.begin(), listed.end(), [](const Problem& p) { return p.metric == no_metric; });
}

const Totals& totals_of_problem(const AnalysisResult& result, const RunTotals& run, MetricIndex metric) {
  const Totals& totals = run.counted();
  const bool outside = totals.of(metric) != 0 || result.metrics[metric].kind != MetricKind::wait;
  return outside ? totals : run.whole();
}

Problems find_problems(const AnalysisResult& result, const RunTotals& run, const std::vector<FunctionAccount>& accounts,
                       std::size_t most) {
  const Totals& counted = run.counted();
  const auto value = [&](MetricIndex metric) { return totals_of_problem(result, run, metric).of(metric); };
  std::vector<MetricIndex> waits = outermost_waits(result, counted);
  std::stable_sort(waits.begin(), waits.end(), [&](MetricIndex a, MetricIndex b) { return value(a) > value(b); });
  Problems found;
  if (const Remainder rest = largest_remainder(accounts);
      most > 0 && rest && is_problem(rest.ticks, counted) && (waits.empty() || rest.ticks > value(waits.front())))
    found.listed.push_back(problem_of(rest, counted));
  for (const MetricIndex metric : waits) {
    if (value(metric) <= 0) continue;
    const Totals& totals = totals_of_problem(result, run, metric);
    if (!is_problem(value(metric), totals))
      found.small.emplace_back(metric, value(metric));
    else if (found.listed.size() < most)
      found.listed.push_back(problem_of(result, totals, metric));
    else
      ++found.unlisted;
  }
  return found;
}

std::vector<OwnTime> own_times(const AnalysisResult& result, const Totals& totals) {
  std::vector<OwnTime> parts;
  if (totals.time_metric() == no_metric) return parts;
  for (const MetricIndex m : totals.summed(totals.time_metric())) {
    OwnTime part{m, totals.of(m), false};
    for (const MetricIndex child : result.metrics.children(m))
      if (!result.metrics[child].within_parent && totals.of(child) != 0) {
        part.ticks = add_ticks(part.ticks, 0 - static_cast<std::uint64_t>(totals.of(child)));
        part.rest = true;
      }
    if (part.ticks > 0 && m != totals.time_metric()) parts.push_back(part);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const OwnTime& a, const OwnTime& b) { return a.ticks > b.ticks; });
  return parts;
}

}  // namespace waitstate::report
