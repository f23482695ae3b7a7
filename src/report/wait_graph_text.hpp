// The wait graph for people: a matrix while it fits, the worst culprits in a sentence each, and who waits for each
// other.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "waitstate/wait_graph.hpp"

namespace waitstate::report {

/// `graph` must have been made of `result`.
std::string wait_graph_text(const AnalysisResult& result, const WaitGraph& graph, const Style& style);

}  // namespace waitstate::report
