// The wait graph for people: a matrix while it fits, the worst culprits in a sentence each, and who waits for each
// other.
#pragma once

#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "waitstate/wait_graph.hpp"

namespace waitstate::report {

/// What the trace cannot tell of the metrics that the graph was made of; "" if it can.
std::string wait_graph_unknown(const AnalysisResult& result, const std::vector<MetricIndex>& chosen,
                               const Style& style);

/// `graph` must have been made of `result` and the metrics `chosen`.
std::string wait_graph_text(const AnalysisResult& result, const WaitGraph& graph, const Style& style,
                            const std::vector<MetricIndex>& chosen = {});

}  // namespace waitstate::report
