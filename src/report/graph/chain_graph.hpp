// Chains of waits as a graph: a vertex is a wait, or what somebody was busy with; an edge goes to the reason. Chains
// that come to the same wait or activity go on together, so that several of them show their common roots.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/facts/waits/chains.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

class ChainGraph {
 public:
  struct Vertex {
    LocationId location;
    CallPathId callpath;
    Time enter = 0;   ///< the enter of the waiting call; 0 for a root
    Ticks ticks = 0;  ///< the duration of the wait; for a root, the largest that its chains say
    bool is_root = false;
    bool is_first = false;  ///< one of the waits that were asked about
    bool is_cause = true;   ///< false for a root that is a call which nothing explains
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    Crossing crossing = Crossing::none;  ///< the way in which the location came to wait
    double share = 0;                    ///< share of the first wait; the largest that its chains say
  };

  /// Makes the graph of instances that have a chain.
  explicit ChainGraph(const std::vector<NumberedInstance>& instances);

  const std::vector<Vertex>& vertices() const { return vertices_; }
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  std::size_t vertex(const Vertex& v);
  void connect_cause(const WaitChain& chain, const ChainCause& cause);
  void connect(std::size_t from, std::size_t to, Crossing crossing, double share);

  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
};

void write_dot(const ChainGraph& graph, const AnalysisResult& result, std::ostream& out);
void write_graphml(const ChainGraph& graph, const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report
