#include "support/explicit_ideal_waits.hpp"

#include <algorithm>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <vector>

#include "report/graph/dependency_graph.hpp"
#include "support/activities.hpp"

namespace waitstate::support {

CauseTable explicit_ideal_waits(const EventTrace& trace) {
  using report::DependencyGraph;
  using VertexIndex = DependencyGraph::VertexIndex;
  using EdgeKind = DependencyGraph::EdgeKind;
  const DependencyGraph graph(trace);
  const Activities activities(trace);
  const auto outside_mpi = [&](LocationId location, Position from, Position to) {
    Ticks sum = 0;
    for (const auto& [c, ticks] : activities.between(location, from, to)) {
      const RegionId region = trace.call_tree()[c].region;
      if (!region.valid() || !is_mpi(trace.definitions()[region].region_class)) sum += ticks;
    }
    return sum;
  };
  std::vector<VertexIndex> order;
  boost::topological_sort(graph.graph(), std::back_inserter(order));
  std::vector<Ticks> at(graph.size());  // on the ideal machine
  CauseTable table;
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    const DependencyGraph::Vertex& vertex = graph[*v];
    if (vertex.kind == DependencyGraph::VertexKind::begin) at[*v] = static_cast<Ticks>(vertex.time);
    Ticks ready = at[*v], needed = at[*v];
    for (const auto& e : boost::make_iterator_range(boost::in_edges(*v, graph.graph()))) {
      const VertexIndex u = boost::source(e, graph.graph());
      const EdgeKind kind = graph.graph()[e].kind;
      if (kind == EdgeKind::work || kind == EdgeKind::idle)
        ready = at[u] + outside_mpi(vertex.location, graph[u].pos, vertex.pos);
      else if (graph.graph()[e].needed && kind != EdgeKind::fork && kind != EdgeKind::team_barrier)
        needed = std::max(needed, at[u]);
    }
    at[*v] = std::max(ready, needed);
    if (needed > ready)
      table[{"mpi_ideal_wait", trace.call_tree().path(vertex.callpath, trace.definitions()), vertex.location.value}] +=
          static_cast<double>(needed - ready);
  }
  return table;
}

}  // namespace waitstate::support
