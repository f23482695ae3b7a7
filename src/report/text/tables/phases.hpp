// The phases of a run as a table.
#pragma once

#include <cstddef>
#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A line for each phase: when it began, how long it took, its efficiency, and the wait state that took most of it. ""
/// without phases. At most `most` lines, those of the longest phases, in the order of time.
std::string phases_text(const AnalysisResult& result, std::size_t most, const Style& style);

}  // namespace waitstate::report
