// The description of a trace: who recorded it, when, where, what is in it, and what is odd about it.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

std::string info_text(const AnalysisResult& result, const Style& style);

}  // namespace waitstate::report
