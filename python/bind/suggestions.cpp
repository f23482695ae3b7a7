// The error for an attribute that an object does not have suggests the attribute that was probably meant.
//
// __getattr__ would do, but it makes every attribute slower, also those that are there. So the classes get a function
// of C's own that takes the usual way first; only where that fails is there more to do, and waitstate/suggestions.py
// does it. Cost of an attribute that is there: one call more.
#include <string>
#include <string_view>
#include <vector>

#include "bind/bind.hpp"
#include "util/nearest.hpp"

namespace waitstate::python {

namespace {

/// Puts waitstate/suggestions.py's sentence in place of the error that is set.
void explain_missing(PyObject* self, PyObject* name) {
  if (PyUnicode_Check(name) == 0 || PyUnicode_GetLength(name) == 0 || PyUnicode_ReadChar(name, 0) == '_' ||
      _PyType_Lookup(Py_TYPE(self), name) != nullptr)  // it is there, and said so itself
    return;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  try {
    const py::object error =
        py::module_::import("waitstate.suggestions").attr("missing")(py::handle(self), py::handle(name));
    Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
    PyErr_SetObject(PyExc_AttributeError, error.ptr());
  } catch (py::error_already_set& e) {
    e.discard_as_unraisable("waitstate.suggestions.missing");
    PyErr_Restore(type, value, trace);
  }
}

PyObject* attribute(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found == nullptr && PyErr_ExceptionMatches(PyExc_AttributeError) != 0) explain_missing(self, name);
  return found;
}

/// Not of classes that have a way of their own, nor of those derived from them.
void suggest(const py::type& cls) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  if (type->tp_getattro != &PyObject_GenericGetAttr) return;
  type->tp_getattro = &attribute;
  PyType_Modified(type);
}

}  // namespace

void bind_suggestions(py::module_& module) {
  module.def("_suggest", &suggest, py::arg("cls"),
             "From now on, the error for an attribute that objects of the class do not have names the nearest one.");
  module.def(
      "_nearest",
      [](const std::string& word, const std::vector<std::string>& known) {
        const std::vector<std::string_view> views(known.begin(), known.end());
        return util::nearest(word, views);
      },
      py::arg("word"), py::arg("known"),
      "The known name that a misspelt one was probably meant to be, or an empty str.");
}

}  // namespace waitstate::python
