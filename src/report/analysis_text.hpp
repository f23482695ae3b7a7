// The report for people: what the run cost, where processes waited, who made them wait, and how far the trace can be
// trusted.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Trace and size; the metric tree; each wait state with its worst call paths, locations and culprits; damage.
std::string analysis_text(const AnalysisResult& result, const Style& style);

}  // namespace waitstate::report
