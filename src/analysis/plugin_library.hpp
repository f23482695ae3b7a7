// Shared libraries, and Python files, with patterns: how they are found, opened, and kept open.
#pragma once

#include <filesystem>
#include <vector>

#include "waitstate/pattern.hpp"

namespace waitstate::analysis {

/// Where plug-ins without '/' in their names are looked for: WAITSTATE_PLUGIN_PATH, then the folder of the installation
/// that the running program belongs to.
std::vector<std::filesystem::path> plugin_search_path();

/// The file that `name` stands for: itself if it has a '/' or is a Python file in the working directory, else NAME or
/// libNAME.so in the first directory that has one. Throws UsageError that names the directories.
std::filesystem::path find_plugin(const std::filesystem::path& name,
                                  const std::vector<std::filesystem::path>& directories);

/// Lets what is loaded from now on find the functions of this library, whatever it is part of.
void make_own_symbols_visible();

/// Opens a library or a Python file and makes one each of its patterns, in their order; the library stays open as long
/// as one of them lives. Throws UsageError that names the file and the reason.
std::vector<PatternHandle> open_plugin(const std::filesystem::path& file);

}  // namespace waitstate::analysis
