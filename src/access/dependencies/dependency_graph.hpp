// Who needed whom in a trace, as an explicit graph: what the patterns of causes look at in one pass, here all at once,
// for traces small enough to be held, drawn and searched.
//
// Vertices are records at which a location gave something to others or needed it: sends, receives, the begin (arrival)
// and end (departure) of collective operations, MPI_Init, MPI_Finalize and barriers of thread teams, forks and joins of
// these; and the begin and end of each location. Edges go forward in time: what a location did from one of its vertices
// to the next, or that it was idle between parallel regions, messages, members of an operation that others need, forks,
// tasks for a thread that had none, launches and ends of kernels, and, where a send waited for its receiver, the call
// that posted the receive. They tell whether the later end waited for the earlier one (`awaited`: each vertex waits for
// at most one). The graph has no circles unless clocks disagree, or a lock of a window is recorded as released before
// the call that releases it has done waiting.
//
// Not in it: collective operations that free handles, teams within teams (what happens there is work), tasks that are
// recorded without teams (OMPT), matched probes, and, unless it is asked for all waits, non-blocking and neighbourhood
// operations, the creation of communicators, probes and polls, fences, epochs and locks of windows, SHMEM, locks of
// threads, tasks and accelerators. Waits: those of mpi_latesender, mpi_latereceiver, blocking collective operations and
// barriers of teams; of Alltoallv, Alltoallw, prefix reductions, of those who wait for a receiver in operations with a
// root, between two groups, and of the last-named only if asked for. What makes the vertices of each kind of operation:
// the folder dependencies.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "access/dependencies/elements.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::access {

class DependencyGraph {
 public:
  using VertexKind = DependencyVertexKind;
  using EdgeKind = DependencyEdgeKind;
  using PointKind = causes::PointKind;
  using Vertex = DependencyVertex;
  using Edge = DependencyEdge;
  using Graph = DependencyElements;
  using VertexIndex = boost::graph_traits<Graph>::vertex_descriptor;

  /// Keeps nothing of the trace. Takes some 100 bytes a vertex, and time in proportion to events and edges.
  /// `all_waits`: as the parameter of critical_path.
  explicit DependencyGraph(const EventTrace& trace, bool all_waits = false);

  const Graph& graph() const { return graph_; }
  const Vertex& operator[](VertexIndex v) const { return graph_[v]; }
  std::size_t size() const { return boost::num_vertices(graph_); }
  /// Vertices of a location in the order of their records; empty of one without events.
  const std::vector<VertexIndex>& of(LocationId location) const { return of_location_[location.index()]; }

  /// The path that decided how long the program ran: a longest path to the end of the run, where work lasts as long as
  /// it did without waiting and what was awaited ends the wait. It goes from the start, or MPI_Init, to MPI_Finalize of
  /// the process that entered it last; without one, to the end of the first thread that ended last. Empty if there are
  /// no events. Throws UsageError if clocks disagree so much that waits form a circle.
  std::vector<VertexIndex> critical_path() const;

 private:
  void connect();
  void order_culprits(std::vector<VertexIndex>& of) const;

  Graph graph_;
  std::vector<std::vector<VertexIndex>> of_location_;
  std::vector<bool> is_master_;  ///< by location: first thread of a process
};

std::string_view name(DependencyGraph::VertexKind kind);
std::string_view name(DependencyGraph::EdgeKind kind);

}  // namespace waitstate::access
