#include "report/facts/totals.hpp"

#include <algorithm>

namespace waitstate::report {
namespace {

/// The values that are not zero, largest first; equal values by `place`.
template <class Place>
Ranking ranking(const std::vector<std::int64_t>& values, const Place& place) {
  Ranking result;
  for (std::uint32_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) result.emplace_back(i, values[i]);
  std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : place(a.first) < place(b.first);
  });
  return result;
}

}  // namespace

Totals::Totals(const AnalysisResult& result, Scope scope)
    : result_(result),
      scope_(scope),
      left_out_(scope == Scope::whole ? std::vector<bool>() : init_exit_paths(result)),
      time_(result.metrics.find("time")),
      totals_(result.metrics.size()) {
  const MetricTree& tree = result.metrics;
  for (auto metric = static_cast<MetricIndex>(tree.size()); metric-- > 0;) {  // a parent has a smaller index
    const MetricInfo& info = tree[metric];
    if (metric < result.severities.metric_count())
      result.severities.for_each(metric, [&](CallPathId path, LocationId, std::int64_t value) {
        if (has(path)) totals_[metric] = aggregate(info.aggregation, totals_[metric], value);
      });
    if (info.parent != no_metric && !info.within_parent)
      totals_[info.parent] = aggregate(tree[info.parent].aggregation, totals_[info.parent], totals_[metric]);
  }
}

std::vector<MetricIndex> Totals::summed(MetricIndex metric) const {
  std::vector<MetricIndex> all{metric};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const MetricIndex child : result_.metrics.children(all[i]))
      if (!result_.metrics[child].within_parent) all.push_back(child);
  return all;
}

std::vector<std::int64_t> Totals::by_callpath(MetricIndex metric) const {
  const Aggregation kind = result_.metrics[metric].aggregation;
  std::vector<std::int64_t> sums(result_.call_tree.size());
  for (const MetricIndex m : summed(metric))
    result_.severities.for_each(m, [&](CallPathId path, LocationId, std::int64_t value) {
      if (has(path)) sums[path.index()] = aggregate(kind, sums[path.index()], value);
    });
  return sums;
}

std::vector<std::int64_t> Totals::by_location(MetricIndex metric) const {
  const Aggregation kind = result_.metrics[metric].aggregation;
  std::vector<std::int64_t> sums(result_.definitions.locations.size());
  for (const MetricIndex m : summed(metric))
    result_.severities.for_each(m, [&](CallPathId path, LocationId location, std::int64_t value) {
      if (has(path)) sums[location.index()] = aggregate(kind, sums[location.index()], value);
    });
  return sums;
}

Ranking Totals::callpaths(MetricIndex metric) const {
  std::vector<std::uint32_t> place(result_.call_tree.size());
  std::uint32_t next = 0;
  for (const CallPathId id : result_.call_tree.depth_first()) place[id.index()] = next++;
  return ranking(by_callpath(metric), [&](std::uint32_t id) { return place[id]; });
}

Ranking Totals::locations(MetricIndex metric) const {
  return ranking(by_location(metric), [](std::uint32_t id) { return id; });
}

RunTotals::RunTotals(const AnalysisResult& result) : whole_(result) {
  if (init_exit_paths(result).empty()) return;
  counted_.emplace(result, Scope::without_init_exit);
  if (counted_->time() <= 0 || counted_->time() == whole_.time())
    counted_.reset();
  else
    without_ = init_exit(result);
}

}  // namespace waitstate::report
