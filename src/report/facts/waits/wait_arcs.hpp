// Sums of waits by waiter and culprit, as sorted arrays: WaitGraph makes a Boost graph of them, and reports find groups
// of processes in them. Any two of a thousand processes may wait for each other, which makes a million pairs: so
// nothing here is allocated for each pair. Cost: a few steps for each pair of locations and metric.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "waitstate/result/wait_graph.hpp"

namespace waitstate::report {

struct WaitArc {
  std::uint32_t waiter, culprit;  ///< places in SummedWaits::ids
  WaitPair wait;
};

struct SummedWaits {
  std::vector<MetricIndex> metrics;  ///< metrics that are counted, see WaitGraph
  std::vector<std::uint32_t> ids;    ///< processes or locations, ascending
  std::vector<WaitArc> arcs;         ///< ascending by waiter and culprit, which differ
  std::vector<WaitPair> aggregated;  ///< by place of the culprit: waits in operations whose waiters are not told apart
  std::vector<std::pair<std::uint32_t, std::uint32_t>> never_ended;  ///< waiter and culprit, ascending
  WaitPair total, without_culprit, aggregated_total;
};

/// Like the constructor of WaitGraph.
SummedWaits summed_waits(const AnalysisResult& result, const std::vector<MetricIndex>& metrics, WaitGraph::Level level);

/// Like WaitGraph::components(), for this many vertices.
std::vector<WaitGraph::Component> wait_components(std::size_t vertices, const std::vector<WaitArc>& arcs);

}  // namespace waitstate::report
