#include "analysis/plugins/python_host.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "analysis/plugins/plugin_files.hpp"
#include "util/own_files.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/plugin.hpp"

#ifndef WAITSTATE_PYTHON_FOLDER
#define WAITSTATE_PYTHON_FOLDER "lib/python3/site-packages"  // relative to the prefix of the installation
#endif

namespace fs = std::filesystem;

namespace waitstate::analysis {
namespace {

constexpr const char* host_name = "waitstate/python_host.so";

/// Places where the host may lie: the one in the environment, beside the program in the build tree, in the
/// installation, in the package that contains the program (a wheel).
std::vector<fs::path> host_places() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path prefix = program.parent_path().parent_path();
  std::vector<fs::path> places = {program.parent_path() / "python" / host_name,
                                  prefix / WAITSTATE_PYTHON_FOLDER / host_name};
  const fs::path of_package = prefix.parent_path() / host_name;
  if (of_package.parent_path() == prefix) places.push_back(of_package);
  return places;
}

const char* named_host() {
  const char* const variable = std::getenv("WAITSTATE_PYTHON_HOST");
  return variable != nullptr && *variable != '\0' ? variable : nullptr;
}

const PythonHostDescription& open_host() {
  std::error_code error;
  std::string searched;
  const char* const named = named_host();
  for (const fs::path& place : named != nullptr ? std::vector<fs::path>{named} : host_places()) {
    searched += (searched.empty() ? "" : ", ") + place.string();
    if (!fs::exists(place, error)) continue;
    if (const fs::path part = named != nullptr ? fs::path() : util::part_of_others(place); !part.empty())
      throw UsageError(part.string() +
                       " belongs to another user or is writable by others, so it is not loaded: install waitstate in a "
                       "folder of your own");
    make_own_symbols_visible();
    // Opened globally, since extension modules of Python take the interpreter's functions from loaded libraries; never
    // closed.
    void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      const char* const reason = ::dlerror();
      throw UsageError(std::string("the Python support cannot be loaded: ") +
                       (reason == nullptr ? place.string() : reason));
    }
    const auto* host = static_cast<const PythonHostDescription*>(::dlsym(library, "waitstate_python_host"));
    if (host == nullptr) throw UsageError("'" + place.string() + "' is not waitstate's Python support");
    if (host->interface_version != plugin_interface_version)
      throw UsageError("the Python support '" + place.string() + "' has interface version " +
                       std::to_string(host->interface_version) + ", this waitstate has " +
                       std::to_string(plugin_interface_version) + ": install both together");
    return *host;
  }
  throw UsageError("plug-ins in Python need waitstate's Python support, which is not there (" +
                   (searched.empty() ? std::string("nowhere to look") : "looked for " + searched) +
                   "): build and install it, or set WAITSTATE_PYTHON_HOST to its python_host.so");
}

}  // namespace

std::vector<PatternHandle> open_python_plugin(const fs::path& file) {
  const std::string cannot = "cannot load plug-in '" + file.string() + "': ";
  std::error_code error;
  if (!fs::exists(file, error)) throw UsageError(cannot + "there is no such file");
  if (!fs::is_regular_file(file, error)) throw UsageError(cannot + "it is not a regular file");
  static const PythonHostDescription* host = nullptr;  // the host of this process
  if (host == nullptr) {
    try {
      host = &open_host();
    } catch (const UsageError& e) {
      throw UsageError(cannot + e.what());
    }
  }
  std::vector<PatternHandle> patterns;
  host->load(file.c_str(), patterns);
  return patterns;
}

}  // namespace waitstate::analysis
