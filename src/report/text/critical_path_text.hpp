// The critical path as a list, for `waitstate print --critical-path`: a segment a line, in the order of time.
#pragma once

#include <ostream>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Writes segments in seconds since the first event of the trace. Only segments of these locations (all if there are
/// none) that overlap [from, to] are written; lines that begin with '#' explain them. `result` has a critical path.
void write_critical_path(const AnalysisResult& result, const std::vector<std::size_t>& locations, Time from, Time to,
                         std::ostream& out);

}  // namespace waitstate::report
