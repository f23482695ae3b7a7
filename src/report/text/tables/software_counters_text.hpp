// The software counters of Open MPI as a table.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The counters that have values, with their sums and greatest values of a process, and a line for those that cannot be
/// had; "" of a trace without MPI calls.
std::string software_counters_text(const AnalysisResult& result, const Style& style);

}  // namespace waitstate::report
