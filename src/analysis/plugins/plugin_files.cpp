#include "analysis/plugins/plugin_files.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "util/own_files.hpp"
#include "waitstate/error.hpp"

#ifndef WAITSTATE_LIBRARY_FOLDER
#define WAITSTATE_LIBRARY_FOLDER "lib"  // relative to the prefix of the installation
#endif

namespace fs = std::filesystem;

namespace waitstate::analysis {

std::vector<fs::path> plugin_search_path() {
  std::vector<fs::path> directories;
  const char* variable = std::getenv("WAITSTATE_PLUGIN_PATH");
  for (std::string_view rest = variable == nullptr ? "" : variable; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) directories.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path prefix = program.parent_path().parent_path();
    const fs::path own = prefix / WAITSTATE_LIBRARY_FOLDER / "waitstate" / "plugins";
    if (!fs::exists(own, error) || util::part_of_others(own).empty()) directories.push_back(own);
  }
  return directories;
}

fs::path find_plugin(const fs::path& name, const std::vector<fs::path>& directories) {
  std::error_code error;
  if (name.native().find('/') != std::string::npos) return name;
  if (is_python(name) && fs::is_regular_file(name, error)) return name;  // a script in the working directory
  const fs::path library = "lib" + name.string() + ".so";
  std::string searched;
  for (const fs::path& directory : directories) {
    for (const fs::path& file : {name, library})
      if (fs::is_regular_file(directory / file, error)) return directory / file;
    searched += (searched.empty() ? "" : ", ") + directory.string();
  }
  const std::string where = searched.empty()
                                ? "no directory is searched"
                                : "neither " + name.string() + " nor " + library.string() + " is in " + searched;
  throw UsageError("found no plug-in '" + name.string() + "': " + where +
                   (fs::exists(name, error) ? "; write ./" + name.string() + " for the one in this directory"
                                            : "; name the file with its directory, or set WAITSTATE_PLUGIN_PATH"));
}

void make_own_symbols_visible() {
  Dl_info own{};
  static const char inside = 0;  // an address in the object that contains this code
  if (::dladdr(&inside, &own) == 0) return;
  // Does nothing for a program (its symbols are visible if it exports any, and its name need not be a path).
  if (void* object = ::dlopen(own.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD)) ::dlclose(object);
}

}  // namespace waitstate::analysis
