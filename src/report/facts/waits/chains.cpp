#include "report/facts/waits/chains.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "report/facts/waits/waiting.hpp"

namespace waitstate::report {

bool last_waited_too(const WaitChain& chain) {
  constexpr double told_from = 0.01;
  return chain.end == WaitChain::End::work && chain.waited_share >= told_from;
}

bool acquits_culprit(const WaitChain& chain) {
  return chain.steps.size() > 1 && chain.steps[1].share >= acquitting_share;
}

std::vector<ChainCause> further_causes(const WaitChain& chain) {
  std::vector<ChainCause> further = chain.causes;
  if (chain.root.valid())
    std::erase_if(further, [&](const ChainCause& c) {
      return c.location == chain.steps.back().culprit && c.callpath == chain.root;
    });
  return further;
}

std::vector<NumberedInstance> most_severe(const AnalysisResult& result, MetricIndex metric) {
  std::vector<NumberedInstance> all;
  const auto waits = result.waits.find(metric);
  if (waits == result.waits.end()) return all;
  for (const auto& [path, instances] : waits->second.severe)
    for (const SevereInstance& i : instances) all.push_back({metric, 0, &i});
  std::stable_sort(all.begin(), all.end(), [](const NumberedInstance& a, const NumberedInstance& b) {
    const SevereInstance &x = *a.instance, &y = *b.instance;
    return x.total != y.total ? x.total > y.total : x.longest.begin < y.longest.begin;
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].number = i + 1;
  return all;
}

std::vector<NumberedInstance> with_chains(const AnalysisResult& result, const std::vector<MetricIndex>& metrics,
                                          std::size_t most) {
  std::vector<NumberedInstance> all;
  const auto is_asked = [&](MetricIndex metric) {
    for (MetricIndex m = metric; m != no_metric; m = result.metrics[m].parent)
      if (std::find(metrics.begin(), metrics.end(), m) != metrics.end()) return true;
    return metrics.empty();
  };
  std::set<std::pair<LocationId, Time>> seen;
  for (const auto& waits : result.waits) {
    if (!is_asked(waits.first)) continue;
    std::size_t number = 0;
    for (const NumberedInstance& i : most_severe(result, waits.first)) {
      if (!i.instance->chain || number++ >= most) continue;
      const ChainStep& first = i.instance->chain->steps.front();
      if (seen.emplace(first.location, first.enter).second) all.push_back(i);
    }
  }
  return all;
}

}  // namespace waitstate::report
