// How the C++ structs of rows become structured dtypes of NumPy: names, formats and offsets, field by field.
//
// A dtype is made once a type, when it is asked for first (that imports NumPy), and kept for the life of the process.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <type_traits>

#include "bind/bind.hpp"

namespace waitstate::python {

/// The layout of a struct of `size` bytes. Signed formats, so that an id or a link that leads nowhere is -1.
class Layout {
 public:
  Layout& add(const char* name, const py::object& format, std::size_t offset) {
    names_.append(name), formats_.append(format), offsets_.append(offset);
    return *this;
  }
  Layout& add(const char* name, const char* format, std::size_t offset) {
    return add(name, py::dtype::from_args(py::str(format)), offset);
  }
  py::dtype dtype(std::size_t size) const {
    py::dict layout;
    layout["names"] = names_, layout["formats"] = formats_, layout["offsets"] = offsets_, layout["itemsize"] = size;
    return py::dtype::from_args(layout);
  }

 private:
  py::list names_, formats_, offsets_;
};

inline constexpr const char* id_format = "=i4";
inline constexpr const char* code_format = "=u1";
inline constexpr const char* flag_format = "=?";
inline constexpr const char* number_format = "=i8";

/// Makes a dtype once. Another thread may do the same while `make` runs Python code: the first one made stays.
template <class Make>
py::dtype made_once(PyObject*& kept, Make&& make) {
  if (kept == nullptr) {
    py::dtype made = make();
    if (kept == nullptr) kept = made.release().ptr();
  }
  return py::reinterpret_borrow<py::dtype>(kept);
}

}  // namespace waitstate::python
