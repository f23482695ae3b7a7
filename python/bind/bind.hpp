// What the files of this folder know of each other: who adds what to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace waitstate::python {

namespace py = pybind11;

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
/// Columns: NumPy arrays of events, messages, collective operations and region instances.
void bind_columns(py::module_& module);
/// What patterns in Python are given and what they call, and analyses with their results.
void bind_patterns(py::module_& module);

}  // namespace waitstate::python
