// Python files with patterns: waitstate/plugin.py runs them and finds the classes, here they become handles.
#include "bind/pattern.hpp"

namespace waitstate::python {

std::vector<PatternHandle> python_plugin(const std::string& file) {
  std::vector<PatternHandle> handles;
  const py::module_ plugin = py::module_::import("waitstate.plugin");
  for (const py::handle pattern : plugin.attr("load")(file))
    handles.push_back(make_python_pattern(plugin.attr("make")(pattern)));
  return handles;
}

}  // namespace waitstate::python
