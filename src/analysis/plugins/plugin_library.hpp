// Finds, opens and keeps open shared libraries and Python files with patterns.
#pragma once

#include <filesystem>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// Opens a library or a Python file and makes one object of each of its patterns, in their order; the library stays
/// open as long as one of them lives. Throws UsageError that names the file and the reason.
std::vector<PatternHandle> open_plugin(const std::filesystem::path& file);

}  // namespace waitstate::analysis
