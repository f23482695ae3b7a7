// Wait states that a trace cannot tell, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Each sentence once, with all wait states that it is about; "" without one.
std::string undetermined_lines(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                               const Style& style);
/// The lines below a heading; "" without one.
std::string undetermined_text(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                              const Style& style, std::string_view heading = "Unknown in this trace");

}  // namespace waitstate::report
