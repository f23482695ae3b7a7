// A JSON report back in memory, so that every view can be made from it that could have been made from the trace.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The result that write_json() wrote: writing it again gives the same bytes, and every report of it is the same. What
/// the report does not hold (events, groups, the recorder's numbers) is empty. Throws TraceError if the file cannot be
/// read, is no JSON, no report, one of another version of the format, or wrong anywhere: with the place, what was
/// found, and what was expected.
AnalysisResult read_json(const std::filesystem::path& file);

/// The result that write_json() wrote with its own numbers of call paths, as a text; `depth_first` is the order of
/// these (CallTree::depth_first()). Throws TraceError.
AnalysisResult read_json_copy(std::string_view text, const std::vector<CallPathId>& depth_first);

}  // namespace waitstate::report
