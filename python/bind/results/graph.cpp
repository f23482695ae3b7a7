// Who waits for whom, as Python sees it: vertices and edges as plain rows; waitstate/result.py makes a NetworkX graph
// of them for who has NetworkX.
#include <fmt/format.h>

#include <sstream>

#include "bind/results/analysis_result.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate::python {

namespace {

struct GraphObject {
  ResultPtr result;
  WaitGraph graph;
};

py::tuple count_and_ticks(const WaitPair& p) { return py::make_tuple(p.count, p.ticks); }

py::list wait_cells(const std::vector<WaitGraph::Cell>& all) {
  py::list list;
  for (const WaitGraph::Cell& c : all) list.append(py::make_tuple(c.culprit, c.victim, c.wait.count, c.wait.ticks));
  return list;
}

py::str graph_text(const WaitGraph& graph, void (WaitGraph::*write)(std::ostream&) const) {
  std::ostringstream out;
  (graph.*write)(out);
  return to_str(out.str());
}

}  // namespace

py::object make_wait_graph(const ResultPtr& result, const std::vector<std::string>& metrics, const std::string& level) {
  if (level != "process" && level != "location")
    throw UsageError(fmt::format("a graph of waits has the level 'process' or 'location', not '{}'", level));
  std::vector<MetricIndex> chosen;
  for (const std::string& id : metrics) chosen.push_back(result->metrics.at(id));
  return py::cast(GraphObject{
      result, WaitGraph(*result, chosen, level == "process" ? WaitGraph::Level::process : WaitGraph::Level::location)});
}

void bind_wait_graph(py::module_& module) {
  py::class_<GraphObject>(module, "_WaitGraphData", "The compiled part of waitstate.WaitGraph.")
      .def_property_readonly(
          "vertices",
          [](const GraphObject& g) {
            py::list list;
            for (std::size_t i = 0; i < g.graph.size(); ++i) {
              const WaitGraph::Vertex& v = g.graph[i];
              list.append(py::make_tuple(v.id, to_str(v.label), count_and_ticks(v.waited), count_and_ticks(v.caused)));
            }
            return list;
          })
      .def_property_readonly("cells", [](const GraphObject& g) { return wait_cells(g.graph.matrix()); })
      .def_property_readonly("heaviest", [](const GraphObject& g) { return wait_cells(g.graph.heaviest()); })
      .def_property_readonly("culprits", [](const GraphObject& g) { return g.graph.culprits(); })
      .def_property_readonly("victims", [](const GraphObject& g) { return g.graph.victims(); })
      .def_property_readonly("metrics",
                             [](const GraphObject& g) {
                               std::vector<std::string> ids;
                               for (const MetricIndex m : g.graph.metrics()) ids.push_back(g.result->metrics[m].id);
                               return ids;
                             })
      .def_property_readonly("total", [](const GraphObject& g) { return count_and_ticks(g.graph.total()); })
      .def_property_readonly("without_culprit",
                             [](const GraphObject& g) { return count_and_ticks(g.graph.without_culprit()); })
      .def_property_readonly("aggregated", [](const GraphObject& g) { return count_and_ticks(g.graph.aggregated()); })
      .def_property_readonly(
          "components",
          [](const GraphObject& g) {
            py::list list;
            for (const WaitGraph::Component& c : g.graph.components())
              list.append(py::make_tuple(c.members, count_and_ticks(c.inside), c.circle, c.circle_least));
            return list;
          })
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
