// A JSON report is read back into memory, so that it gives every view that the trace would have given.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The result that write_json() wrote: writing it again gives the same bytes, and every report of it is the same. Parts
/// that the report does not contain (events, groups, the recorder's numbers) are empty. Throws TraceError if the file
/// cannot be read, is not JSON, is not a report, has another version of the format, or has an error anywhere: it names
/// the place, what was found, and what was expected.
AnalysisResult read_json(const std::filesystem::path& file);

/// The result that write_json() wrote with its own numbers of call paths, as a text; `depth_first` is the order of
/// these (CallTree::depth_first()). Throws TraceError.
AnalysisResult read_json_copy(std::string_view text, const std::vector<CallPathId>& depth_first);

}  // namespace waitstate::report
