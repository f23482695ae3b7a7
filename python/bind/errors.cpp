// The library's exceptions as Python's. All derive from waitstate.Error, and from the built-in exception that says the
// same where there is one, so that `except ValueError` catches a UsageError.
#include <exception>

#include "bind/bind.hpp"
#include "bind/errors.hpp"
#include "waitstate/error.hpp"

namespace waitstate::python {

namespace {

// Kept for as long as the interpreter lives: a translator may run at any time.
struct ErrorTypes {
  PyObject *error, *trace, *usage, *output, *pattern;
};

PyObject* make_error_type(py::module_& module, const char* name, const char* doc, const py::tuple& bases) {
  const std::string full = std::string("waitstate.") + name;
  PyObject* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.attr(name) = py::handle(type);
  return type;
}

ErrorTypes& error_types() {
  static ErrorTypes types{};
  return types;
}

void set_trace_error(const TraceError& e) {
  const py::object error = py::reinterpret_borrow<py::object>(error_types().trace)(e.what());
  error.attr("path") = e.path();
  PyErr_SetObject(error_types().trace, error.ptr());
}

void translate_error(std::exception_ptr thrown) {
  const ErrorTypes& types = error_types();
  try {
    std::rethrow_exception(thrown);
  } catch (const TraceError& e) {
    set_trace_error(e);
  } catch (const UsageError& e) {
    PyErr_SetString(types.usage, e.what());
  } catch (const OutputError& e) {
    PyErr_SetString(types.output, e.what());
  } catch (const PatternError& e) {
    PyErr_SetString(types.pattern, e.what());
  } catch (const Error& e) {
    PyErr_SetString(types.error, e.what());
  }
}

}  // namespace

void set_python_error(std::exception_ptr thrown) {
  try {
    translate_error(thrown);
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void bind_errors(py::module_& module) {
  ErrorTypes& types = error_types();
  types.error = make_error_type(module, "Error", "Base of all errors of this package.",
                                py::make_tuple(py::handle(PyExc_Exception)));
  const py::handle base = types.error;
  types.trace = make_error_type(module, "TraceError",
                                "An input that cannot be read at all. `path` is the file or folder. Damage that leaves "
                                "something to analyse is no error but an entry of the diagnostics.",
                                py::make_tuple(base));
  types.usage =
      make_error_type(module, "UsageError", "Something was asked for that does not exist or does not fit together.",
                      py::make_tuple(base, py::handle(PyExc_ValueError)));
  types.output = make_error_type(module, "OutputError", "A result cannot be written: the path and the system's reason.",
                                 py::make_tuple(base, py::handle(PyExc_OSError)));
  types.pattern = make_error_type(module, "PatternError",
                                  "A pattern failed: the message names the pattern, the event and its place.",
                                  py::make_tuple(base));
  py::register_exception_translator(&translate_error);
}

}  // namespace waitstate::python
