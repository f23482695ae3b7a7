// Rows of NumPy arrays made from the fields of a compound event (fields.hpp), for all those whose arrays have no form
// of their own: `number` first, then each field with its name, laid out as a struct of them would be.
//
// A field that is a list is no part of the row: its elements are rows of a further array. Calls and waits are nested,
// an empty call (location -1) stands for one that is not there. Cost: a copy of each field.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "bind/events/field_objects.hpp"
#include "bind/patterns/row_layout.hpp"
#include "bind/patterns/rows.hpp"
#include "bind/patterns/rows_one_sided.hpp"

namespace waitstate::python {

// ---- how a value lies in a row ----

template <class T>
T stored(const T& value) {
  return value;
}
inline Call stored(const Call* call) { return call != nullptr ? *call : Call{}; }
inline AccessPart stored(const RmaAccess& access) { return access_part(access); }
template <class T>
using Stored = decltype(stored(std::declval<const T&>()));

template <class T>
py::object row_format() {
  using S = Stored<T>;
  const auto format = [](const char* text) -> py::object { return py::dtype::from_args(py::str(text)); };
  if constexpr (std::is_same_v<S, Call> || std::is_same_v<S, Wait> || std::is_same_v<S, AccessPart>)
    return row_dtype<S>();
  else if constexpr (std::is_same_v<S, bool>)
    return format(flag_format);
  else if constexpr (std::is_enum_v<S> && sizeof(S) == 1)
    return format(code_format);
  else if constexpr (std::is_same_v<S, std::uint32_t>)
    return format("=u4");
  else if constexpr (std::is_integral_v<S> && sizeof(S) == 8)
    return format(number_format);
  else {
    static_assert(
        sizeof(S) == 4 && requires(S id) { id.valid(); }, "a compound event with such a field needs a form");
    return format(id_format);
  }
}

template <class... T>
constexpr auto row_offsets(Types<T...>) {  // offsets of the fields, and last the size of the row
  std::array<std::size_t, sizeof...(T) + 1> offsets{};
  std::size_t at = sizeof(std::int64_t), i = 0;
  const auto place = [&](std::size_t size, std::size_t alignment) {
    at = (at + alignment - 1) / alignment * alignment;
    offsets[i++] = at;
    at += size;
  };
  ((is_list<T> ? place(0, 1) : place(sizeof(Stored<T>), alignof(Stored<T>))), ...);
  place(0, alignof(std::int64_t));
  return offsets;
}

// ---- rows ----

template <class E>
class FieldRow {
 public:
  void set(std::int64_t number, const E& e) {
    std::memcpy(bytes_, &number, sizeof number);
    std::size_t i = 0;
    with_fields(e, [&](const auto&... field) { return (put(offsets[i++], field.value), ..., 0); });
  }
  static py::dtype make_dtype() {
    Layout layout;
    layout.add("number", number_format, 0);
    std::size_t i = 0;
    const auto add = [&]<class T>(const Field<T>& field) {
      if constexpr (!is_list<std::remove_cv_t<T>>)
        layout.add(field.name, row_format<std::remove_cv_t<T>>(), offsets[i]);
      ++i;
    };
    const E one = empty_event<E>();
    with_fields(one, [&](const auto&... field) { return (add(field), ..., 0); });
    return layout.dtype(sizeof(FieldRow));
  }

 private:
  static constexpr auto offsets = row_offsets(FieldTypes<E>{});

  template <class T>
  void put(std::size_t offset, const T& value) {
    if constexpr (!is_list<T>) {
      const auto copy = stored(value);
      std::memcpy(bytes_ + offset, &copy, sizeof copy);
    }
  }

  alignas(8) std::byte bytes_[offsets.back()];
};

/// The row of an element of a list.
template <class T>
struct ElementRow {
  using type = FieldRow<T>;
};
template <>
struct ElementRow<RmaAccess> {
  using type = AccessRow;
};

}  // namespace waitstate::python
