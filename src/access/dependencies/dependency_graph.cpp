#include "access/dependencies/dependency_graph.hpp"

#include <algorithm>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <limits>
#include <optional>

#include "access/dependencies/steps/collectives.hpp"
#include "access/dependencies/steps/devices.hpp"
#include "access/dependencies/steps/locks.hpp"
#include "access/dependencies/steps/messages.hpp"
#include "access/dependencies/steps/nonblocking_collectives.hpp"
#include "access/dependencies/steps/passive.hpp"
#include "access/dependencies/steps/shmem.hpp"
#include "access/dependencies/steps/tasks.hpp"
#include "access/dependencies/steps/teams.hpp"
#include "access/dependencies/steps/windows.hpp"
#include "waitstate/error.hpp"

namespace waitstate::access {

using VertexIndex = DependencyGraph::VertexIndex;
using VertexKind = DependencyGraph::VertexKind;
using EdgeKind = DependencyGraph::EdgeKind;
using PointKind = DependencyGraph::PointKind;

DependencyGraph::DependencyGraph(const EventTrace& trace, bool all_waits)
    : of_location_(trace.location_count()), is_master_(trace.location_count()) {
  DependencyParts parts(trace, all_waits, graph_);
  for (const auto& [location, ends] : parts.events_of) {
    parts.add({.kind = VertexKind::begin, .location = location, .time = ends.first->time, .pos = ends.first->pos});
    parts.add({.kind = VertexKind::end, .location = location, .time = ends.second->time, .pos = ends.second->pos});
  }
  for (const LocationGroup& process : trace.definitions().processes)
    for (const LocationId l : process.locations)
      if (trace.definitions()[l].type == LocationType::cpu_thread && parts.events_of.contains(l)) {
        is_master_[l.index()] = true;
        break;
      }
  add_messages(parts);
  add_collectives(parts);
  add_teams(parts);
  if (all_waits)
    for (const auto add : {add_searches, add_nonblocking_collectives, add_fences, add_epochs, add_passive, add_shmem,
                           add_locks, add_tasks, add_devices})
      add(parts);
  connect();
}

// Connects each vertex of a location with the next one by what the location does in between. A thread that others fork
// does nothing outside of parallel regions.
void DependencyGraph::connect() {
  for (const VertexIndex v : boost::make_iterator_range(boost::vertices(graph_)))
    of_location_[graph_[v].location.index()].push_back(v);
  const auto is_forked = [&](VertexIndex v) {
    return graph_[v].kind == VertexKind::fork && boost::in_degree(v, graph_) != 0;
  };
  for (std::vector<VertexIndex>& of : of_location_) {
    std::stable_sort(of.begin(), of.end(), [&](VertexIndex a, VertexIndex b) {
      const Vertex &x = graph_[a], &y = graph_[b];
      return x.pos != y.pos ? x.pos < y.pos : x.kind < y.kind;
    });
    order_culprits(of);
    bool forked = std::any_of(of.begin(), of.end(), is_forked);
    for (std::size_t i = 1; i < of.size(); ++i) {
      const bool idle = forked && (is_forked(of[i]) || graph_[of[i]].kind == VertexKind::end);
      boost::add_edge(of[i - 1], of[i], Edge{idle ? EdgeKind::idle : EdgeKind::work, false}, graph_);
    }
  }
}

// Sorts vertices that others wait for in one call at one time: in the order of those others, and the enter of the call
// itself, which the origin of a one-sided operation waits for, before what is done in the call.
void DependencyGraph::order_culprits(std::vector<VertexIndex>& of) const {
  const auto met = [&](VertexIndex v) { return graph_[v].met.size() == 1 ? graph_[v].met[0] : LocationId::none(); };
  for (auto first = of.begin(); first != of.end();) {
    const auto last = std::find_if(first, of.end(), [&, &begin = graph_[*first]](VertexIndex v) {
      const Vertex& x = graph_[v];
      return (x.kind != VertexKind::send && x.kind != VertexKind::request) || x.time != begin.time ||
             x.enter_pos != begin.enter_pos;
    });
    const auto is_enter = [&](VertexIndex v) { return graph_[v].point == PointKind::passive_target; };
    std::stable_sort(first, last, [&](VertexIndex a, VertexIndex b) {
      return is_enter(a) != is_enter(b) ? is_enter(a) : met(a) < met(b);
    });
    first = last == first ? std::next(first) : last;
  }
}

std::vector<VertexIndex> DependencyGraph::critical_path() const {
  // Where the run ends.
  std::optional<VertexIndex> last;
  for (const bool with_finalize : {true, false}) {
    for (const std::vector<VertexIndex>& of : of_location_)
      for (const VertexIndex v : of) {
        const bool ends = with_finalize ? graph_[v].point == PointKind::finalize
                                        : graph_[v].kind == VertexKind::end && is_master_[graph_[v].location.index()];
        const auto when = [&](VertexIndex w) { return with_finalize ? graph_[w].enter : graph_[w].time; };
        if (ends && (!last || when(v) > when(*last))) last = v;
      }
    if (last) break;
  }
  if (!last) return {};

  std::vector<VertexIndex> order;  // backwards
  try {
    boost::topological_sort(graph_, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw UsageError(
        "the clocks of this trace disagree so much that processes wait for each other in a circle: there is no "
        "critical path");
  }
  constexpr Ticks nothing = std::numeric_limits<Ticks>::min();
  const auto time = [&](VertexIndex v) {
    return graph_[v].enter_pos == no_position ? graph_[v].time : graph_[v].enter;
  };
  const auto cut = [&](VertexIndex v) { return static_cast<Ticks>(time(v) - time(*last)); };
  const auto followed = [&](const auto& e) { return graph_[e].awaited && graph_[e].leads_back; };
  // A wait that the path does not follow is what the location did itself.
  const auto wait = [&](VertexIndex v) {
    const auto in = boost::in_edges(v, graph_);
    const bool stays = std::any_of(in.first, in.second, [&](const auto& e) { return !graph_[e].leads_back; });
    return stays || graph_[v].point == PointKind::poll ? 0 : graph_[v].wait;
  };
  // Polls lie before the call in which the message is found.
  const auto polled = [&](VertexIndex v) { return graph_[v].point == PointKind::poll ? graph_[v].wait : 0; };
  std::vector<Ticks> length(size(), nothing);  // up to the end of a vertex's wait
  std::vector<std::optional<VertexIndex>> before(size());
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (graph_[*v].kind == VertexKind::begin || graph_[*v].point == PointKind::init) {
      length[*v] = cut(*v);
      continue;
    }
    for (const auto& e : boost::make_iterator_range(boost::in_edges(*v, graph_))) {
      const VertexIndex u = boost::source(e, graph_);
      const bool work = graph_[e].kind == EdgeKind::work;
      if (length[u] == nothing || (!work && !followed(e))) continue;
      const Ticks to = length[u] + cut(*v) - cut(u) + (work ? -wait(u) - polled(*v) : wait(*v));
      // Among paths of one length, the one over something awaited wins: a fork, or a barrier that two threads came to
      // last.
      if (to > length[*v] || (to == length[*v] && !work)) length[*v] = to, before[*v] = u;
    }
  }
  std::vector<VertexIndex> path;
  for (std::optional<VertexIndex> v = last; v; v = before[*v]) path.push_back(*v);
  std::reverse(path.begin(), path.end());
  return path;
}

std::string_view name(VertexKind kind) {
  switch (kind) {
    case VertexKind::begin:
      return "begin";
    case VertexKind::poll:
      return "poll";
    case VertexKind::request:
      return "request";
    case VertexKind::arrival:
      return "arrival";
    case VertexKind::send:
      return "send";
    case VertexKind::receive:
      return "receive";
    case VertexKind::fork:
      return "fork";
    case VertexKind::join:
      return "join";
    case VertexKind::departure:
      return "departure";
    case VertexKind::completion:
      return "completion";
    case VertexKind::end:
      return "end";
  }
  return "";
}

std::string_view name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::work:
      return "work";
    case EdgeKind::message:
      return "message";
    case EdgeKind::late_receiver:
      return "late_receiver";
    case EdgeKind::collective:
      return "collective";
    case EdgeKind::fork:
      return "fork";
    case EdgeKind::team_barrier:
      return "team_barrier";
    case EdgeKind::idle:
      return "idle";
    case EdgeKind::task:
      return "task";
    case EdgeKind::device:
      return "device";
  }
  return "";
}

}  // namespace waitstate::access
