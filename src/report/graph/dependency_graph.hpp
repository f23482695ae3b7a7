// Who needed whom in a trace, as an explicit graph: what the patterns of causes and of the ideal machine look at in one
// pass, here all at once, for traces small enough to be held, drawn and searched.
//
// Vertices are records at which a location gave something to others or needed it: sends, receives, the begin (arrival)
// and end (departure) of collective operations, MPI_Init and MPI_Finalize; and the begin and end of each location.
// Edges go forward in time: what a location did from one of its vertices to the next, messages, members of an operation
// that others need, and, where a send waited for its receiver, the call that posted the receive. They tell whether the
// later end waited for the earlier one (`awaited`: each vertex waits for at most one) and whether it needed it whatever
// the speed (`needed`). The graph has no circles unless clocks disagree.
//
// Not in it: neighbourhood collective operations, those that create or free handles, one-sided communication other than
// fences, SHMEM, thread teams, and, unless it is asked for all waits, non-blocking operations, fences and locks of
// threads. Waits: those of mpi_latesender, mpi_latereceiver and blocking collective operations; of Alltoallv,
// Alltoallw, prefix reductions, non-blocking ones, fences and locks only if asked for.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "waitstate/event_trace.hpp"

namespace waitstate::report {

class DependencyGraph {
 public:
  enum class VertexKind : std::uint8_t { begin, request, arrival, send, receive, departure, completion, end };
  enum class EdgeKind : std::uint8_t { work, message, late_receiver, collective };
  /// Of the points of causes: which wait it is about.
  enum class PointKind : std::uint8_t {
    none,
    late_sender,
    late_receiver,
    barrier,
    n2n,
    one_to_n,
    n_to_one,
    init,
    finalize,
    scan,  ///< with all waits, as what follows
    window,
    lock
  };

  struct Vertex {
    VertexKind kind{};
    LocationId location{};
    CallPathId callpath{};               ///< of the call; none of begin and end
    Time enter = 0, exit = 0, time = 0;  ///< of the call, of the record in it
    Position enter_pos = no_position, pos = no_position;
    Ticks wait = 0;  ///< for whom `awaited` edges come from; of MPI_Finalize for nobody in particular
    // Of points of causes only:
    PointKind point = PointKind::none;
    Ticks completion = 0;               ///< part of the call after all partners had come
    std::vector<LocationId> met{};      ///< ascending
    std::vector<LocationId> members{};  ///< all of the operation's communicator, if it is of one
  };
  struct Edge {
    EdgeKind kind{};
    bool awaited = false, needed = false;
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Vertex, Edge>;
  using VertexIndex = boost::graph_traits<Graph>::vertex_descriptor;

  /// Keeps nothing of the trace. Takes some 100 bytes a vertex, and time in proportion to events and edges.
  /// `all_waits`: as the parameter of critical_path.
  explicit DependencyGraph(const EventTrace& trace, bool all_waits = false);

  const Graph& graph() const { return graph_; }
  const Vertex& operator[](VertexIndex v) const { return graph_[v]; }
  std::size_t size() const { return boost::num_vertices(graph_); }
  /// Vertices of a location in the order of their records; empty of one without events.
  const std::vector<VertexIndex>& of(LocationId location) const { return of_location_[location.index()]; }

  /// What decided how long the program ran: a longest path to the end of the run, where work lasts as long as it did
  /// without waiting and what was awaited ends the wait. From the begin, or MPI_Init, to MPI_Finalize of the process
  /// that entered it last; without one, the end of the first thread that ended last. Empty if there are no events.
  /// Throws UsageError if clocks disagree so much that waits form a circle.
  std::vector<VertexIndex> critical_path() const;

 private:
  friend class DependencyGraphBuilder;
  Graph graph_;
  std::vector<std::vector<VertexIndex>> of_location_;
  std::vector<bool> is_master_;  ///< by location: first thread of a process
};

std::string_view name(DependencyGraph::VertexKind kind);
std::string_view name(DependencyGraph::EdgeKind kind);

/// Graphviz: a row a location, with the critical path and the awaited edges in bold.
void write_dot(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out);
/// The same as GraphML.
void write_graphml(const DependencyGraph& graph, const EventTrace& trace, std::ostream& out);

}  // namespace waitstate::report
