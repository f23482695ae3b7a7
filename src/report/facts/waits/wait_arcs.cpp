// Nested wait states: a wait that is recorded for mpi_lswo_same is recorded for mpi_latesender as well, because the one
// lies within the other. A metric's own waits contain those of the metrics below it exactly if the last step of the way
// up to it is a share (MetricInfo::within_parent); of other children it is the sum, and their waits are not its own.
//
// The tightest circle is found without enumerating circles: with waits sorted from the largest down, the first prefix
// that is not free of circles ends with the smallest wait of the circle that is sought. Whether a prefix has a circle
// is monotonous, so prefixes that grow twofold and then a binary search over strongly connected components find it, in
// O(E log E) for E waits; where many wait for many, the prefix is short. A breadth first search from that wait's
// culprit back to the waiter then gives the circle.
#include "report/facts/waits/wait_arcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace waitstate::report {
namespace {

using VertexIndex = WaitGraph::VertexIndex;
using Plain = boost::compressed_sparse_row_graph<boost::directedS>;

bool below_or_same(const MetricTree& tree, MetricIndex metric, MetricIndex above) {
  for (; metric != no_metric; metric = tree[metric].parent)
    if (metric == above) return true;
  return false;
}

/// The wait states at or below the chosen metrics that do not lie within another one of them.
std::vector<MetricIndex> counted_metrics(const AnalysisResult& result, const std::vector<MetricIndex>& chosen) {
  const MetricTree& tree = result.metrics;
  for (const MetricIndex metric : chosen)
    if (metric >= tree.size()) throw std::out_of_range(fmt::format("no metric has the index {}", metric));
  std::vector<bool> wanted(tree.size(), false);
  for (const auto& waits : result.waits) {
    const auto chosen_by = [&](MetricIndex above) { return below_or_same(tree, waits.first, above); };
    wanted[waits.first] =
        chosen.empty() ? !waits.second.pairs.empty() : std::any_of(chosen.begin(), chosen.end(), chosen_by);
  }
  std::vector<MetricIndex> counted;
  for (const auto& [metric, summary] : result.waits) {
    bool contained = false;
    for (MetricIndex m = metric; tree[m].parent != no_metric && !contained; m = tree[m].parent)
      contained = tree[m].within_parent && wanted[tree[m].parent];
    if (wanted[metric] && !contained) counted.push_back(metric);
  }
  return counted;
}

void add_wait(WaitPair& sum, const WaitPair& wait) {
  sum.count += wait.count;
  sum.ticks = add_ticks(sum.ticks, static_cast<std::uint64_t>(wait.ticks));
}

/// Numbers of processes or locations, and their places among those that are used. Locations without a process, and
/// numbers that only a damaged report has, are beyond those that the trace defines.
class Places {
 public:
  explicit Places(std::size_t defined) : places_(defined, not_used) {}

  void use(std::uint32_t id) {
    if (id < places_.size())
      places_[id] = 0;
    else
      others_[id] = 0;
  }
  /// Gives places to all ids that are used, in ascending order, and returns these ids.
  std::vector<std::uint32_t> in_order() {
    std::vector<std::uint32_t> ids;
    const auto put = [&](std::uint32_t id, std::uint32_t& place) {
      place = static_cast<std::uint32_t>(ids.size());
      ids.push_back(id);
    };
    for (std::uint32_t id = 0; id < places_.size(); ++id)
      if (places_[id] != not_used) put(id, places_[id]);
    for (auto& [id, place] : others_) put(id, place);
    return ids;
  }
  std::uint32_t operator[](std::uint32_t id) const { return id < places_.size() ? places_[id] : others_.at(id); }

 private:
  static constexpr std::uint32_t not_used = ~std::uint32_t{0};
  std::vector<std::uint32_t> places_;
  std::map<std::uint32_t, std::uint32_t> others_;
};

// The pairs of a metric come in the order of culprits: distributed to waiters, they are sorted, or nearly so.
void sort_and_add_up(std::vector<WaitArc>& arcs, std::size_t vertices) {
  std::vector<std::size_t> first(vertices + 1);
  for (const WaitArc& a : arcs) ++first[a.waiter + 1];
  for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
  std::vector<WaitArc> sorted(arcs.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const WaitArc& a : arcs) sorted[next[a.waiter]++] = a;
  arcs.clear();
  const auto by_culprit = [](const WaitArc& a, const WaitArc& b) { return a.culprit < b.culprit; };
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(first[v]),
               end = sorted.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    if (!std::is_sorted(begin, end, by_culprit)) std::sort(begin, end, by_culprit);
    for (auto a = begin; a != end; ++a)
      if (a != begin && arcs.back().culprit == a->culprit)
        add_wait(arcs.back().wait, a->wait);
      else
        arcs.push_back(*a);
  }
}

/// Strongly connected components: by vertex the number of its component, and how many there are.
std::pair<std::vector<std::size_t>, std::size_t> strong_components_of(const Plain& graph) {
  std::vector<std::size_t> component(boost::num_vertices(graph));
  const auto map = boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph));
  const std::size_t n = boost::strong_components(graph, map);
  return {std::move(component), n};
}

struct Arc {
  std::size_t from, to;  // places in Component::members
  Ticks ticks;
};

/// The graph of the first `n` arcs.
template <class Arcs, class Ends>
Plain plain_graph(std::size_t vertices, const Arcs& arcs, std::size_t n, const Ends& ends) {
  const auto begin = boost::make_transform_iterator(arcs.begin(), ends);
  return {boost::edges_are_unsorted_multi_pass, begin, std::next(begin, static_cast<std::ptrdiff_t>(n)), vertices};
}
Plain largest_arcs(std::size_t vertices, const std::vector<Arc>& arcs, std::size_t n) {
  return plain_graph(vertices, arcs, n, [](const Arc& a) { return std::pair(a.from, a.to); });
}

/// See the top of the file; the arcs form one strongly connected component without loops.
void find_circle(WaitGraph::Component& component, std::vector<Arc> arcs) {
  const std::size_t n = component.members.size();
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return std::tie(b.ticks, a.from, a.to) < std::tie(a.ticks, b.from, b.to);
  });
  const auto has_circle = [&](std::size_t length) {
    return strong_components_of(largest_arcs(n, arcs, length)).second < n;
  };
  std::size_t free = 1, circular = arcs.size();  // lengths of prefixes: one arc has no circle, all of them have
  for (std::size_t length = 2; length < circular; length *= 2) (has_circle(length) ? circular : free) = length;
  while (circular - free > 1) {
    const std::size_t middle = free + (circular - free) / 2;
    (has_circle(middle) ? circular : free) = middle;
  }
  const Arc& closing = arcs[circular - 1];
  const Plain graph = largest_arcs(n, arcs, circular);
  std::vector<std::size_t> reached_from(n, n);
  boost::breadth_first_search(
      graph, closing.to,
      boost::visitor(boost::make_bfs_visitor(boost::record_predecessors(reached_from.data(), boost::on_tree_edge()))));
  std::vector<VertexIndex> circle;  // backwards, from the waiter to the culprit of the closing wait
  for (std::size_t at = closing.from; at != closing.to; at = reached_from[at]) circle.push_back(component.members[at]);
  circle.push_back(component.members[closing.to]);
  std::reverse(circle.begin(), circle.end());
  std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
  component.circle = std::move(circle);
  component.circle_least = closing.ticks;
}

}  // namespace

SummedWaits summed_waits(const AnalysisResult& result, const std::vector<MetricIndex>& metrics,
                         WaitGraph::Level level) {
  constexpr std::uint32_t none = LocationId::none_value;
  const Definitions& definitions = result.definitions;
  const auto id_of = [&](LocationId location) {
    if (level == WaitGraph::Level::location || location.index() >= definitions.locations.size()) return location.value;
    return definitions[location].process.value;
  };
  SummedWaits sums;
  sums.metrics = counted_metrics(result, metrics);
  Places places(std::max(definitions.locations.size(), definitions.processes.size()));
  std::vector<std::pair<std::uint32_t, WaitPair>> aggregated;  // by culprit
  for (const MetricIndex metric : sums.metrics)
    for (const auto& [who, wait] : result.waits.at(metric).pairs) {
      const std::uint32_t culprit = id_of(who.first), waiter = id_of(who.second);
      if (culprit == none) {
        add_wait(sums.without_culprit, wait);
        continue;
      }
      add_wait(sums.total, wait);
      places.use(culprit);
      if (waiter == none) {
        aggregated.emplace_back(culprit, wait);
        add_wait(sums.aggregated_total, wait);
      } else {
        places.use(waiter);
        sums.arcs.push_back({waiter, culprit, wait});
      }
    }
  std::set<std::pair<std::uint32_t, std::uint32_t>> open;  // waiter, culprit
  if (metrics.empty())
    for (const OpenCall& call : result.open_calls)
      for (const OpenWait& wait : call.waits)
        for (const LocationId culprit : wait.any ? std::vector<LocationId>{} : wait.whom) {
          open.emplace(id_of(call.location), id_of(culprit));
          places.use(id_of(call.location)), places.use(id_of(culprit));
        }
  sums.ids = places.in_order();
  for (WaitArc& a : sums.arcs) a.waiter = places[a.waiter], a.culprit = places[a.culprit];
  sort_and_add_up(sums.arcs, sums.ids.size());
  sums.aggregated.resize(sums.ids.size());
  for (const auto& [culprit, wait] : aggregated) add_wait(sums.aggregated[places[culprit]], wait);
  for (const auto& [waiter, culprit] : open) sums.never_ended.emplace_back(places[waiter], places[culprit]);
  return sums;
}

std::vector<WaitGraph::Component> wait_components(std::size_t vertices, const std::vector<WaitArc>& arcs) {
  const Plain graph = plain_graph(vertices, arcs, arcs.size(), [](const WaitArc& a) {
    return std::pair<std::size_t, std::size_t>(a.waiter, a.culprit);
  });
  const auto [component_of, n] = strong_components_of(graph);
  std::vector<WaitGraph::Component> all(n);
  std::vector<std::size_t> place(vertices);  // among the members of its component
  for (VertexIndex v = 0; v < vertices; ++v) {
    place[v] = all[component_of[v]].members.size();
    all[component_of[v]].members.push_back(v);
  }
  std::vector<std::vector<Arc>> inside(n);
  for (const WaitArc& a : arcs) {
    if (a.waiter == a.culprit || component_of[a.waiter] != component_of[a.culprit]) continue;
    add_wait(all[component_of[a.waiter]].inside, a.wait);
    inside[component_of[a.waiter]].push_back({place[a.waiter], place[a.culprit], a.wait.ticks});
  }
  for (std::size_t i = 0; i < n; ++i)
    if (all[i].members.size() > 1) find_circle(all[i], std::move(inside[i]));
  std::erase_if(all, [](const WaitGraph::Component& c) { return c.members.size() < 2; });
  std::sort(all.begin(), all.end(), [](const WaitGraph::Component& a, const WaitGraph::Component& b) {
    return a.inside.ticks != b.inside.ticks ? a.inside.ticks > b.inside.ticks : a.members < b.members;
  });
  return all;
}

}  // namespace waitstate::report
