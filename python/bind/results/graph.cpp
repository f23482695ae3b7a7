// Who waits for whom, as Python sees it: vertices and edges with fields; waitstate/result.py makes a NetworkX graph of
// them for users who have it.
#include <fmt/format.h>

#include <sstream>
#include <utility>
#include <vector>

#include "bind/results/analysis_result.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate::report {

template <>
inline constexpr About about<WaitPair>{"WaitCount", "A number of waits, and their total duration."};
template <class F>
void fields(Is<WaitPair> auto& p, F&& f) {
  f("count", p.count, Measure::count, "The number of waits.");
  f("ticks", p.ticks, Measure::ticks, "Their total duration.");
}

/// A vertex with what it stands for.
struct VertexEntry {
  ProcessId process;
  LocationId location;
  WaitGraph::Vertex vertex;
};
template <>
inline constexpr About about<VertexEntry>{"WaitVertex", "A process or location of a graph of waits."};
template <class F>
void fields(Is<VertexEntry> auto& v, F&& f) {
  f("process", v.process, Measure::none, "The process; null: it is a location, or stands for several.");
  f("location", v.location, Measure::none, "The location; null: it is a process, or stands for several.");
  f("label", v.vertex.label, Measure::none, "The name in graphs, e.g. \"rank 2\", or \"12 others\".");
  f("waited", v.vertex.waited, Measure::none, "How long it waited for a known culprit.");
  f("caused", v.vertex.caused, Measure::none, "How long it made others wait, itself included.");
}

template <>
inline constexpr About about<WaitGraph::Cell>{"WaitEdge",
                                              "The number and the duration of the waits of one vertex for another."};
template <class F>
void fields(Is<WaitGraph::Cell> auto& c, F&& f) {
  f("culprit", c.culprit, Measure::count, "Number of the vertex that caused the waits, in WaitGraph.vertices.");
  f("victim", c.victim, Measure::count, "Number of the vertex that waited, in WaitGraph.vertices.");
  f("count", c.wait.count, Measure::count, "The number of waits.");
  f("ticks", c.wait.ticks, Measure::ticks, "Their total duration.");
}

template <>
inline constexpr About about<WaitGraph::Component>{"WaitComponent", "Vertices that wait for each other."};
template <class F>
void fields(Is<WaitGraph::Component> auto& c, F&& f) {
  f("members", c.members, Measure::count, "Numbers of the vertices, ascending.");
  f("inside", c.inside, Measure::none, "Waits of members for other members.");
  f("circle", c.circle, Measure::count,
    "The tightest circle: each member waits for the next, the last for the first; of all circles the one whose "
    "smallest "
    "wait is largest.");
  f("circle_least", c.circle_least, Measure::ticks, "The smallest wait in that circle.");
}

}  // namespace waitstate::report

namespace waitstate::python {

namespace {

struct GraphObject {
  ResultObject result;
  WaitGraph graph;

  Owner owner() const { return result.owner(); }
};

py::object vertices(const GraphObject& g) {
  std::vector<report::VertexEntry> all;
  for (std::size_t i = 0; i < g.graph.size(); ++i) {
    const WaitGraph::Vertex& vertex = g.graph[i];
    report::VertexEntry entry{{}, {}, vertex};
    if (g.graph.level() == WaitGraph::Level::process)
      entry.process = ProcessId{std::size_t{vertex.id}};
    else
      entry.location = LocationId{std::size_t{vertex.id}};
    all.push_back(std::move(entry));
  }
  return own_rows(g.owner(), std::move(all));
}

py::str graph_text(const WaitGraph& graph, void (WaitGraph::*write)(std::ostream&) const) {
  std::ostringstream out;
  (graph.*write)(out);
  return to_str(out.str());
}

}  // namespace

py::object make_wait_graph(const ResultObject& result, const std::vector<std::string>& metrics,
                           const std::string& level) {
  if (level != "process" && level != "location")
    throw UsageError(fmt::format("a graph of waits has the level 'process' or 'location', not '{}'", level));
  std::vector<MetricIndex> chosen;
  for (const std::string& id : metrics) chosen.push_back(result.result->metrics.at(id));
  const auto by = level == "process" ? WaitGraph::Level::process : WaitGraph::Level::location;
  return py::cast(GraphObject{result, WaitGraph(*result.result, chosen, by)});
}

void bind_wait_graph(py::module_& module) {
  bind_fields<WaitPair>(module);
  bind_fields<report::VertexEntry>(module);
  bind_fields<WaitGraph::Cell>(module);
  bind_fields<WaitGraph::Component>(module);
  py::class_<GraphObject>(module, "_WaitGraphData", "The compiled part of waitstate.WaitGraph.")
      .def_property_readonly("vertices", &vertices)
      .def_property_readonly("edges", [](const GraphObject& g) { return own_rows(g.owner(), g.graph.matrix()); })
      .def_property_readonly("culprits", [](const GraphObject& g) { return g.graph.culprits(); })
      .def_property_readonly("victims", [](const GraphObject& g) { return g.graph.victims(); })
      .def_property_readonly("metrics",
                             [](const GraphObject& g) {
                               std::vector<std::string> ids;
                               for (const MetricIndex m : g.graph.metrics())
                                 ids.push_back(g.result.result->metrics[m].id);
                               return ids;
                             })
      .def_property_readonly("total", [](const GraphObject& g) { return own_object(g.owner(), g.graph.total()); })
      .def_property_readonly("without_culprit",
                             [](const GraphObject& g) { return own_object(g.owner(), g.graph.without_culprit()); })
      .def_property_readonly("aggregated",
                             [](const GraphObject& g) { return own_object(g.owner(), g.graph.aggregated()); })
      .def_property_readonly("components",
                             [](const GraphObject& g) { return own_rows(g.owner(), g.graph.components()); })
      .def(
          "top",
          [](const GraphObject& g, std::size_t n) {
            return GraphObject{g.result, g.graph.top(n)};
          },
          py::arg("n"))
      .def("dot", [](const GraphObject& g) { return graph_text(g.graph, &WaitGraph::write_dot); })
      .def("graphml", [](const GraphObject& g) { return graph_text(g.graph, &WaitGraph::write_graphml); });
}

}  // namespace waitstate::python
