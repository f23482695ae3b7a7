// The compiled module waitstate._core, from its parts. Users import `waitstate`, which re-exports what is public.
#include "bind/bind.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of waitstate; import waitstate instead.";
  module.attr("__version__") = WAITSTATE_VERSION;
  waitstate::python::bind_errors(module);
}
