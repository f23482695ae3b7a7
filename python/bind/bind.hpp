// Declarations that the files of this folder share: the functions that add classes and functions to the module.
#pragma once

#include <pybind11/pybind11.h>
// In every file, whether it needs them or not: a type must be converted by the same code in all of them.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace waitstate::python {

namespace py = pybind11;

/// The T in `self`. Of objects of just that class it is where the binding put it; those of a class derived from it in
/// Python take the general way, which looks two types up in hash tables. Throws TypeError where T was never
/// constructed. For functions that are called once an event.
template <class T>
const T& object_in(PyObject* self, const PyTypeObject* exactly) {
  const auto* instance = reinterpret_cast<const py::detail::instance*>(self);
  if (instance->simple_layout) {
    if (instance->simple_value_holder[0] == nullptr)
      throw py::type_error(std::string(Py_TYPE(self)->tp_name) + ".__init__() has not been called");
    if (Py_TYPE(self) == exactly) return *static_cast<const T*>(instance->simple_value_holder[0]);
  }
  return py::handle(self).cast<const T&>();
}

/// A number that a user gave: any object with __index__; throws TypeError for others.
struct GivenNumber {
  py::object object;  ///< an int
  std::int64_t value = 0;
  int beyond = 0;  ///< -1, 1: it lies below, above what fits into 64 bits; then `value` is -1

  explicit GivenNumber(const py::handle& given)
      : object(py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()))) {
    if (!object) throw py::error_already_set();
    value = PyLong_AsLongLongAndOverflow(object.ptr(), &beyond);
  }
  std::string text() const { return py::str(object); }
};

/// The path that a user gave, as os.fspath() converts it: str or bytes. Throws TypeError for what is none, UsageError
/// for one with a NUL character, where the system would take it to end.
py::object path_text(const py::object& given);
/// The path that a user gave, as the system has it.
std::filesystem::path path_of(const py::object& given);

/// Error, TraceError, UsageError, OutputError, PatternError: the exceptions of waitstate/error.hpp under their own
/// names.
void bind_errors(py::module_& module);
/// Location, Region, Communicator, CallPath, …: the tables of a trace.
void bind_definitions(py::module_& module);
/// Diagnostic: what is damaged or odd about a trace.
void bind_diagnostics(py::module_& module);
/// Event.
void bind_event(py::module_& module);
/// EventTrace, and Event with it.
void bind_event_trace(py::module_& module);
/// The compiled part of waitstate.Columns: NumPy arrays of events, messages, collective operations and region
/// instances.
void bind_columns(py::module_& module);
/// The suggestion of an attribute that exists where one does not.
void bind_suggestions(py::module_& module);
/// The objects that patterns in Python receive and call, and analyses with their results.
void bind_patterns(py::module_& module);

}  // namespace waitstate::python
