#include "report/compare/delta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/facts/runs/common_paths.hpp"

namespace waitstate::report {
namespace {

/// The location of B for each location of A; no value if they do not correspond.
std::optional<std::vector<LocationId>> same_locations(const Definitions& a, const Definitions& b) {
  if (a.locations.size() != b.locations.size() || a.processes.size() != b.processes.size()) return std::nullopt;
  // A process is identified by its rank, or by its place among those without a rank; a location by its place in the
  // process.
  using LocationKey = std::tuple<std::int64_t, std::size_t, std::size_t, LocationType>;
  const auto keys = [](const Definitions& d) {
    std::map<LocationKey, LocationId> found;
    std::size_t unranked = 0, alone = 0;
    for (const LocationGroup& p : d.processes) {
      const std::size_t number = p.rank < 0 ? unranked++ : 0;
      for (std::size_t i = 0; i < p.locations.size(); ++i)
        found.emplace(LocationKey{p.rank, number, i, d[p.locations[i]].type}, p.locations[i]);
    }
    for (std::size_t l = 0; l < d.locations.size(); ++l)
      if (!d.locations[l].process.valid())
        found.emplace(LocationKey{-2, 0, alone++, d.locations[l].type}, LocationId{l});
    return found;
  };
  const std::map<LocationKey, LocationId> of_a = keys(a), of_b = keys(b);
  if (of_a.size() != a.locations.size() || of_b.size() != of_a.size()) return std::nullopt;
  std::vector<LocationId> same(a.locations.size());
  for (const auto& [key, location] : of_a) {
    const auto found = of_b.find(key);
    if (found == of_b.end()) return std::nullopt;
    same[location.index()] = found->second;
  }
  return same;
}

/// Puts the call paths of both runs into `all`, and returns the places of A's among them.
std::vector<CallPathId> add_call_paths(const AnalysisResult& before, const AnalysisResult& after, AnalysisResult& all) {
  all.call_tree = after.call_tree;
  CommonPaths common;
  const std::vector<std::uint32_t> of_b = common.add(after), of_a = common.add(before);
  std::vector<CallPathId> place(common.size(), CallPathId::none());
  for (std::size_t i = of_b.size(); i-- > 0;) place[of_b[i]] = CallPathId{i};
  std::map<std::string_view, RegionId> regions;  // by name, those of B and those that only A has
  for (std::size_t r = 0; r < all.definitions.regions.size(); ++r)
    regions.emplace(after.definitions.regions[r].name, RegionId{r});
  std::vector<CallPathId> found(of_a.size());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    CallPathId& at = place[of_a[i]];
    if (!at.valid()) {
      CallPath path = before.call_tree[CallPathId{i}];
      if (path.parent.valid()) path.parent = found[path.parent.index()];
      if (path.region.valid()) {
        const Region& region = before.definitions[path.region];
        const auto [known, is_new] = regions.emplace(region.name, RegionId{all.definitions.regions.size()});
        if (is_new) all.definitions.regions.push_back(region);
        path.region = known->second;
      }
      if (path.program.valid()) path.program = all.definitions.intern(before.definitions[path.program]);
      at = all.call_tree.find_or_add(path);
      all.call_tree.seen(at, LocationId{std::size_t{LocationId::none_value - 1}}, static_cast<std::uint32_t>(i));
    }
    found[i] = at;
  }
  return found;
}

/// The metric of `all` for each metric of A.
std::vector<MetricIndex> add_metrics(const MetricTree& of_a, MetricTree& all) {
  std::vector<MetricIndex> found(of_a.size());
  for (MetricIndex m = 0; m < of_a.size(); ++m) {
    const MetricInfo& own = of_a[m];
    found[m] = all.find(own.id);
    if (found[m] != no_metric) {  // views must be able to leave out the same things in both runs
      if (own.siblings != Siblings::disjoint) all.set_siblings(found[m], own.siblings);
      continue;
    }
    const std::string_view parent = own.parent == no_metric ? std::string_view() : all[found[own.parent]].id;
    found[m] = all.add(own.id, parent, own.unit, own.within_parent, own.title, own.summary, own.kind);
    if (own.unit == Unit::counter) all.set_scale(found[m], own.unit_name, own.scale);
    all.set_aggregation(found[m], own.aggregation);
    all.set_siblings(found[m], own.siblings);
    all.set_texts(found[m], own.texts);
  }
  return found;
}

}  // namespace

Delta delta(const AnalysisResult& before, const AnalysisResult& after) {
  Delta d;
  AnalysisResult& all = d.result;
  const Definitions &a = before.definitions, &b = after.definitions;
  const std::optional<std::vector<LocationId>> same = same_locations(a, b);
  d.by_location = same.has_value();
  all.path = after.path;
  all.definitions.clock = b.clock;
  all.definitions.recorder = b.recorder;
  all.definitions.regions = b.regions;
  all.definitions.strings = b.strings;
  if (same) {
    all.definitions.system_tree = b.system_tree;
    all.definitions.processes = b.processes;
    all.definitions.locations = b.locations;
  } else {
    all.definitions.locations.emplace_back().name = "all locations";
  }
  all.locations.resize(all.definitions.locations.size());
  const std::vector<CallPathId> paths = add_call_paths(before, after, all);
  all.metrics = after.metrics;
  const std::vector<MetricIndex> metrics = add_metrics(before.metrics, all.metrics);
  all.severities = Severities(all.metrics.size());

  const auto is_wanted = [&](MetricIndex m) { return all.metrics[m].sums(); };
  const double clock = static_cast<double>(b.clock.resolution) / static_cast<double>(a.clock.resolution);
  std::vector<bool> differ(all.metrics.size());  // in their units
  for (MetricIndex m = 0; m < before.metrics.size(); ++m) {
    const MetricIndex to = metrics[m];
    const MetricInfo &of_a = before.metrics[m], &of_both = all.metrics[to];
    if (of_a.unit != of_both.unit || of_a.scale != of_both.scale) differ[to] = true;
    if (differ[to] || !is_wanted(to)) continue;
    const bool scaled = of_a.unit == Unit::seconds && a.clock.resolution != b.clock.resolution;
    before.severities.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) {
      if (scaled) value = std::llround(static_cast<double>(value) * clock);
      all.severities.add(to, paths[c.index()], same ? (*same)[l.index()] : LocationId{0}, -value);
    });
  }
  for (MetricIndex m = 0; m < after.metrics.size(); ++m)
    if (is_wanted(m) && !differ[m])
      after.severities.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) {
        all.severities.add(m, c, same ? l : LocationId{0}, value);
      });
  if (a.clock.resolution == b.clock.resolution) return d;

  // A report with another clock has been rounded to its ticks.
  const auto most = static_cast<std::int64_t>(std::ceil(std::max(1.0, clock))) *
                    static_cast<std::int64_t>(same ? 1 : std::max(a.locations.size(), b.locations.size()));
  for (MetricIndex m = 0; m < all.metrics.size(); ++m) {
    if (all.metrics[m].unit != Unit::seconds) continue;
    std::vector<std::tuple<CallPathId, LocationId, std::int64_t>> rounded;
    all.severities.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) {
      if (std::abs(value) <= most) rounded.emplace_back(c, l, value);
    });
    for (const auto& [c, l, value] : rounded) all.severities.add(m, c, l, -value);
  }
  return d;
}

}  // namespace waitstate::report
