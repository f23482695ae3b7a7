// The description of a trace: its recorder, time and place, its contents, and its anomalies.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

std::string info_text(const AnalysisResult& result, const Style& style);

}  // namespace waitstate::report
