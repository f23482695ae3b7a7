// The compiled module waitstate._core, from its parts. Users import `waitstate`, which re-exports what is public.
#include <string>

#include "bind/bind.hpp"
#include "bind/events/event_trace.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/error.hpp"

namespace waitstate::python {

py::object path_text(const py::object& given) {
  auto text = py::reinterpret_steal<py::object>(PyOS_FSPath(given.ptr()));
  if (!text) throw py::error_already_set();
  const bool has_nul = py::isinstance<py::bytes>(text)
                           ? text.cast<std::string>().find('\0') != std::string::npos
                           : PyUnicode_FindChar(text.ptr(), 0, 0, PyUnicode_GetLength(text.ptr()), 1) >= 0;
  if (has_nul)
    throw UsageError("the path " + py::repr(text).cast<std::string>() +
                     " has a NUL character, expected a name that a file can have");
  return text;
}

std::filesystem::path path_of(const py::object& given) {
  PyObject* converted = nullptr;
  if (PyUnicode_FSConverter(path_text(given).ptr(), &converted) == 0) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(converted).cast<std::string>();
}

namespace {

// Objects of classes without a constructor come from us only: C.__new__(C) would have no C++ object, and reading it
// would end the process.
void forbid_empty_objects(const py::dict& names) {
  const py::handle metaclass = py::type::of(py::type::of<TraceObject>());
  for (const auto& [name, object] : names) {
    if (!py::type::of(object).is(metaclass)) continue;
    const py::object init = object.attr("__dict__").attr("get")("__init__");  // a slot's says that there is none
    if (!init.is_none() && Py_TYPE(init.ptr()) != &PyWrapperDescr_Type) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(object.ptr());
    type->tp_new = nullptr;
    PyType_Modified(type);
  }
}

}  // namespace
}  // namespace waitstate::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of waitstate; import waitstate instead.";
  module.attr("__version__") = WAITSTATE_VERSION;
  using namespace waitstate::python;
  bind_errors(module);
  module.def("_path", &path_text, py::arg("path"), "os.fspath(path). Raises UsageError if it has a NUL character.");
  module.def(
      "_shorten_paths", &waitstate::report::shorten_paths, py::arg("paths"), py::arg("width"),
      "Names in at most `width` characters each: they are cut at slashes and keep both ends; names that differ stay "
      "different.");
  module.def("_duration_text", &waitstate::report::duration_text, py::arg("seconds"), py::arg("digits") = 4,
             "A duration as reports show it: \"273.3 ms\".");
  bind_definitions(module);
  bind_diagnostics(module);
  bind_event_trace(module);
  bind_patterns(module);
  bind_suggestions(module);
  forbid_empty_objects(module.attr("__dict__"));

  py::list names;
  for (const auto& [name, object] : module.attr("__dict__").cast<py::dict>())
    if (const auto text = name.cast<std::string>(); !text.starts_with('_')) names.append(name);
  module.attr("__all__") = names;
}
