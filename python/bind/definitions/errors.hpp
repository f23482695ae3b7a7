// The conversion of exceptions into Python's errors, for functions that are written against Python's C interface;
// generated bindings do the same.
#pragma once

#include <exception>

namespace waitstate::python {

/// Makes of an exception, of the library or any other, the error that Python sees. Needs the interpreter's lock.
void set_python_error(const std::exception_ptr& thrown);

}  // namespace waitstate::python
