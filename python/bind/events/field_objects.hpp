// The Python object of a compound event that has no class of its own: a copy with an attribute for each field.
//
// Calls are Call, waits Wait; ids are definitions and call paths, None where there is none; enumerations are members of
// Python's, or names; a list is a list, of objects with an attribute a field. Making one takes the interpreter's lock.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "bind/events/point_to_point_objects.hpp"
#include "waitstate/pattern/fields.hpp"

namespace waitstate::python {

// ---- the fields of an event, or of an element of its lists ----

/// The name of an id that is an element of a list.
inline const char* element_name(LocationId) { return "location"; }

/// Calls f(Field…) with the fields of a struct, or with the one of an id.
template <class E, class F>
auto with_fields(const E& e, F&& f) {
  if constexpr (Structured<E>)
    return E::fields(e, f);
  else
    return f(Field{element_name(e), e});
}

template <class... T>
struct Types {};
struct TypesOf {
  template <class... T>
  Types<std::remove_cv_t<T>...> operator()(const Field<T>&...) const;
};
template <class E>
using FieldTypes = decltype(with_fields(std::declval<const E&>(), TypesOf{}));
template <class... T>
constexpr std::size_t count_of(Types<T...>) {
  return sizeof...(T);
}

/// Becomes whatever a field is made of.
struct Nothing {
  std::size_t number;
  template <class T>
  operator T&() const {
    static T value{};
    return value;
  }
};
/// An event in which there is nothing, to ask for the names of its fields.
template <class E>
E empty_event() {
  if constexpr (Structured<E>) return []<std::size_t... i>(std::index_sequence<i...>) {
      return E{Nothing{i}...};
    }
  (std::make_index_sequence<count_of(FieldTypes<E>{})>{});
  else return E{};
}

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::span<const T>> = true;

// ---- the object ----

template <class E>
class FieldObject {
 public:
  FieldObject(const E& e, const Names& names) {
    std::size_t i = 0;
    E::fields(e, [&](const auto&... field) { return ((values_[i++] = object(field.value, names)), ..., 0); });
  }

  static void bind(py::module_& module, const char* name) {
    const std::string called = name;
    py::class_<FieldObject> c(module, name, ("A compound event; see " + called + " in C++. Times in ticks.").c_str());
    std::size_t i = 0;
    const auto add = [&](const auto& field) {
      c.def_property_readonly(
          field.name, [n = i++](const FieldObject& o) { return o.values_[n]; },
          ("As in C++: " + type_of(&field.value) + ".").c_str());
    };
    const E nothing = empty_event<E>();
    E::fields(nothing, [&](const auto&... field) { return (add(field), ..., 0); });
    c.def("__repr__", [called](const FieldObject&) { return "<" + called + ">"; });
  }

 private:
  static constexpr std::size_t count = count_of(FieldTypes<E>{});

  // The type of an attribute, in words from which stubs are made.
  template <class T>
  static std::string type_of(const T*) {
    if constexpr (std::is_same_v<T, Call>) return "Call";
    if constexpr (std::is_same_v<T, const Call*>) return "Call or None";
    if constexpr (std::is_same_v<T, Wait>) return "Wait";
    if constexpr (std::is_same_v<T, bool>) return "bool";
    if constexpr (std::is_same_v<T, CallPathId>) return "CallPath or None";
    if constexpr (requires { TableOfId<T>::class_name; }) return std::string(TableOfId<T>::class_name) + " or None";
    if constexpr (requires(T value) { enum_member(value); }) return enumeration_name(T{});
    if constexpr (std::is_enum_v<T>) return "str or int";
    return Structured<T> ? "Any" : "int";
  }
  template <class T>
  static std::string type_of(const std::span<const T>*) {
    return "list of " + type_of(static_cast<const T*>(nullptr));
  }

  static py::object object(const Call& call, const Names& names) { return py::cast(CallObject{call, names}); }
  static py::object object(const Call* call, const Names& names) {
    return call == nullptr ? py::none() : object(*call, names);
  }
  static py::object object(const Wait& wait, const Names& names) { return py::cast(WaitObject{wait, names}); }
  template <class Tag>
  static py::object object(const Id<Tag>& id, const Names& names) {
    return (*names)[id];
  }
  template <class T>
  static py::object object(const std::span<const T>& values, const Names& names) {
    py::list list;
    for (const T& one : values) list.append(object(one, names));
    return list;
  }
  template <class T>
  static py::object object(const T& value, const Names& names) {
    if constexpr (Structured<T>) {
      py::dict fields;
      T::fields(value, [&](const auto&... f) { return ((fields[f.name] = object(f.value, names)), ..., 0); });
      return py::module_::import("types").attr("SimpleNamespace")(**fields);
    } else if constexpr (std::is_enum_v<T>) {
      if constexpr (requires { enum_member(value); })
        return enum_member(value);
      else
        return enumerator(value);
    } else {
      return py::cast(value);
    }
  }

  std::array<py::object, count> values_;
};

}  // namespace waitstate::python
