#include "report/cube/metric_places.hpp"

#include <algorithm>

namespace waitstate::report {
namespace {

bool is_share(const MetricInfo& metric) { return metric.within_parent && metric.parent != no_metric; }

bool has_summands(const MetricTree& tree, MetricIndex m) {
  const std::vector<MetricIndex> children = tree.children(m);
  return std::any_of(children.begin(), children.end(), [&](MetricIndex c) { return !tree[c].within_parent; });
}

bool overlaps(const MetricTree& tree, MetricIndex m) {
  const MetricInfo& metric = tree[m];
  if (!is_share(metric)) return false;
  if (has_summands(tree, metric.parent)) return true;
  const std::vector<MetricIndex> siblings = tree.children(metric.parent);
  if (metric.kind == MetricKind::other && siblings.size() > 1) return true;
  return is_share(tree[metric.parent]) && siblings.front() != m;
}

}  // namespace

CubeMetricPlaces::CubeMetricPlaces(const MetricTree& metrics, std::span<const SeverityRow> table,
                                   const std::vector<std::uint32_t>& cnodes)
    : metrics_(metrics), cnodes_(cnodes), rows_(metrics.size()), parents_(metrics.size()), children_(metrics.size()) {
  for (std::size_t begin = 0; begin < table.size();) {
    const MetricIndex m = table[begin].metric;
    std::size_t end = begin;
    while (end < table.size() && table[end].metric == m) ++end;
    rows_[m] = table.subspan(begin, end - begin);
    begin = end;
  }
  const MetricTree known = MetricTree::built_in();
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    const MetricInfo& metric = metrics[m];
    const MetricIndex same = metric.from_plugin ? no_metric : known.find(metric.id);
    const bool moves = same != no_metric
                           ? overlaps(known, same)
                           : metric.from_plugin && is_share(metric) && has_summands(metrics, metric.parent);
    parents_[m] = moves ? no_metric : metric.parent;
  }
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (metrics[m].sums()) take_children(m);
  list();
}

/// Leaves those shares of `m` below it that fit there together.
void CubeMetricPlaces::take_children(MetricIndex m) {
  std::vector<std::int64_t> left;
  for (const SeverityRow& row : rows_[m]) left.push_back(row.value);
  for (const bool shares : {false, true})
    for (const MetricIndex child : metrics_.children(m)) {
      const MetricInfo& metric = metrics_[child];
      if (parents_[child] != m || metric.within_parent != shares || !metric.sums()) continue;
      std::size_t fitting = 0;
      for_each_common(m, child, [&](std::size_t i, std::size_t k) { fitting += left[i] >= rows_[child][k].value; });
      const bool fits = fitting == rows_[child].size() && metric.unit == metrics_[m].unit;
      if (shares && !fits)
        parents_[child] = no_metric;
      else
        for_each_common(m, child, [&](std::size_t i, std::size_t k) { left[i] -= rows_[child][k].value; });
    }
}

void CubeMetricPlaces::list() {
  std::vector<MetricIndex> moved_ones, roots;
  const std::vector<MetricIndex> all = metrics_.depth_first();
  const auto end_tree = [&] {
    roots.insert(roots.end(), moved_ones.begin(), moved_ones.end());
    moved_ones.clear();
  };
  for (const MetricIndex m : all) {
    if (metrics_[m].parent == no_metric) {
      end_tree();
      roots.push_back(m);
    } else if (parents_[m] == no_metric) {
      moved_ones.push_back(m);
      any_moved_ = true;
    } else {
      children_[parents_[m]].push_back(m);
    }
  }
  end_tree();
  std::vector<MetricIndex> open(roots.rbegin(), roots.rend());
  while (!open.empty()) {
    const MetricIndex m = open.back();
    open.pop_back();
    order_.push_back(m);
    open.insert(open.end(), children_[m].rbegin(), children_[m].rend());
  }
}

}  // namespace waitstate::report
