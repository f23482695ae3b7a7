#include "report/facts/waits/waiting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/chain.hpp"

namespace waitstate::report {
namespace {

constexpr double worth_saying = 0.01, most_of_it = 0.5;  // of a wait: what its culprit waited itself

double share(Ticks part, Ticks whole) {
  return whole <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double share_waited(const SevereInstance& instance) {
  return instance.culprit_wait.known ? share(instance.culprit_wait.ticks, instance.longest.ticks) : 0;
}

std::string for_whom(const AnalysisResult& result, const CulpritWait& w) {
  return w.culprit.valid() ? " for " + location_label(result.definitions, w.culprit) : "";
}

/// True if summands of the metric have all of it.
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

bool culprit_waited(const SevereInstance& instance) {
  return instance.longest.culprit.valid() && share_waited(instance) >= most_of_it;
}

// Where the culprit waited for most of the time of the wait, but not since the two had met before, the two do not
// agree.
bool tells_cause(const SevereInstance& instance) {
  return instance.chain && instance.longest.culprit.valid() && instance.chain->end != WaitChain::End::nothing &&
         (instance.chain->steps.size() > 1 || !culprit_waited(instance));
}

std::string culprit_clause(const AnalysisResult& result, MetricIndex metric, const SevereInstance& instance,
                           const std::function<std::string(CallPathId)>& path) {
  const Wait& wait = instance.longest;
  const CulpritWait& own = instance.culprit_wait;
  if (!wait.culprit.valid()) return "";
  if (tells_cause(instance)) return chain_clause(result, *instance.chain, path);
  const double waited = share_waited(instance);
  const std::string all = percent(own.ticks, wait.ticks) + " %", whom = for_whom(result, own);
  const std::string where = own.callpath.valid() ? " in " + path(own.callpath) : "";
  if (culprit_waited(instance)) {
    if (own.most == own.ticks) return fmt::format(", which itself waited{}{} for {} of that time", whom, where, all);
    return fmt::format(", which itself waited for {} of that time, most of all{}{} ({} %)", all, whom, where,
                       percent(own.most, wait.ticks));
  }
  std::string text = ", which came late";
  if (const auto& paths = result.call_tree;
      wait.culprit_callpath.valid() && !paths[wait.culprit_callpath].region.valid())
    text = "";  // a stream is in no region while it copies
  else if (wait.culprit_callpath.valid() && wait.culprit_callpath != wait.callpath)
    text = ", which was in " + path(wait.culprit_callpath);
  else if (wait.culprit_callpath.valid())  // idle threads are nowhere: it is the culprit's call path
    text = result.metrics[metric].kind == MetricKind::idleness ? ", which was there without them"
                                                               : ", which was there too";
  if (waited >= worth_saying) text += fmt::format(" and for {} of that time itself waited{}{}", all, whom, where);
  return text;
}

std::string culprit_line(const AnalysisResult& result, const SevereInstance& instance) {
  const CulpritWait& own = instance.culprit_wait;
  if (!own.known || share(own.ticks, instance.longest.ticks) < worth_saying) return "";
  const std::string who = location_label(result.definitions, instance.longest.culprit), whom = for_whom(result, own);
  const std::string all = percent(own.ticks, instance.longest.ticks) + " %";
  if (own.most == own.ticks) return fmt::format("{} itself waited {} of it{} in ", who, all, whom);
  return fmt::format("{} itself waited {} of it, {} %{} in ", who, all, percent(own.most, instance.longest.ticks),
                     whom);
}

OwnWaiting own_waiting(const AnalysisResult& result, CallPathId callpath, LocationId location) {
  OwnWaiting own;
  const MetricTree& tree = result.metrics;
  const MetricIndex time = tree.find("time");
  if (time == no_metric || !callpath.valid() || !location.valid()) return own;
  own.time = result.severities.inclusive(tree, time, callpath, location);
  for (MetricIndex m = 0; m < tree.size(); ++m) {
    if (!is_wait(result, m) || tree[m].kind == MetricKind::idleness) continue;
    bool inner = false;  // shares of another wait state count there
    for (MetricIndex i = m; tree[i].parent != no_metric; i = tree[i].parent)
      inner = inner || (tree[i].within_parent && is_wait(result, tree[i].parent));
    if (!inner) own.waited += result.severities.value(m, callpath, location);
  }
  own.waited = std::min(own.waited, own.time);  // several wait states may have the same time
  return own;
}

}  // namespace waitstate::report
