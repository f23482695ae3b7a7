#include "report/words/waits/culprit.hpp"

#include <fmt/format.h>

#include "report/facts/waits/waiting.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/chain.hpp"

namespace waitstate::report {
namespace {

constexpr double worth_telling =
    0.01;  // a smaller share of a wait for which its culprit itself waited is not mentioned

std::string for_whom(const AnalysisResult& result, const CulpritWait& w) {
  return w.culprit.valid() ? " for " + location_label(result.definitions, w.culprit) : "";
}

}  // namespace

std::string culprit_clause(const AnalysisResult& result, MetricIndex metric, const SevereInstance& instance,
                           const std::function<std::string(CallPathId)>& path) {
  const Wait& wait = instance.longest;
  const CulpritWait& own = instance.culprit_wait;
  if (!wait.culprit.valid()) return "";
  if (tells_cause(instance)) return chain_clause(result, *instance.chain, path);
  const double waited = culprit_share(instance);
  const std::string all = percent(own.ticks, wait.ticks) + " %", whom = for_whom(result, own);
  const std::string where = own.callpath.valid() ? " in " + path(own.callpath) : "";
  if (culprit_waited(instance)) {
    const bool was_elsewhere = waited < acquitting_share && wait.culprit_callpath.valid() &&
                               wait.culprit_callpath != wait.callpath && wait.culprit_callpath != own.callpath &&
                               result.call_tree[wait.culprit_callpath].region.valid();
    const std::string rest = was_elsewhere ? ", and was also in " + path(wait.culprit_callpath) : "";
    if (own.most == own.ticks)
      return fmt::format(", which itself waited{}{} for {} of that time", whom, where, all) + rest;
    return fmt::format(", which itself waited for {} of that time, most of all{}{} ({} %)", all, whom, where,
                       percent(own.most, wait.ticks)) +
           rest;
  }
  std::string text = ", which came late";
  if (const auto& paths = result.call_tree;
      wait.culprit_callpath.valid() && !paths[wait.culprit_callpath].region.valid())
    text = "";  // a stream is in no region while it copies
  else if (wait.culprit_callpath.valid() && wait.culprit_callpath != wait.callpath)
    text = ", which was in " + path(wait.culprit_callpath);
  else if (wait.culprit_callpath.valid())  // idle threads are in no call path: it is the culprit's
    text = result.metrics[metric].kind == MetricKind::idleness ? ", which was there without them"
                                                               : ", which was there too";
  if (waited >= worth_telling)
    text +=
        fmt::format("{} itself waited{}{} for {} of that time", text.empty() ? ", which" : " and", whom, where, all);
  return text;
}

std::string culprit_line(const AnalysisResult& result, const Wait& wait, const CulpritWait& own) {
  if (!own.known || !worth_saying(own.ticks, wait.ticks)) return "";
  const std::string who = location_label(result.definitions, wait.culprit), whom = for_whom(result, own);
  const std::string all = percent(own.ticks, wait.ticks) + " %";
  if (own.most == own.ticks) return fmt::format("{} itself waited {} of it{} in ", who, all, whom);
  return fmt::format("{} itself waited {} of it, {} %{} in ", who, all, percent(own.most, wait.ticks), whom);
}

bool worth_saying(Ticks own, Ticks caused) {
  return own > 0 && static_cast<double>(own) >= worth_telling * static_cast<double>(caused);
}

std::string also_waited(Ticks own, Ticks caused, const Seconds& seconds) {
  return worth_saying(own, caused) ? fmt::format(", which itself waited {}", seconds.duration(own)) : "";
}

}  // namespace waitstate::report
