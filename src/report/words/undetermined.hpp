// Wait states that a trace cannot tell, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The sentences, each of them once, with all wait states that it is about; "" if there are none.
std::string undetermined_lines(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                               const Style& style);
/// The lines below a heading; "" if there are none.
std::string undetermined_text(const AnalysisResult& result, const std::vector<UndeterminedMetric>& all,
                              const Style& style, std::string_view heading = "Unknown in this trace");

}  // namespace waitstate::report
