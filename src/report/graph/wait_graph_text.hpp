// The wait graph for people: a matrix while it fits, the worst culprits in a sentence each, and who waits for each
// other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate::report {

/// Says what the trace cannot tell of the metrics that the graph was made of; "" if it can tell all.
std::string wait_graph_unknown(const AnalysisResult& result, const std::vector<MetricIndex>& chosen,
                               const Style& style);

/// A graph of more vertices is too large to be looked at as a whole.
inline constexpr std::size_t most_vertices = 32;

/// `graph` must have been made of `result` and the metrics `chosen`. `top`: how many vertices matrix and pairs have,
/// the others added up; without it all, or of more than most_vertices as many as fit, 15 at most.
std::string wait_graph_text(const AnalysisResult& result, const WaitGraph& graph, const Style& style,
                            const std::vector<MetricIndex>& chosen = {}, std::optional<std::size_t> top = {});

}  // namespace waitstate::report
