#include "waitstate/result/severities.hpp"

#include <algorithm>
#include <utility>

#include "util/hash.hpp"

namespace waitstate {

// The slot of the row, or the one where it would be inserted.
std::size_t Severities::slot_of(const Table& t, const RowKey& wanted) {
  const std::uint64_t key = util::joined(wanted.locations, wanted.callpath.value);
  const std::size_t mask = t.slots.size() - 1;
  std::size_t i = static_cast<std::size_t>(util::spread(key ^ key >> 29) >> 32) & mask;
  while (t.slots[i] != 0 && t.keys[t.slots[i] - 1] != wanted) i = (i + 1) & mask;
  return i;
}

void Severities::grow(Table& t) {
  t.slots.assign(std::max<std::size_t>(16, t.slots.size() * 2), 0);
  fill_slots(t);
}

void Severities::fill_slots(Table& t) {
  for (std::size_t r = 0; r < t.keys.size(); ++r) t.slots[slot_of(t, t.keys[r])] = static_cast<std::uint32_t>(r + 1);
}

void Severities::add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value) {
  Table& t = tables_[metric];
  if ((t.keys.size() + 1) * 2 > t.slots.size()) grow(t);
  const RowKey key{callpath, location.value / row_size};
  std::uint32_t& slot = t.slots[slot_of(t, key)];
  if (slot == 0) {
    t.keys.push_back(key);
    t.rows.emplace_back();
    slot = static_cast<std::uint32_t>(t.keys.size());
  }
  std::int64_t& sum = t.rows[slot - 1].values[location.value % row_size];
  if (__builtin_add_overflow(sum, value, &sum)) t.wrapped = true;  // the sum wraps around
}

void Severities::merge(const Severities& other) {
  grow(other.metric_count());
  for (std::size_t m = 0; m < other.tables_.size(); ++m) {
    const auto metric = static_cast<MetricIndex>(m);
    other.for_each(metric, [&](CallPathId path, LocationId l, std::int64_t value) { add(metric, path, l, value); });
    tables_[m].wrapped = tables_[m].wrapped || other.tables_[m].wrapped;
  }
}

void Severities::renumber(std::span<const CallPathId> numbers) {
  for (Table& t : tables_) {
    for (RowKey& key : t.keys) key.callpath = numbers[key.callpath.index()];
    std::fill(t.slots.begin(), t.slots.end(), 0);
    fill_slots(t);
  }
}

std::int64_t Severities::value(MetricIndex metric, CallPathId callpath, LocationId location) const {
  const Table& t = tables_[metric];
  if (t.keys.empty()) return 0;
  const std::uint32_t slot = t.slots[slot_of(t, {callpath, location.value / row_size})];
  return slot == 0 ? 0 : t.rows[slot - 1].values[location.value % row_size];
}

std::vector<std::uint32_t> Severities::in_order(const Table& t, std::span<const std::uint32_t> places) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(t.keys.size());
  for (std::uint32_t r = 0; r < t.keys.size(); ++r)
    order.emplace_back(std::uint64_t{places[t.keys[r].callpath.index()]} << 32 | t.keys[r].locations, r);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> rows;
  rows.reserve(order.size());
  for (const auto& [place, row] : order) rows.push_back(row);
  return rows;
}

std::int64_t Severities::inclusive(const MetricTree& tree, MetricIndex metric, CallPathId callpath,
                                   LocationId location) const {
  std::int64_t sum = value(metric, callpath, location);
  for (MetricIndex part = metric + 1; part < tree.size(); ++part)  // children are defined after their parents
    if (tree.adds_to(part, metric)) sum = add_ticks(sum, static_cast<std::uint64_t>(value(part, callpath, location)));
  return sum;
}

std::vector<MetricIndex> too_large(const MetricTree& metrics, const Severities& severities) {
  // Magnitudes are summed, so that large values cannot cancel out. Children are defined after their parents, so going
  // backwards sees a parent after its children.
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> sums(metrics.size());
  std::vector<bool> large(metrics.size()), is_time(metrics.size());
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    is_time[m] = metrics[m].id == "time" || (metrics[m].parent != no_metric && is_time[metrics[m].parent]);
  const auto add = [&](MetricIndex m, std::uint64_t value) {
    sums[m] += value;  // at most 2^63 - 1 and 2^63
    if (sums[m] >= limit) large[m] = true, sums[m] = 0;
  };
  for (MetricIndex m = static_cast<MetricIndex>(metrics.size()); m-- > 0;) {
    if (m >= severities.metric_count()) continue;  // metrics of a report that has no values for them
    if (severities.wrapped(m)) large[m] = true;
    severities.for_each(m, [&](CallPathId, LocationId, std::int64_t value) {
      if (value < 0 && is_time[m]) large[m] = true;
      add(m, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    });
    if (metrics[m].parent == no_metric || metrics[m].within_parent) continue;
    if (large[m]) large[metrics[m].parent] = true;
    add(metrics[m].parent, sums[m]);
  }
  std::vector<MetricIndex> all;
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (large[m]) all.push_back(m);
  return all;
}

namespace {
struct PlacedValue {
  std::uint64_t place;  // depth-first place of the call path << 32 | location
  std::int64_t value;
};

// Sorts by place, and leaves each place once.
void add_up(std::vector<PlacedValue>& values) {
  std::sort(values.begin(), values.end(), [](const PlacedValue& a, const PlacedValue& b) { return a.place < b.place; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kept != 0 && values[kept - 1].place == values[i].place)
      values[kept - 1].value = add_ticks(values[kept - 1].value, static_cast<std::uint64_t>(values[i].value));
    else
      values[kept++] = values[i];
  }
  values.resize(kept);
}
}  // namespace

void for_each_severity_row(const MetricTree& metrics, const CallTree& call_tree, const Severities& severities,
                           const std::function<void(const SeverityRow&)>& use) {
  const std::vector<CallPathId> path_order = call_tree.depth_first();
  std::vector<std::uint32_t> place(call_tree.size());
  for (std::size_t i = 0; i < path_order.size(); ++i) place[path_order[i].index()] = static_cast<std::uint32_t>(i);

  // Values that include the metrics below, of one tree of metrics after the other.
  std::vector<std::vector<PlacedValue>> values(metrics.size());
  const auto add_up_below = [&](std::span<const MetricIndex> parents_first) {
    for (auto child = parents_first.rbegin(); child != parents_first.rend(); ++child) {
      const MetricIndex m = *child;
      severities.for_each(m, [&](CallPathId path, LocationId location, std::int64_t value) {
        values[m].push_back({std::uint64_t{place[path.index()]} << 32 | location.value, value});
      });
      add_up(values[m]);
      if (metrics[m].parent == no_metric || metrics[m].within_parent) continue;
      auto& parent = values[metrics[m].parent];
      parent.insert(parent.end(), values[m].begin(), values[m].end());
    }
  };
  const std::vector<MetricIndex> order = metrics.depth_first();
  for (auto first = order.begin(); first != order.end();) {
    const auto last =
        std::find_if(std::next(first), order.end(), [&](MetricIndex m) { return metrics[m].parent == no_metric; });
    add_up_below({first, last});
    for (; first != last; ++first) {
      for (const PlacedValue& v : std::exchange(values[*first], {}))
        if (v.value != 0)
          use({*first, path_order[v.place >> 32], LocationId{static_cast<std::uint32_t>(v.place)}, v.value});
    }
  }
}

std::vector<SeverityRow> severity_table(const MetricTree& metrics, const CallTree& call_tree,
                                        const Severities& severities) {
  std::vector<SeverityRow> table;
  for_each_severity_row(metrics, call_tree, severities, [&](const SeverityRow& row) { table.push_back(row); });
  return table;
}

}  // namespace waitstate
