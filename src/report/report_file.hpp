// Reports in files, of whatever kind: a kind is told by its first bytes, never by the file's name.
#pragma once

#include <filesystem>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// True if the file can be read and begins like a report: a JSON object, or a tar archive (.cubex).
bool is_report(const std::filesystem::path& file);

/// A report that write_json() wrote, or a CUBE 4 report of any tool; see read_json() and read_cube() for what the
/// result holds. Throws TraceError that says what the file is instead, or what is wrong with it.
AnalysisResult read_report(const std::filesystem::path& file);

}  // namespace waitstate::report
