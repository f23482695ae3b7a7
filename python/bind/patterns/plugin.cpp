// Python files with patterns: waitstate/plugin.py runs them and finds the classes, here they become handles.
#include "bind/patterns/python_pattern.hpp"

namespace waitstate::python {

std::vector<PatternHandle> python_plugin(const std::string& file) {
  std::vector<PatternHandle> handles;
  const py::module_ plugin = py::module_::import("waitstate.plugin");
  for (const py::handle pattern : plugin.attr("load")(to_str(file))) {
    std::string failure;
    try {
      handles.push_back(make_python_pattern(plugin.attr("make")(pattern)));
    } catch (const UsageError& e) {
      failure = e.what();
    } catch (py::error_already_set& e) {
      if (!e.matches(py::module_::import("waitstate._core").attr("UsageError"))) throw;
      failure = to_bytes(py::str(e.value()));
    }
    if (!failure.empty()) throw UsageError(failure + " (plug-in '" + file + "')");
  }
  return handles;
}

}  // namespace waitstate::python
