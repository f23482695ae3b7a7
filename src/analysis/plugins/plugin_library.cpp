// Opens plug-ins. A plug-in brings no copy of this library: the parts that it uses (MetricTree, Parameters, …) are left
// undefined when it is linked and resolved against the program that loads it, so there is one of everything, and an
// exception or a published compound event has the same type on both sides. Therefore the program exports its symbols
// (waitstate_enable_plugins in waitstatePlugin.cmake); where this code is in a shared object that was itself loaded
// privately, such as a Python module, that object is made visible first.
//
// Libraries are opened with all symbols bound at once, so that a missing one is a message now and not a crash in the
// middle of a trace, and privately, so that two plug-ins may use the same names.
#include "analysis/plugins/plugin_library.hpp"

#include <dlfcn.h>

#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "analysis/plugins/plugin_files.hpp"
#include "analysis/plugins/python_host.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/plugin.hpp"

namespace fs = std::filesystem;

namespace waitstate::analysis {
namespace {

/// A pattern and the library that its code is in: members are destroyed in reverse order, the library last.
struct KeptPattern {
  std::shared_ptr<void> library;
  std::shared_ptr<Pattern> pattern;
};

std::string last_error(const fs::path& file) {
  const char* text = ::dlerror();
  std::string reason = text == nullptr ? "unknown reason" : text;
  const std::string lead = file.string() + ": ";
  return reason.starts_with(lead) ? reason.substr(lead.size()) : reason;
}

std::shared_ptr<void> open(const fs::path& file) {
  const std::string cannot = "cannot load plug-in '" + file.string() + "': ";
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) throw UsageError(cannot + "there is no such file");
  if (status.type() == fs::file_type::directory)
    throw UsageError(cannot + "it is a directory; name the shared library in it");
  if (status.type() != fs::file_type::regular)  // opening a pipe would wait
    throw UsageError(cannot + "it is not a regular file");
  make_own_symbols_visible();
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return {library, [](void* l) { ::dlclose(l); }};
  const std::string reason = last_error(file);
  if (reason.find("undefined symbol") != std::string::npos)
    throw UsageError(cannot + reason +
                     "; compile it again with the headers of this waitstate, and see that the "
                     "program that loads it exports waitstate's functions");
  throw UsageError(cannot + reason + "; expected a shared library as waitstate_add_plugin builds it");
}

}  // namespace

std::vector<PatternHandle> open_plugin(const fs::path& file) {
  if (is_python(file)) return open_python_plugin(file);
  const std::shared_ptr<void> library = open(file);
  const auto* plugin = static_cast<const PluginDescription*>(::dlsym(library.get(), "waitstate_plugin"));
  if (plugin == nullptr)
    throw UsageError("'" + file.string() +
                     "' is not a plug-in: it does not export 'waitstate_plugin'; name its patterns in "
                     "WAITSTATE_PLUGIN(…) at the end of its source");
  if (plugin->interface_version != plugin_interface_version)
    throw UsageError("plug-in '" + file.string() + "' has interface version " +
                     std::to_string(plugin->interface_version) + ", this waitstate has " +
                     std::to_string(plugin_interface_version) +
                     ": compile it again with the headers of this waitstate (it was built with " +
                     (plugin->built_with == nullptr ? "an unknown compiler" : plugin->built_with) + ")");
  std::vector<PatternHandle> patterns;
  const auto failed = [&](const std::string& why) {
    patterns.clear();  // while the library is still open
    return UsageError("plug-in '" + file.string() + "' failed while it made its patterns: " + why);
  };
  try {
    plugin->add_patterns(patterns);
  } catch (const std::exception& e) {
    throw failed(e.what());
  } catch (...) {
    throw failed("an exception of an unknown type");
  }
  if (patterns.empty())
    throw UsageError("plug-in '" + file.string() + "' has no patterns: name at least one in WAITSTATE_PLUGIN(…)");
  for (PatternHandle& handle : patterns) {
    auto kept = std::make_shared<KeptPattern>(KeptPattern{library, std::move(handle.pattern)});
    handle.pattern = std::shared_ptr<Pattern>(kept, kept->pattern.get());
  }
  return patterns;
}

}  // namespace waitstate::analysis
