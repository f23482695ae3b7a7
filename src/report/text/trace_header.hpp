// The lines at the top of a report that say which trace it is about.
#pragma once

#include <string>
#include <string_view>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A line "name      text", broken where the terminal ends; the continuation is indented to the text.
std::string labelled(std::string_view name, std::string_view text, const Style& style);

/// "Score-P 8.4 (OTF2 3.0.3)".
std::string recorder_text(const Recorder& recorder);
/// "4 processes, 12 locations, 12,345 events, 432 messages".
std::string size_text(const AnalysisResult& result);

}  // namespace waitstate::report
