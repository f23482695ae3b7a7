// The graph of waits is small (pairs that occur), so everything is computed when asked for.
//
// Nested wait states: a wait that is recorded for mpi_lswo_same is recorded for mpi_latesender as well, because the one
// lies within the other. A metric's own waits contain those of the metrics below it exactly if the last step of the way
// up to it is a share (MetricInfo::within_parent); of other children it is the sum, and their waits are not its own.
//
// The tightest circle is found without enumerating circles: with waits sorted from the largest down, the first prefix
// that is not free of circles ends with the smallest wait of the circle that is sought. Whether a prefix has a circle
// is monotonous, so a binary search over strongly connected components finds it, in O(E log E) for E waits; a breadth
// first search from that wait's culprit back to who waited then gives the circle.
#include "waitstate/wait_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"
#include "report/graph/graphml.hpp"

namespace waitstate {
namespace {

using report::dot_string;
using VertexIndex = WaitGraph::VertexIndex;
using Graph = WaitGraph::Graph;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

bool below_or_same(const MetricTree& tree, MetricIndex metric, MetricIndex above) {
  for (; metric != no_metric; metric = tree[metric].parent)
    if (metric == above) return true;
  return false;
}

/// Wait states at or below the chosen metrics that lie within no other one of them.
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

void add(WaitPair& sum, const WaitPair& wait) {
  sum.count += wait.count;
  sum.ticks = add_ticks(sum.ticks, static_cast<std::uint64_t>(wait.ticks));
}

/// Strongly connected components: by vertex the number of its component, and how many there are.
template <class G>
std::pair<std::vector<std::size_t>, std::size_t> strong_components_of(const G& graph) {
  std::vector<std::size_t> component(boost::num_vertices(graph));
  const auto map = boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph));
  const std::size_t n = boost::strong_components(graph, map);
  return {std::move(component), n};
}

struct Arc {
  std::size_t from, to;  // places in Component::members
  Ticks ticks;
};
using Plain = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

Plain prefix(std::size_t vertices, const std::vector<Arc>& arcs, std::size_t n) {
  Plain graph(vertices);
  for (std::size_t i = 0; i < n; ++i) boost::add_edge(arcs[i].from, arcs[i].to, graph);
  return graph;
}

/// See the top of the file; the arcs form one strongly connected component without loops.
void find_circle(WaitGraph::Component& component, std::vector<Arc> arcs) {
  const std::size_t n = component.members.size();
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return std::tie(b.ticks, a.from, a.to) < std::tie(a.ticks, b.from, b.to);
  });
  std::size_t free = 1, circular = arcs.size();  // lengths of prefixes: one arc has no circle, all of them have
  while (circular - free > 1) {
    const std::size_t middle = free + (circular - free) / 2;
    (strong_components_of(prefix(n, arcs, middle)).second < n ? circular : free) = middle;
  }
  const Arc& closing = arcs[circular - 1];
  const Plain graph = prefix(n, arcs, circular);
  std::vector<std::size_t> reached_from(n, n);
  boost::breadth_first_search(
      graph, closing.to,
      boost::visitor(boost::make_bfs_visitor(boost::record_predecessors(reached_from.data(), boost::on_tree_edge()))));
  std::vector<VertexIndex> circle;  // backwards, from who waited to the culprit of the closing wait
  for (std::size_t at = closing.from; at != closing.to; at = reached_from[at]) circle.push_back(component.members[at]);
  circle.push_back(component.members[closing.to]);
  std::reverse(circle.begin(), circle.end());
  std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
  component.circle = std::move(circle);
  component.circle_least = closing.ticks;
}

}  // namespace

WaitGraph::WaitGraph(const AnalysisResult& result, const std::vector<MetricIndex>& metrics, Level level)
    : level_(level),
      resolution_(static_cast<double>(result.definitions.clock.resolution)),
      metrics_(counted_metrics(result, metrics)) {
  const Definitions& definitions = result.definitions;
  const auto id_of = [&](LocationId location) {
    if (level == Level::location || location.index() >= definitions.locations.size()) return location.value;
    return definitions[location].process.value;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, WaitPair> waits;  // waiter, culprit
  std::map<std::uint32_t, WaitPair> aggregated;                       // by culprit
  std::map<std::uint32_t, VertexIndex> vertices;
  for (const MetricIndex metric : metrics_) {
    if (!title_.empty()) title_ += ", ";
    title_ += result.metrics[metric].id;
    for (const auto& [who, wait] : result.waits.at(metric).pairs) {
      const std::uint32_t culprit = id_of(who.first), waiter = id_of(who.second);
      if (culprit == LocationId::none_value) {
        add(without_culprit_, wait);
        continue;
      }
      add(total_, wait);
      vertices.try_emplace(culprit);
      if (waiter == LocationId::none_value) {
        add(aggregated[culprit], wait);
        add(aggregated_, wait);
      } else {
        add(waits[{waiter, culprit}], wait);
        vertices.try_emplace(waiter);
      }
    }
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> open;  // waiter, culprit
  if (metrics.empty())
    for (const OpenCall& call : result.open_calls)
      for (const OpenWait& wait : call.waits)
        for (const LocationId culprit : wait.any ? std::vector<LocationId>{} : wait.whom) {
          open.emplace(id_of(call.location), id_of(culprit));
          vertices.try_emplace(id_of(call.location));
          vertices.try_emplace(id_of(culprit));
        }
  for (auto& [id, vertex] : vertices)
    vertex = boost::add_vertex(
        {id,
         report::printable(level == Level::process ? report::process_label(definitions, ProcessId{id})
                                                   : report::location_label(definitions, LocationId{id})),
         {},
         {}},
        graph_);
  for (const auto& [who, wait] : waits) {
    const VertexIndex waiter = vertices[who.first], culprit = vertices[who.second];
    boost::add_edge(waiter, culprit, wait, graph_);
    add(graph_[waiter].waited, wait);
    add(graph_[culprit].caused, wait);
  }
  for (const auto& [culprit, wait] : aggregated) add(graph_[vertices[culprit]].caused, wait);
  for (const auto& [waiter, culprit] : open) never_ended_.push_back({vertices[waiter], vertices[culprit]});
}

WaitGraph WaitGraph::top(std::size_t n) const {
  WaitGraph reduced = *this;
  if (n >= size()) return reduced;
  std::vector<VertexIndex> order(size());
  std::iota(order.begin(), order.end(), VertexIndex{0});
  const auto ticks = [&](VertexIndex v) {
    return add_ticks(graph_[v].waited.ticks, static_cast<std::uint64_t>(graph_[v].caused.ticks));
  };
  std::stable_sort(order.begin(), order.end(), [&](VertexIndex a, VertexIndex b) { return ticks(a) > ticks(b); });
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n));

  reduced.graph_ = Graph();
  std::vector<VertexIndex> place(size(), n);
  for (std::size_t i = 0; i < n; ++i) place[order[i]] = boost::add_vertex(graph_[order[i]], reduced.graph_);
  Vertex others{
      ProcessId::none_value, fmt::format("{} others", report::grouped(static_cast<std::int64_t>(size() - n))), {}, {}};
  if (size() - n == 1) others.label = "1 other";
  for (std::size_t i = n; i < order.size(); ++i) {
    add(others.waited, graph_[order[i]].waited);
    add(others.caused, graph_[order[i]].caused);
  }
  boost::add_vertex(others, reduced.graph_);
  std::map<std::pair<VertexIndex, VertexIndex>, WaitPair> waits;
  for (const Edge& e : boost::make_iterator_range(boost::edges(graph_)))
    add(waits[{place[boost::source(e, graph_)], place[boost::target(e, graph_)]}], graph_[e]);
  std::set<NeverEnded> open;
  for (const NeverEnded& o : never_ended_) open.insert({place[o.waiter], place[o.culprit]});
  reduced.never_ended_.assign(open.begin(), open.end());
  for (const auto& [who, wait] : waits) boost::add_edge(who.first, who.second, wait, reduced.graph_);
  return reduced;
}

std::vector<WaitGraph::Cell> WaitGraph::matrix() const {
  std::vector<Cell> cells;
  for (const Edge& edge : boost::make_iterator_range(boost::edges(graph_)))
    cells.push_back({boost::target(edge, graph_), boost::source(edge, graph_), graph_[edge]});
  std::sort(cells.begin(), cells.end(),
            [](const Cell& a, const Cell& b) { return std::tie(a.culprit, a.victim) < std::tie(b.culprit, b.victim); });
  return cells;
}

std::vector<WaitGraph::Cell> WaitGraph::heaviest() const {
  std::vector<Cell> cells = matrix();
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.wait.ticks > b.wait.ticks; });
  return cells;
}

namespace {
std::vector<VertexIndex> ranked(const Graph& graph, WaitPair WaitGraph::Vertex::*by) {
  std::vector<VertexIndex> order;
  for (VertexIndex v = 0; v < boost::num_vertices(graph); ++v)
    if ((graph[v].*by).count != 0) order.push_back(v);
  std::stable_sort(order.begin(), order.end(),
                   [&](VertexIndex a, VertexIndex b) { return (graph[a].*by).ticks > (graph[b].*by).ticks; });
  return order;
}
}  // namespace

std::vector<VertexIndex> WaitGraph::culprits() const { return ranked(graph_, &Vertex::caused); }
std::vector<VertexIndex> WaitGraph::victims() const { return ranked(graph_, &Vertex::waited); }

std::vector<WaitGraph::Component> WaitGraph::components() const {
  const auto [component_of, n] = strong_components_of(graph_);
  std::vector<Component> all(n);
  std::vector<std::size_t> place(size());  // among the members of its component
  for (VertexIndex v = 0; v < size(); ++v) {
    place[v] = all[component_of[v]].members.size();
    all[component_of[v]].members.push_back(v);
  }
  std::vector<std::vector<Arc>> arcs(n);
  for (const Edge& edge : boost::make_iterator_range(boost::edges(graph_))) {
    const VertexIndex waiter = boost::source(edge, graph_), culprit = boost::target(edge, graph_);
    if (waiter == culprit || component_of[waiter] != component_of[culprit]) continue;
    add(all[component_of[waiter]].inside, graph_[edge]);
    arcs[component_of[waiter]].push_back({place[waiter], place[culprit], graph_[edge].ticks});
  }
  for (std::size_t i = 0; i < n; ++i)
    if (all[i].members.size() > 1) find_circle(all[i], std::move(arcs[i]));
  std::erase_if(all, [](const Component& c) { return c.members.size() < 2; });
  std::sort(all.begin(), all.end(), [](const Component& a, const Component& b) {
    return a.inside.ticks != b.inside.ticks ? a.inside.ticks > b.inside.ticks : a.members < b.members;
  });
  return all;
}

// Both are written without Boost's own writers, in which numbers look as the locale of the program wants them, and have
// six digits.

void WaitGraph::write_dot(std::ostream& out) const {
  const auto seconds = [&](Ticks ticks) { return static_cast<double>(ticks) / resolution_; };
  report::TextStream text(out);
  text.print("digraph G {{\nlabel={};\n", dot_string("who waits for whom: " + title_));
  for (VertexIndex v = 0; v < size(); ++v) {
    const auto& [id, label, waited, caused] = graph_[v];
    text.print("{} [label={}, waited_ticks={}, waited_seconds={:.12g}, caused_ticks={}, caused_seconds={:.12g}];\n", v,
               dot_string(label), waited.ticks, seconds(waited.ticks), caused.ticks, seconds(caused.ticks));
  }
  for (const Edge& e : boost::make_iterator_range(boost::edges(graph_))) {
    const auto& [count, ticks] = graph_[e];
    text.print("{}->{}  [label=\"{:.12g} s\", ticks={}, seconds={:.12g}, count={}];\n", boost::source(e, graph_),
               boost::target(e, graph_), seconds(ticks), ticks, seconds(ticks), count);
  }
  for (const auto& [waiter, culprit] : never_ended_)
    text.print("{}->{}  [label=\"never ended\", never_ended=true, style=bold];\n", waiter, culprit);
  text.print("}}\n");
  text.flush();
}

void WaitGraph::write_graphml(std::ostream& out) const {
  const auto seconds = [&](Ticks ticks) { return fmt::format("{:.12g}", static_cast<double>(ticks) / resolution_); };
  report::GraphmlWriter writer(out, {{"node", "caused_seconds", "double"},
                                     {"node", "caused_ticks", "long"},
                                     {"edge", "count", "long"},
                                     {"node", "label", "string"},
                                     {"edge", "seconds", "double"},
                                     {"edge", "ticks", "long"},
                                     {"node", "waited_seconds", "double"},
                                     {"node", "waited_ticks", "long"},
                                     {"edge", "never_ended", "boolean", "false"}});
  for (VertexIndex v = 0; v < size(); ++v)
    writer.node(v, [&] {
      writer.data(0, seconds(graph_[v].caused.ticks));
      writer.data(1, graph_[v].caused.ticks);
      writer.data(3, graph_[v].label);
      writer.data(6, seconds(graph_[v].waited.ticks));
      writer.data(7, graph_[v].waited.ticks);
    });
  for (const Edge& e : boost::make_iterator_range(boost::edges(graph_)))
    writer.edge(boost::source(e, graph_), boost::target(e, graph_), [&] {
      writer.data(2, graph_[e].count);
      writer.data(4, seconds(graph_[e].ticks));
      writer.data(5, graph_[e].ticks);
    });
  for (const auto& [waiter, culprit] : never_ended_) writer.edge(waiter, culprit, [&] { writer.data(8, true); });
  writer.finish();
}

}  // namespace waitstate
