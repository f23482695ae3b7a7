#include "export/dependencies.hpp"

#include <fmt/format.h>

#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/format/graphml.hpp"
#include "report/format/layout.hpp"
#include "report/format/markup.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"

namespace waitstate::exports {

using access::DependencyGraph;
using VertexIndex = DependencyGraph::VertexIndex;
using EdgeKind = DependencyGraph::EdgeKind;

namespace {

using report::dot_string;
using report::GraphmlWriter;
using report::location_label;
using report::printable;
using report::TextStream;
using EdgeOfGraph = boost::graph_traits<DependencyGraph::Graph>::edge_descriptor;

/// The texts of vertices and edges that both forms share.
class DependencyRows {
 public:
  DependencyRows(const DependencyGraph& graph, const EventTrace& trace)
      : graph_(graph),
        trace_(trace),
        resolution_(static_cast<double>(trace.definitions().clock.resolution)),
        place_on_path_(graph.size()) {
    const std::vector<VertexIndex> path = graph.critical_path();
    for (std::size_t i = 0; i < path.size(); ++i) place_on_path_[path[i]] = i + 1;
  }
  std::string location(LocationId l) const { return printable(location_label(trace_.definitions(), l)); }
  /// "MPI_Recv", or "begin".
  std::string label(VertexIndex v) const {
    const CallPathId path = graph_[v].callpath;
    return path.valid() ? printable(trace_.call_tree().name(path, trace_.definitions()))
                        : std::string(name(graph_[v].kind));
  }
  std::string callpath(VertexIndex v) const {
    const CallPathId path = graph_[v].callpath;
    return path.valid() ? printable(trace_.call_tree().path(path, trace_.definitions())) : std::string();
  }
  /// Since the first event of the trace.
  std::string seconds(VertexIndex v) const { return fmt::format("{:.12g}", trace_.seconds(graph_[v].time)); }
  double duration(Ticks ticks) const { return static_cast<double>(ticks) / resolution_; }
  Ticks wait(VertexIndex v) const { return graph_[v].wait; }
  /// From record to record; negative where a wait's record lies before that of its cause.
  Ticks ticks(const EdgeOfGraph& e) const {
    const VertexIndex from = boost::source(e, graph_.graph()), to = boost::target(e, graph_.graph());
    return static_cast<Ticks>(graph_[to].time - graph_[from].time);
  }
  bool critical(VertexIndex v) const { return place_on_path_[v] != 0; }
  bool critical(const EdgeOfGraph& e) const {
    const std::size_t from = place_on_path_[boost::source(e, graph_.graph())];
    return from != 0 && place_on_path_[boost::target(e, graph_.graph())] == from + 1 &&
           (graph_.graph()[e].kind == EdgeKind::work || graph_.graph()[e].awaited);
  }

 private:
  const DependencyGraph& graph_;
  const EventTrace& trace_;
  double resolution_;
  std::vector<std::size_t> place_on_path_;  ///< from 1; 0: not on it
};

bool is_of_operation(EdgeKind kind) { return kind == EdgeKind::collective || kind == EdgeKind::team_barrier; }

}  // namespace

void write_dot(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out) {
  const DependencyRows rows(graph, trace);
  TextStream text(out);
  text.print(
      "digraph G {{\nlabel=\"dependencies between records; bold: waits, red: the critical path\";\nrankdir=LR;\n"
      "node [shape=box];\n");
  for (std::size_t l = 0; l < trace.location_count(); ++l) {
    if (graph.of(LocationId{l}).empty()) continue;
    text.print("subgraph cluster_{} {{\nlabel={};\n", l, dot_string(rows.location(LocationId{l})));
    for (const VertexIndex v : graph.of(LocationId{l}))
      text.print("{} [label={}, kind={}, seconds={}, wait_ticks={}{}];\n", v,
                 dot_string(fmt::format("{}\n{} s", rows.label(v), rows.seconds(v))), name(graph[v].kind),
                 rows.seconds(v), rows.wait(v), rows.critical(v) ? ", critical=true, color=red" : "");
    text.print("}}\n");
  }
  for (const EdgeOfGraph& e : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const DependencyGraph::Edge& edge = graph.graph()[e];
    if (is_of_operation(edge.kind) && !edge.awaited) continue;  // n members have n squared of these edges
    const VertexIndex to = boost::target(e, graph.graph());
    text.print("{}->{} [kind={}, ticks={}", boost::source(e, graph.graph()), to, name(edge.kind), rows.ticks(e));
    if (edge.awaited && rows.wait(to) > 0)
      text.print(", label=\"waited {}\"", report::duration_text(rows.duration(rows.wait(to))));
    if (edge.awaited) text.print(", awaited=true, style=bold");
    if (edge.kind == EdgeKind::idle) text.print(", style=dotted");
    if (edge.kind != EdgeKind::work && edge.kind != EdgeKind::idle) text.print(", constraint=false");
    if (rows.critical(e)) text.print(", critical=true, color=red");
    text.print("];\n");
  }
  text.print("}}\n");
  text.flush();
}

void write_graphml(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out) {
  const DependencyRows rows(graph, trace);
  GraphmlWriter writer(out, {{"node", "kind", "string"},
                             {"node", "location", "string"},
                             {"node", "callpath", "string"},
                             {"node", "seconds", "double"},
                             {"node", "wait_ticks", "long"},
                             {"node", "critical", "boolean"},
                             {"edge", "kind", "string"},
                             {"edge", "ticks", "long"},
                             {"edge", "awaited", "boolean"},
                             {"edge", "critical", "boolean"}});
  for (const VertexIndex v : boost::make_iterator_range(boost::vertices(graph.graph())))
    writer.node(v, [&] {
      writer.data(0, name(graph[v].kind));
      writer.data(1, rows.location(graph[v].location));
      writer.data(2, rows.callpath(v));
      writer.data(3, rows.seconds(v));
      writer.data(4, rows.wait(v));
      writer.data(5, rows.critical(v));
    });
  for (const EdgeOfGraph& e : boost::make_iterator_range(boost::edges(graph.graph())))
    writer.edge(boost::source(e, graph.graph()), boost::target(e, graph.graph()), [&] {
      const DependencyGraph::Edge& edge = graph.graph()[e];
      writer.data(6, name(edge.kind));
      writer.data(7, rows.ticks(e));
      writer.data(8, edge.awaited);
      writer.data(9, rows.critical(e));
    });
  writer.finish();
}

}  // namespace waitstate::exports
