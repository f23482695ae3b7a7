// Checks what an analysis is asked for against the definitions of a trace, without reading its events.
#pragma once

#include <filesystem>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Throws what analyze() would throw for a region, a location or a phase that the trace does not have, and for patterns
/// whose init() refuses the trace. The chosen time is not checked: that takes the events.
void check_choice(const std::filesystem::path& trace, const AnalysisOptions& options);

}  // namespace waitstate::analysis
