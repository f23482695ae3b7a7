#include "report/totals.hpp"

#include <algorithm>

namespace waitstate::report {

Totals::Totals(const AnalysisResult& result, const std::vector<MetricIndex>& ranked)
    : totals_(result.metrics.size()), callpath_order_(result.call_tree.size()) {
  std::uint32_t place = 0;
  for (const CallPathId id : result.call_tree.depth_first()) callpath_order_[id.index()] = place++;
  for (const MetricIndex metric : ranked) ranked_[metric];

  const MetricTree& tree = result.metrics;
  const std::vector<MetricIndex> order = tree.depth_first();
  std::vector<std::int64_t> values(tree.size());
  for (std::size_t i = 0; i < result.severities.row_count(); ++i) {
    const Severities::Row row = result.severities.row(i);
    std::copy_n(row.values, tree.size(), values.begin());
    for (auto metric = order.rbegin(); metric != order.rend(); ++metric) {
      const MetricInfo& info = tree[*metric];
      if (info.parent != no_metric && !info.within_parent) values[info.parent] += values[*metric];
    }
    for (MetricIndex metric = 0; metric < values.size(); ++metric) totals_[metric] += values[metric];
    for (auto& [metric, sums] : ranked_) {
      if (values[metric] == 0) continue;
      sums.callpaths[row.callpath.value] += values[metric];
      sums.locations[row.location.value] += values[metric];
    }
  }
}

Ranking Totals::callpaths(MetricIndex metric) const {
  const auto& sums = ranked_.at(metric).callpaths;
  Ranking ranking(sums.begin(), sums.end());
  const auto place = [&](std::uint32_t id) { return id < callpath_order_.size() ? callpath_order_[id] : id; };
  std::sort(ranking.begin(), ranking.end(), [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : place(a.first) < place(b.first);
  });
  return ranking;
}

Ranking Totals::locations(MetricIndex metric) const {
  const auto& sums = ranked_.at(metric).locations;
  Ranking ranking(sums.begin(), sums.end());
  std::sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return ranking;
}

}  // namespace waitstate::report
