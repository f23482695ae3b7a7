// The causes of waits (critical path, delay costs, indirect and propagating waits), computed from the explicit graph of
// a trace: each definition as it is written down, with the whole trace at hand. Tests compare the patterns, which read
// a trace once, with these results.
//
// It shares no code with the patterns. It lacks everything that the graph does not have. The ideal machine needs no
// graph: explicit_ideal_waits.hpp.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "waitstate/analysis.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::support {

/// Metric, call path and location → ticks, not rounded; exclusive.
using CauseTable = std::map<std::tuple<std::string, std::string, std::uint32_t>, double>;

/// All metrics of critical_path and delay that are not sums of others.
const std::vector<std::string>& cause_metrics();
CauseTable explicit_causes(const EventTrace& trace, bool all_waits = false);

/// The rows of these metrics in which a result differs by more than the rounding to ticks, a line each; "" if none
/// does.
std::string differences(const CauseTable& expected, const AnalysisResult& found,
                        const std::vector<std::string>& metrics);

}  // namespace waitstate::support
