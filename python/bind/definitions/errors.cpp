// The library's exceptions as Python's. All derive from waitstate.Error, and from the built-in exception that says the
// same where there is one, so that `except ValueError` catches a UsageError.
#include <exception>

#include "bind/bind.hpp"
#include "bind/definitions/definitions.hpp"
#include "bind/definitions/errors.hpp"
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

// Messages name files and what is in traces, in whatever bytes these are.
void set_error(PyObject* type, const std::exception& e) { PyErr_SetObject(type, to_str(e.what()).ptr()); }

void set_trace_error(const TraceError& e) {
  const py::object error = py::reinterpret_borrow<py::object>(error_types().trace)(to_str(e.what()));
  error.attr("path") = to_str(e.path());
  PyErr_SetObject(error_types().trace, error.ptr());
}

void translate_error(const std::exception_ptr& thrown) {
  const ErrorTypes& types = error_types();
  try {
    std::rethrow_exception(thrown);
  } catch (const TraceError& e) {
    set_trace_error(e);
  } catch (const UsageError& e) {
    set_error(types.usage, e);
  } catch (const OutputError& e) {
    set_error(types.output, e);
  } catch (const PatternError& e) {
    set_error(types.pattern, e);
  } catch (const Error& e) {
    set_error(types.error, e);
  }
}

}  // namespace

void set_python_error(const std::exception_ptr& thrown) {
  try {
    translate_error(thrown);
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::exception& e) {
    set_error(PyExc_RuntimeError, e);
  }
}

void bind_errors(py::module_& module) {
  ErrorTypes& types = error_types();
  types.error = make_error_type(module, "Error", "Base of all errors of this package.",
                                py::make_tuple(py::handle(PyExc_Exception)));
  const py::handle base = types.error;
  types.trace = make_error_type(module, "TraceError",
                                "An input that cannot be read at all. `path` is the file or folder. Damage that leaves "
                                "something to analyse is not an error, but an entry of the diagnostics.",
                                py::make_tuple(base));
  types.usage = make_error_type(module, "UsageError",
                                "A request for something that does not exist, or for things that do not fit together.",
                                py::make_tuple(base, py::handle(PyExc_ValueError)));
  types.output = make_error_type(module, "OutputError", "A result cannot be written: the path and the system's reason.",
                                 py::make_tuple(base, py::handle(PyExc_OSError)));
  types.pattern = make_error_type(module, "PatternError",
                                  "A pattern failed: the message names the pattern, the event and its place.",
                                  py::make_tuple(base));
  py::register_exception_translator(
      [](std::exception_ptr thrown) { translate_error(thrown); });  // NOLINT(performance-unnecessary-value-param)
}

}  // namespace waitstate::python
