// Who waits for whom: a directed graph from locations or processes that waited to those that made them wait, for one
// wait state, for several, or for all.
//
//   const waitstate::WaitGraph graph(waitstate::analyze("traces.otf2"));
//   for (const waitstate::WaitGraph::Component& c : graph.components())  // groups that wait for each other
//     …
//   graph.write_graphml(file);
//
// It is a Boost graph (graph()), so that all of Boost.Graph's algorithms can be used on it. All orders are
// deterministic: vertices and edges by process or location, ranking by ticks and then by vertex.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate {

class WaitGraph {
 public:
  enum class Level : std::uint8_t { process, location };

  struct Vertex {
    std::uint32_t id = 0;  ///< value of the ProcessId or LocationId; its none_value for the vertex that stands for all
                           ///< others in top()
    std::string label;     ///< e.g. "rank 2", "rank 2 thread 1"; valid UTF-8 without control characters
    WaitPair waited;       ///< all waits of this vertex for a known culprit
    WaitPair caused;       ///< all waits that this vertex caused, its own included
  };
  /// Edges lead from the vertex that waited to the one that caused it.
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Vertex, WaitPair>;
  using VertexIndex = boost::graph_traits<Graph>::vertex_descriptor;  ///< 0, 1, … in the order of ids

  /// Contains the waits of `metrics` and of the metrics below them, or of all wait states if `metrics` is empty. A wait
  /// state that lies within another one of them is left out, so that no wait counts twice. Keeps nothing of `result`.
  /// Throws std::out_of_range for an index that is not a metric of the result.
  explicit WaitGraph(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {},
                     Level level = Level::process);

  /// The graph of the `n` vertices that waited and caused most, in the order that they have here, and of a last one,
  /// "12 others", that stands for all others; their waits for each other are an edge from it to itself. All totals
  /// stay. A copy if there are no more than `n` vertices.
  WaitGraph top(std::size_t n) const;

  const Graph& graph() const { return graph_; }
  const Vertex& operator[](VertexIndex i) const { return graph_[i]; }
  std::size_t size() const { return boost::num_vertices(graph_); }
  Level level() const { return level_; }
  /// The wait states that are counted, in the order of the metric tree's indices.
  const std::vector<MetricIndex>& metrics() const { return metrics_; }
  /// All waits that have a culprit, and those that have none (which are not in the graph).
  const WaitPair& total() const { return total_; }
  const WaitPair& without_culprit() const { return without_culprit_; }
  /// The part of total() that lies in operations with so many members that the waiting locations are not listed
  /// individually (WaitSummary). These waits count in what their culprits caused, and have no edges.
  const WaitPair& aggregated() const { return aggregated_; }

  /// Waits that never ended: a call that is open at the end of the trace waits for a location that it needs
  /// (OpenWait::whom, unless `any`). Only if no metrics were chosen. Ascending; their vertices are in the graph, but
  /// they are not edges of it.
  struct NeverEnded {
    VertexIndex waiter, culprit;
    friend auto operator<=>(const NeverEnded&, const NeverEnded&) = default;
  };
  const std::vector<NeverEnded>& never_ended() const { return never_ended_; }

  /// One entry of the culprit x victim matrix.
  struct Cell {
    VertexIndex culprit, victim;
    WaitPair wait;
  };
  /// All entries that are not zero, by culprit, then victim.
  std::vector<Cell> matrix() const;
  /// All entries that are not zero, most ticks first.
  std::vector<Cell> heaviest() const;

  /// Vertices that made somebody wait, most ticks first; and vertices that waited.
  std::vector<VertexIndex> culprits() const;
  std::vector<VertexIndex> victims() const;

  /// Vertices that wait for each other, directly or through others: a strongly connected component of more than one
  /// vertex.
  struct Component {
    std::vector<VertexIndex> members;  ///< ascending
    WaitPair inside;                   ///< waits of members for other members
    /// The tightest circle: of all circles of waits in the component, one whose smallest wait is largest, and of
    /// several such circles a shortest one through that smallest wait. Each member waits for the next, the last for the
    /// first, which is the smallest vertex.
    std::vector<VertexIndex> circle;
    Ticks circle_least = 0;  ///< the smallest wait in the circle
  };
  /// Components, the one with most ticks inside first.
  std::vector<Component> components() const;

  /// Writes Graphviz: `waiter -> culprit`, with labels, ticks, seconds, and number of waits.
  void write_dot(std::ostream& out) const;
  /// Writes the same data as GraphML.
  void write_graphml(std::ostream& out) const;

 private:
  Level level_;
  double resolution_;
  std::vector<MetricIndex> metrics_;
  std::string title_;  // ids of the metrics
  Graph graph_;
  std::vector<NeverEnded> never_ended_;
  WaitPair total_, without_culprit_, aggregated_;
};

}  // namespace waitstate
