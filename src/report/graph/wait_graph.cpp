// The graph of waits: sums and components are made in wait_arcs.hpp, what is asked for else when it is asked for.
#include "waitstate/result/wait_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/facts/waits/wait_arcs.hpp"
#include "report/format/graphml.hpp"
#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"

namespace waitstate {
namespace {

using report::dot_string;
using VertexIndex = WaitGraph::VertexIndex;
using Graph = WaitGraph::Graph;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

void add(WaitPair& sum, const WaitPair& wait) {
  sum.count += wait.count;
  sum.ticks = add_ticks(sum.ticks, static_cast<std::uint64_t>(wait.ticks));
}

}  // namespace

WaitGraph::WaitGraph(const AnalysisResult& result, const std::vector<MetricIndex>& metrics, Level level)
    : level_(level), resolution_(static_cast<double>(result.definitions.clock.resolution)) {
  const Definitions& definitions = result.definitions;
  report::SummedWaits sums = report::summed_waits(result, metrics, level);
  for (const MetricIndex metric : sums.metrics) {
    if (!title_.empty()) title_ += ", ";
    title_ += result.metrics[metric].id;
  }
  metrics_ = std::move(sums.metrics);
  total_ = sums.total, without_culprit_ = sums.without_culprit, aggregated_ = sums.aggregated_total;
  for (const std::uint32_t id : sums.ids)
    boost::add_vertex({id,
                       report::printable(level == Level::process ? report::process_label(definitions, ProcessId{id})
                                                                 : report::location_label(definitions, LocationId{id})),
                       {},
                       {}},
                      graph_);
  for (const report::WaitArc& a : sums.arcs) {
    boost::add_edge(a.waiter, a.culprit, a.wait, graph_);
    add(graph_[a.waiter].waited, a.wait);
    add(graph_[a.culprit].caused, a.wait);
  }
  for (VertexIndex v = 0; v < size(); ++v) add(graph_[v].caused, sums.aggregated[v]);
  for (const auto& [waiter, culprit] : sums.never_ended) never_ended_.push_back({waiter, culprit});
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
  std::vector<report::WaitArc> arcs;
  arcs.reserve(boost::num_edges(graph_));
  for (const Edge& edge : boost::make_iterator_range(boost::edges(graph_)))
    arcs.push_back({static_cast<std::uint32_t>(boost::source(edge, graph_)),
                    static_cast<std::uint32_t>(boost::target(edge, graph_)), graph_[edge]});
  return report::wait_components(size(), arcs);
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
    text.print("{}->{}  [label=\"{}\", ticks={}, seconds={:.12g}, count={}];\n", boost::source(e, graph_),
               boost::target(e, graph_), report::duration_text(seconds(ticks)), ticks, seconds(ticks), count);
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
