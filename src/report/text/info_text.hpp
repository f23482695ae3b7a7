// The description of a trace: its recorder, time and place, its contents, and its anomalies.
#pragma once

#include <cstdint>
#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// `event_bytes`: the size of all files of events; 0 if it is not known.
std::string info_text(const AnalysisResult& result, const Style& style, std::uint64_t event_bytes = 0);

}  // namespace waitstate::report
