// The compiled module waitstate._core, from its parts. Users import `waitstate`, which re-exports what is public.
#include <string>

#include "bind/bind.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of waitstate; import waitstate instead.";
  module.attr("__version__") = WAITSTATE_VERSION;
  using namespace waitstate::python;
  bind_errors(module);
  bind_definitions(module);
  bind_diagnostics(module);
  bind_event_trace(module);
  bind_patterns(module);

  py::list names;
  for (const auto& [name, object] : module.attr("__dict__").cast<py::dict>())
    if (const auto text = name.cast<std::string>(); !text.starts_with('_')) names.append(name);
  module.attr("__all__") = names;
}
