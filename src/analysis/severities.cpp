#include "waitstate/severities.hpp"

#include <algorithm>

namespace waitstate {

std::size_t Severities::find(CallPathId callpath, LocationId location) const {
  const std::uint64_t key = std::uint64_t{location.value} << 32 | callpath.value;
  const std::size_t mask = table_.size() - 1;
  std::size_t i = static_cast<std::size_t>((key ^ key >> 29) * 0x9e3779b97f4a7c15u >> 32) & mask;
  while (table_[i] != 0 && (keys_[table_[i] - 1].callpath != callpath || keys_[table_[i] - 1].location != location))
    i = (i + 1) & mask;
  return i;
}

std::size_t Severities::row_of(CallPathId callpath, LocationId location) {
  const std::uint64_t key = std::uint64_t{location.value} << 32 | callpath.value;
  if (key == last_key_) return last_row_;
  if ((keys_.size() + 1) * 2 > table_.size()) {
    table_.assign(std::max<std::size_t>(64, table_.size() * 2), 0);
    for (std::size_t r = 0; r < keys_.size(); ++r)
      table_[find(keys_[r].callpath, keys_[r].location)] = static_cast<std::uint32_t>(r + 1);
  }
  std::uint32_t& slot = table_[find(callpath, location)];
  if (slot == 0) {
    keys_.push_back({callpath, location});
    values_.resize(values_.size() + metric_count_, 0);
    slot = static_cast<std::uint32_t>(keys_.size());
  }
  last_key_ = key;
  last_row_ = slot - 1;
  return last_row_;
}

void Severities::add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value) {
  std::int64_t& v = values_[row_of(callpath, location) * metric_count_ + metric];
  v = add_ticks(v, value);
}

std::int64_t Severities::inclusive(const MetricTree& tree, MetricIndex metric, CallPathId callpath,
                                   LocationId location) const {
  if (keys_.empty()) return 0;
  const std::uint32_t slot = table_[find(callpath, location)];
  if (slot == 0) return 0;
  const std::int64_t* const values = values_.data() + std::size_t{slot - 1} * metric_count_;
  std::int64_t sum = values[metric];
  for (MetricIndex child : tree.children(metric))
    if (!tree[child].within_parent) sum = add_ticks(sum, inclusive(tree, child, callpath, location));
  return sum;
}

std::vector<SeverityRow> severity_table(const MetricTree& metrics, const CallTree& call_tree,
                                        const Severities& severities) {
  const std::vector<MetricIndex> metric_order = metrics.depth_first();
  const std::vector<CallPathId> path_order = call_tree.depth_first();
  std::vector<std::size_t> path_rank(call_tree.size());
  for (std::size_t i = 0; i < path_order.size(); ++i) path_rank[path_order[i].index()] = i;

  std::vector<std::size_t> rows(severities.row_count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    const auto x = severities.row(a), y = severities.row(b);
    const std::size_t px = path_rank[x.callpath.index()], py = path_rank[y.callpath.index()];
    return px != py ? px < py : x.location < y.location;
  });

  // Inclusive along the metric tree: children come after their parents, so one pass from the back adds them up.
  const std::size_t n = metrics.size();
  std::vector<std::int64_t> values(rows.size() * n);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::int64_t* const v = values.data() + r * n;
    std::copy_n(severities.row(rows[r]).values, n, v);
    for (MetricIndex m = static_cast<MetricIndex>(n); m-- > 0;)
      if (metrics[m].parent != no_metric && !metrics[m].within_parent)
        v[metrics[m].parent] = add_ticks(v[metrics[m].parent], v[m]);
  }
  std::vector<SeverityRow> table;
  for (MetricIndex m : metric_order)
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (values[r * n + m] != 0) {
        const auto row = severities.row(rows[r]);
        table.push_back({m, row.callpath, row.location, values[r * n + m]});
      }
  return table;
}

}  // namespace waitstate
