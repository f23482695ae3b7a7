// Finds the files of plug-ins, and provides what they need from the object that opens them; for shared libraries and
// Python files alike.
#pragma once

#include <filesystem>
#include <vector>

namespace waitstate::analysis {

/// Whether a plug-in of this name is a Python file.
inline bool is_python(const std::filesystem::path& plugin) { return plugin.extension() == ".py"; }

/// The folders in which plug-ins without '/' in their names are looked for: WAITSTATE_PLUGIN_PATH, then the folder of
/// the installation that the running program belongs to.
std::vector<std::filesystem::path> plugin_search_path();

/// The file of plug-in `name`: itself if it has a '/' or is a Python file in the working directory, else NAME or
/// libNAME.so in the first directory that has one. Throws UsageError that names the directories.
std::filesystem::path find_plugin(const std::filesystem::path& name,
                                  const std::vector<std::filesystem::path>& directories);

/// Lets libraries that are loaded from now on find the functions of this library, whatever it is part of.
void make_own_symbols_visible();

}  // namespace waitstate::analysis
