#include "report/facts/waits/waiting.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace waitstate::report {
namespace {

constexpr double most_of_it = 0.5;  // share of a wait for which its culprit itself waited

/// True if the summands of the metric make up all of it.
bool is_mere_sum(const AnalysisResult& result, const Totals& totals, MetricIndex metric) {
  std::int64_t of_waits = 0;
  for (const MetricIndex child : result.metrics.children(metric))
    if (!result.metrics[child].within_parent && is_wait(result, child)) of_waits += totals.of(child);
  return of_waits != 0 && of_waits == totals.of(metric);
}

}  // namespace

bool is_wait(const AnalysisResult& result, MetricIndex metric) {
  const MetricInfo& info = result.metrics[metric];
  return info.unit == Unit::seconds && (is_waiting(info.kind) || result.waits.contains(metric));
}

bool is_plugin_problem(const AnalysisResult& result, MetricIndex metric) {
  const MetricInfo& info = result.metrics[metric];
  return info.from_plugin && info.unit == Unit::seconds && (info.within_parent || is_wait(result, metric));
}

bool has_waits(const AnalysisResult& result) {
  for (MetricIndex m = 0; m < result.metrics.size(); ++m)
    if (is_wait(result, m)) return true;
  return false;
}

std::vector<MetricIndex> outermost_waits(const AnalysisResult& result, const Totals& totals) {
  const MetricTree& tree = result.metrics;
  std::vector<bool> is_whole(tree.size());
  for (MetricIndex m = 0; m < tree.size(); ++m)
    is_whole[m] = (is_wait(result, m) && !is_mere_sum(result, totals, m)) || is_plugin_problem(result, m);
  std::vector<MetricIndex> found;
  for (const MetricIndex m : tree.depth_first()) {
    bool inner = false;
    for (MetricIndex above = tree[m].parent; above != no_metric; above = tree[above].parent)
      inner = inner || (is_whole[above] && (tree[above].from_plugin || !tree[m].from_plugin));
    if (is_whole[m] && !inner) found.push_back(m);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](MetricIndex a, MetricIndex b) { return totals.of(a) > totals.of(b); });
  return found;
}

double culprit_share(const SevereInstance& instance) {
  const Ticks whole = instance.longest.ticks;
  if (!instance.culprit_wait.known || whole <= 0) return 0;
  return static_cast<double>(instance.culprit_wait.ticks) / static_cast<double>(whole);
}

bool culprit_waited(const SevereInstance& instance) {
  return instance.longest.culprit.valid() && culprit_share(instance) >= most_of_it;
}

// Where the culprit waited for most of the time of the wait, but not since the two had met before, the two do not
// agree.
bool tells_cause(const SevereInstance& instance) {
  return instance.chain && instance.longest.culprit.valid() && instance.chain->end != WaitChain::End::nothing &&
         (instance.chain->steps.size() > 1 || !culprit_waited(instance));
}

OwnWaitings::OwnWaitings(const AnalysisResult& result) : severities_(result.severities) {
  const MetricTree& tree = result.metrics;
  const MetricIndex time = tree.find("time");
  if (time == no_metric) return;
  for (MetricIndex m = 0; m < tree.size(); ++m) {
    if (!severities_.has_values(m)) continue;
    if (tree.adds_to(m, time)) time_.push_back(m);
    if (!is_wait(result, m) || tree[m].kind == MetricKind::idleness) continue;
    bool inner = false;  // shares of another wait state count there
    for (MetricIndex i = m; tree[i].parent != no_metric; i = tree[i].parent)
      inner = inner || (tree[i].within_parent && is_wait(result, tree[i].parent));
    if (!inner) waits_.push_back(m);
  }
}

std::int64_t OwnWaitings::sum(const std::vector<MetricIndex>& metrics, CallPathId callpath, LocationId location) const {
  std::int64_t sum = 0;
  for (const MetricIndex m : metrics)
    sum = add_ticks(sum, static_cast<std::uint64_t>(severities_.value(m, callpath, location)));
  return sum;
}

OwnWaiting OwnWaitings::at(CallPathId callpath, LocationId location) const {
  if (!callpath.valid() || !location.valid()) return {};
  OwnWaiting own{sum(time_, callpath, location), sum(waits_, callpath, location)};
  own.waited = std::min(own.waited, own.time);  // several wait states may have the same time
  return own;
}

OwnWaiting own_waiting(const AnalysisResult& result, CallPathId callpath, LocationId location) {
  return OwnWaitings(result).at(callpath, location);
}

std::vector<WaitingCulprit> waiting_culprits(const AnalysisResult& result) {
  std::set<std::pair<CallPathId, LocationId>> places;  // several wait states have the same ones
  for (const auto& [metric, summary] : result.waits)
    for (const auto& [place, wait] : summary.causes) places.insert(place);
  std::vector<WaitingCulprit> found;
  const OwnWaitings own_waitings(result);
  for (const auto& [callpath, culprit] : places)
    if (const OwnWaiting own = own_waitings.at(callpath, culprit); own.is_some())
      found.push_back({callpath, culprit, own});
  return found;
}

}  // namespace waitstate::report
