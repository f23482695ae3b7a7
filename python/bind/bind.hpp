// What the files of this folder know of each other: who adds what to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace waitstate::python {

namespace py = pybind11;

/// Error, TraceError, UsageError, OutputError, PatternError: the exceptions of waitstate/error.hpp under their own names.
void bind_errors(py::module_& module);

}  // namespace waitstate::python
