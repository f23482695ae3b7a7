// Plug-ins in Python for a program that is not Python: the shared object that brings the interpreter (python/host), how
// it is found, and what it offers. It is opened when the first such plug-in is asked for, and stays open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// The exported symbol `waitstate_python_host`; its first two members are those of PluginDescription.
struct PythonHostDescription {
  std::uint32_t interface_version;
  const char* built_with;
  /// Makes one object of each of a file's patterns; throws UsageError that names the file and the reason.
  void (*load)(const char* file, std::vector<PatternHandle>& patterns);
};

/// The patterns of a Python file. Starts the interpreter if there is none yet. Throws UsageError that names the file
/// and the reason: no Python support is installed, or the file has an error.
std::vector<PatternHandle> open_python_plugin(const std::filesystem::path& file);

}  // namespace waitstate::analysis
