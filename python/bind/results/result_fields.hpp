// The objects of a result in Python: classes whose attributes are the fields that report/fields declares.
//
// An object refers to a struct of the result; nothing is copied, and an attribute is made when it is asked for. Ids are
// definitions, enumerators are their names, lists of structs are Rows, which make their elements one by one: a wait
// state of a large run has a million pairs, of which a user looks at ten. Objects are equal if their fields are, even
// if they belong to another result of the same trace.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "bind/definitions/definitions.hpp"
#include "bind/events/point_to_point_objects.hpp"
#include "report/fields/report.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::python {

/// A result and its definitions, which its objects share.
struct Owner {
  std::shared_ptr<Tables> tables;          ///< its definitions as objects; their source keeps the result
  const AnalysisResult* result = nullptr;  ///< null for an object that belongs to no result
};

/// A struct of a result, as Python sees it.
template <class S>
struct Bound {
  Owner owner;
  std::shared_ptr<const S> value;
};

/// True for structs whose fields a Python class has.
template <class S>
inline constexpr bool has_class = *report::about<S>.name != '\0';

/// A list that makes its elements when they are asked for.
struct Rows {
  std::size_t size = 0;
  std::function<py::object(std::size_t)> element;  ///< i < size
  std::function<py::dict()> columns;
  const char* of = "";  ///< class of the elements
};

// ---- values ----

/// The object of a struct; waits have the class that patterns use, too.
template <class S>
py::object object_of(const Owner& owner, std::shared_ptr<const S> value) {
  if constexpr (std::is_same_v<S, Wait>)
    return py::cast(WaitObject{*value, owner.tables});
  else
    return py::cast(Bound<S>{owner, std::move(value)});
}
/// An object of a struct that Python owns.
template <class S>
py::object own_object(const Owner& owner, S value) {
  return object_of(owner, std::make_shared<const S>(std::move(value)));
}
template <class S>
py::dict columns_of(const std::function<const S&(std::size_t)>& element, std::size_t size);
/// The rows of a list; `element(i)` is valid as long as `keeper` lives.
template <class S>
py::object rows_of(const Owner& owner, std::shared_ptr<const void> keeper, std::size_t size,
                   std::function<const S&(std::size_t)> element) {
  return py::cast(Rows{size,
                       [=](std::size_t i) { return object_of(owner, std::shared_ptr<const S>(keeper, &element(i))); },
                       [=] { return columns_of<S>(element, size); }, report::about<S>.name});
}

/// A list that Python owns.
template <class S>
py::object own_rows(const Owner& owner, std::vector<S> list) {
  const auto made = std::make_shared<const std::vector<S>>(std::move(list));
  return rows_of<S>(owner, made, made->size(), [&all = *made](std::size_t i) -> const S& { return all[i]; });
}

/// Makes Python objects of fields. `keeper` keeps the struct alive that has the fields.
class FieldConverter {
 public:
  FieldConverter(const Owner& owner, std::shared_ptr<const void> keeper) : owner_(owner), keeper_(std::move(keeper)) {}

  template <class T>
  py::object operator()(const T& v) const {
    if constexpr (std::is_same_v<T, bool>)
      return py::bool_(v);
    else if constexpr (std::is_integral_v<T>)
      return py::int_(v);
    else if constexpr (std::is_same_v<T, double>)
      return py::float_(v);
    else if constexpr (std::is_same_v<T, Unit>)
      return py::str(std::string(name(v)));  // "sec", as patterns say it
    else if constexpr (std::is_enum_v<T>)
      return enumerator_object(v);
    else if constexpr (std::is_convertible_v<const T&, std::string_view>)
      return to_str(v);
    else
      return object_of(owner_, std::shared_ptr<const T>(keeper_, &v));
  }
  py::object operator()(const CulpritWait& wait) const {
    if (!wait.known) return py::none();
    return py::cast(Bound<CulpritWait>{owner_, std::shared_ptr<const CulpritWait>(keeper_, &wait)});
  }
  template <class Tag>
  py::object operator()(const Id<Tag>& id) const {
    return (*owner_.tables)[id];
  }
  template <class T>
  py::object operator()(const report::OrNull<T>& v) const {
    return v.value == v.none ? py::none() : (*this)(v.value);
  }
  template <class T>
  py::object operator()(const std::optional<T>& v) const {
    return v ? (*this)(*v) : py::none();
  }
  template <class T>
  py::object operator()(const report::Needed<T>& v) const {
    return (*this)(v.value);
  }
  template <class T>
  py::object operator()(const report::Derived<T>& v) const {
    return (*this)(v.value);
  }
  template <class T>
  py::object operator()(const report::OnlyIf<T>& v) const {
    return (*this)(v.value);
  }
  template <class L>
  py::object operator()(const report::Lines<L>& v) const {
    return (*this)(v.list);
  }
  template <class L>
  py::object operator()(const report::Sized<L>& v) const {
    return (*this)(v.list);
  }
  template <class L>
  py::object operator()(const report::Table<L>& v) const {
    return rows(v.list);
  }
  template <class L, class N>
  py::object operator()(const report::TableWithRest<L, N>& v) const {
    return rows(v.table.list);
  }
  py::object operator()(const report::OneOf& v) const { return to_str(v.value); }
  template <class T>
  py::object operator()(const report::MetricReference<T>& metric) const {
    if (metric.index == no_metric) return py::none();
    const MetricInfo& info = owner_.result->metrics[metric.index];
    return py::cast(Bound<MetricInfo>{owner_, std::shared_ptr<const MetricInfo>(keeper_, &info)});
  }
  template <class T>
  py::object operator()(const report::ContextReference<T>& context) const {
    if (context.number >= owner_.result->contexts.size()) return py::none();
    return (*this)(owner_.result->contexts[context.number]);
  }
  py::object operator()(const report::InstanceReference& reference) const {
    if (reference.instance == nullptr) return py::none();
    for (const auto& [callpath, instances] : owner_.result->waits.at(reference.metric).severe)
      for (const SevereInstance& instance : instances)
        if (&instance == reference.instance)
          return own_object(owner_, report::InstanceEntry<const SevereInstance>{callpath, instance});
    return py::none();
  }

  template <class T>
  py::object operator()(const std::vector<T>& list) const {
    if constexpr (std::is_same_v<T, Ticks>) {
      return py::array_t<std::int64_t>(static_cast<py::ssize_t>(list.size()), list.data());
    } else if constexpr (has_class<T>) {
      return rows(list);
    } else {
      py::list all;
      for (const T& element : list) all.append((*this)(element));
      return all;
    }
  }
  py::object operator()(const std::vector<report::NamedValue>& values) const {
    py::dict all;
    for (const auto& [name, value] : values) all[to_str(name)] = to_str(value);
    return all;
  }
  template <class Tag, class T>
  py::object operator()(const std::pair<Id<Tag>, T>& two) const {
    return py::make_tuple((*this)(two.first), (*this)(two.second));
  }
  template <class M>
  py::object operator()(const report::ByMetric<M>& m) const {
    py::dict all;
    for (const auto& [metric, value] : m.map) all[to_str(owner_.result->metrics[metric].id)] = (*this)(value);
    return all;
  }
  template <class S>
  py::object operator()(const report::InstanceList<S>& list) const {
    auto all = std::make_shared<std::vector<report::InstanceEntry<const SevereInstance>>>();
    for (const auto& [callpath, instances] : list.severe)
      for (const SevereInstance& instance : instances) all->push_back({callpath, instance});
    return FieldConverter(owner_, all).rows(*all);
  }

 private:
  template <class E>
  static py::object enumerator_object(E value) {
    const std::string_view name = report::enum_text(value);
    return name.empty() ? py::object(py::int_(static_cast<unsigned>(value))) : py::object(to_str(name));
  }
  template <class L>
  py::object rows(const L& list) const {
    using S = std::remove_const_t<typename L::value_type>;
    return rows_of<S>(owner_, keeper_, list.size(),
                      [&list](std::size_t i) -> const S& { return *(list.begin() + static_cast<std::ptrdiff_t>(i)); });
  }

  const Owner& owner_;
  std::shared_ptr<const void> keeper_;
};

/// The field with that number.
template <class S>
py::object field_object(const Bound<S>& bound, std::size_t number) {
  const FieldConverter convert(bound.owner, bound.value);
  py::object found;
  std::size_t i = 0;
  report::for_each_field(*bound.value, [&](std::string_view, const auto& member, report::Measure, const char*) {
    if (i++ == number) found = convert(member);
  });
  return found;
}

// ---- types in words, for docstrings ----

template <class T>
struct WordsFor;
template <class T>
std::string words_for() {
  return WordsFor<std::remove_cvref_t<T>>::text();
}
template <class T>
struct WordsFor {
  static std::string text() {
    if constexpr (std::is_same_v<T, bool>)
      return "bool";
    else if constexpr (std::is_integral_v<T>)
      return "int";
    else if constexpr (std::is_same_v<T, double>)
      return "float";
    else if constexpr (std::is_enum_v<T>)
      return report::is_open<T> ? "str or int" : "str";
    else if constexpr (std::is_convertible_v<const T&, std::string_view>)
      return "str";
    else
      return report::about<T>.name;
  }
};
inline std::string or_none_in_words(const std::string& words) {
  return words.ends_with(" or None") ? words : words + " or None";
}
template <>
struct WordsFor<CulpritWait> {
  static std::string text() { return "CulpritWait or None"; }
};
template <class Tag>
struct WordsFor<Id<Tag>> {
  static std::string text() {
    if constexpr (std::is_same_v<Id<Tag>, CallPathId>)
      return "CallPath or None";
    else
      return std::string(TableOfId<Id<Tag>>::class_name) + " or None";
  }
};
template <class T>
struct WordsFor<report::OrNull<T>> {
  static std::string text() { return or_none_in_words(words_for<T>()); }
};
template <class T>
struct WordsFor<std::optional<T>> {
  static std::string text() { return or_none_in_words(words_for<T>()); }
};
template <class T>
struct WordsFor<report::Needed<T>> {
  static std::string text() {
    std::string words = words_for<T>();
    if (words.ends_with(" or None")) words.resize(words.size() - 8);
    return words;
  }
};
#define WAITSTATE_WORDS_OF_INNER(wrapper)                \
  template <class T>                                     \
  struct WordsFor<report::wrapper<T>> {                  \
    static std::string text() { return words_for<T>(); } \
  };
WAITSTATE_WORDS_OF_INNER(Derived)
WAITSTATE_WORDS_OF_INNER(OnlyIf)
WAITSTATE_WORDS_OF_INNER(Lines)
WAITSTATE_WORDS_OF_INNER(Sized)
#undef WAITSTATE_WORDS_OF_INNER
template <class L>
struct WordsFor<report::Table<L>> {
  static std::string text() {
    return std::string("Rows of ") +
           report::about<std::remove_const_t<typename std::remove_cvref_t<L>::value_type>>.name;
  }
};
template <class L, class N>
struct WordsFor<report::TableWithRest<L, N>> : WordsFor<report::Table<L>> {};
template <>
struct WordsFor<report::OneOf> {
  static std::string text() { return "str"; }
};
template <class T>
struct WordsFor<report::MetricReference<T>> {
  static std::string text() { return "Metric or None"; }
};
template <class T>
struct WordsFor<report::ContextReference<T>> {
  static std::string text() { return "WaitContext or None"; }
};
template <>
struct WordsFor<report::InstanceReference> {
  static std::string text() { return "SevereInstance or None"; }
};
template <class T>
struct WordsFor<std::vector<T>> {
  static std::string text() {
    if constexpr (std::is_same_v<T, report::NamedValue>)
      return "dict of str to str";
    else if constexpr (std::is_same_v<T, Ticks>)
      return "array of int";
    else if constexpr (has_class<T>)
      return std::string("Rows of ") + report::about<T>.name;
    else
      return "list of " + words_for<T>();
  }
};
template <class Tag, class T>
struct WordsFor<std::pair<Id<Tag>, T>> {
  static std::string text() {
    return "pair of " + words_for<report::Needed<Id<Tag>>>() + " and " + words_for<report::Needed<T>>();
  }
};
template <class M>
struct WordsFor<report::ByMetric<M>> {
  static std::string text() {
    return "dict of str to " +
           words_for<decltype(std::declval<typename std::remove_cvref_t<M>::value_type>().second)>();
  }
};
template <class S>
struct WordsFor<report::InstanceList<S>> {
  static std::string text() { return "Rows of SevereInstance"; }
};

/// A sentence of a field as Python says it, with its unit and type.
std::string field_doc(std::string sentence, report::Measure measure, const std::string& type);

// ---- equality, columns, text ----

/// A number, text, tuple or None: equal for equal fields.
template <class T>
py::object comparable(const T& v) {
  if constexpr (std::is_same_v<T, bool>) {
    return py::bool_(v);
  } else if constexpr (std::is_integral_v<T>) {
    return py::int_(v);
  } else if constexpr (std::is_same_v<T, double>) {
    return py::float_(v);
  } else if constexpr (std::is_enum_v<T>) {
    return py::int_(static_cast<int>(v));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return to_str(v);
  } else if constexpr (requires {
                         v.valid();
                         v.index();
                       }) {
    return py::int_(v.value);
  } else if constexpr (requires {
                         v.none;
                         v.value;
                       }) {
    return comparable(v.value);
  } else if constexpr (requires { v.has_value(); }) {
    return v ? comparable(*v) : py::none();
  } else if constexpr (requires { v.table.list; }) {
    return comparable(v.table.list);
  } else if constexpr (requires { v.list; }) {
    return comparable(v.list);
  } else if constexpr (requires { v.map; }) {
    return comparable(v.map);
  } else if constexpr (requires { v.severe; } && !has_class<T>) {
    py::list all;
    for (const auto& [callpath, instances] : v.severe)
      for (const SevereInstance& instance : instances)
        all.append(comparable(report::InstanceEntry<const SevereInstance>{callpath, instance}));
    return py::tuple(all);
  } else if constexpr (requires { v.number; } && !has_class<T>) {
    return py::int_(v.number);
  } else if constexpr (requires {
                         v.instance;
                         v.metric;
                       } &&
                       !has_class<T>) {
    return v.instance == nullptr
               ? py::none()
               : comparable(report::InstanceEntry<const SevereInstance>{v.instance->longest.callpath, *v.instance});
  } else if constexpr (has_class<T>) {
    py::list all;
    report::for_each_field(
        v, [&](std::string_view, const auto& member, report::Measure, const char*) { all.append(comparable(member)); });
    return py::tuple(all);
  } else if constexpr (requires {
                         v.begin();
                         v.end();
                       }) {
    py::list all;
    for (const auto& element : v) all.append(comparable(element));
    return py::tuple(all);
  } else if constexpr (requires {
                         v.first;
                         v.second;
                       }) {
    return py::make_tuple(comparable(v.first), comparable(v.second));
  } else if constexpr (requires { v.value; }) {
    return comparable(v.value);
  } else {
    return py::int_(v.index);  // a reference to a metric
  }
}

/// The numbers and texts of a table by the names of its fields: arrays, and lists of texts.
class ColumnMaker {
 public:
  explicit ColumnMaker(std::size_t rows) : rows_(static_cast<py::ssize_t>(rows)) {}

  /// Begins a column for members of that type; -1 and NaN stand for None.
  template <class T>
  void begin(std::string name, const T& v) {
    if constexpr (std::is_enum_v<T>)
      columns_.push_back({std::move(name), py::list(), nullptr});
    else if constexpr (std::is_same_v<decltype(number(v)), double>)
      columns_.push_back(array<double>(std::move(name)));
    else if constexpr (std::is_same_v<decltype(number(v)), std::int64_t>)
      columns_.push_back(array<std::int64_t>(std::move(name)));
    else
      columns_.push_back({"", py::none(), nullptr});
  }
  template <class T>
  void put(std::size_t row, std::size_t column, const T& v) {
    const Column& c = columns_[column];
    if constexpr (std::is_enum_v<T>)
      py::list(c.object).append(to_str(report::enum_text(v)));
    else if constexpr (!std::is_same_v<decltype(number(v)), NoNumber>)
      static_cast<decltype(number(v))*>(c.data)[row] = number(v);
  }
  py::dict finish() const {
    py::dict all;
    for (const Column& c : columns_)
      if (!c.name.empty()) all[c.name.c_str()] = c.object;
    return all;
  }

 private:
  struct NoNumber {};
  struct Column {
    std::string name;
    py::object object;
    void* data;
  };
  template <class N>
  Column array(std::string name) const {
    py::array_t<N> made(rows_);
    void* const data = made.mutable_data();
    return {std::move(name), std::move(made), data};
  }

  template <class T>
  static auto number(const T& v) {
    if constexpr (std::is_same_v<T, double>)
      return v;
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return static_cast<std::int64_t>(v);
    else
      return NoNumber{};
  }
  template <class Tag>
  static std::int64_t number(const Id<Tag>& id) {
    return id.valid() ? static_cast<std::int64_t>(id.value) : -1;
  }
  template <class T>
  static auto number(const report::Needed<T>& v) {
    return number(v.value);
  }
  template <class T>
  static auto number(const report::OnlyIf<T>& v) {
    return number(v.value);
  }
  template <class T>
  requires std::is_integral_v<T>
  static std::int64_t number(const report::OrNull<const T>& v) {
    return v.value == v.none ? -1 : static_cast<std::int64_t>(v.value);
  }
  template <class T>
  static double number(const report::Derived<std::optional<T>>& v) {
    return v.value ? static_cast<double>(*v.value) : std::numeric_limits<double>::quiet_NaN();
  }

  py::ssize_t rows_;
  std::vector<Column> columns_;
};

template <class S>
py::dict columns_of(const std::function<const S&(std::size_t)>& element, std::size_t size) {
  ColumnMaker maker(size);
  report::for_each_field(report::Sample<S>::object(),
                         [&](std::string_view name, const auto& member, report::Measure measure, const char*) {
                           maker.begin(report::python_name(name, measure), member);
                         });
  for (std::size_t row = 0; row < size; ++row) {
    std::size_t column = 0;
    report::for_each_field(element(row), [&](std::string_view, const auto& member, report::Measure, const char*) {
      maker.put(row, column++, member);
    });
  }
  return maker.finish();
}

/// `value` in a repr(): large values are only named.
std::string short_repr(const py::handle& value);

/// Throws the error that says why an object cannot be pickled by itself.
std::string part_of_result(const char* class_name);

/// Adds a class with the fields of S to the module.
template <class S>
py::class_<Bound<S>> bind_fields(py::module_& module) {
  const char* const class_name = report::about<S>.name;
  py::class_<Bound<S>> c(module, class_name, field_doc(report::about<S>.sentence, report::Measure::none, "").c_str());
  std::size_t number = 0;
  report::for_each_field(report::Sample<S>::object(), [&]<class T>(std::string_view name, const T&,
                                                                   report::Measure measure, const char* sentence) {
    c.def_property_readonly(
        report::python_name(name, measure).c_str(),
        [number](const Bound<S>& self) { return field_object(self, number); },
        field_doc(sentence, measure, words_for<T>()).c_str());
    ++number;
    if constexpr (requires(const T& v) { v.left_out; })
      c.def_property_readonly(
          (std::string(name) + "_left_out").c_str(),
          [number = number - 1](const Bound<S>& self) {
            std::size_t i = 0;
            std::uint64_t left_out = 0;
            report::for_each_field(*self.value,
                                   [&]<class M>(std::string_view, const M& member, report::Measure, const char*) {
                                     if constexpr (requires { member.left_out; })
                                       if (i == number) left_out = member.left_out;
                                     ++i;
                                   });
            return left_out;
          },
          ("The number of elements that `" + std::string(name) + "` leaves out. Count: int.").c_str());
  });
  c.def("__repr__", [class_name](const Bound<S>& self) {
    if constexpr (std::is_same_v<S, MetricInfo>) return "<Metric " + self.value->id + '>';
    std::string text = std::string("<") + class_name;
    std::size_t i = 0;
    report::for_each_field(*self.value, [&](std::string_view name, const auto&, report::Measure measure, const char*) {
      text += ' ' + report::python_name(name, measure) + '=' + short_repr(field_object(self, i++));
    });
    return text + '>';
  });
  c.def("__eq__", [](const Bound<S>& self, const py::object& other) -> py::object {
    if (!py::isinstance<Bound<S>>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    const auto& o = other.cast<const Bound<S>&>();
    if (self.value == o.value) return py::bool_(true);
    if constexpr (std::is_same_v<S, MetricInfo>)  // no two metrics of a result are equal
      if (self.owner.result == o.owner.result) return py::bool_(false);
    return py::bool_(comparable(*self.value).equal(comparable(*o.value)));
  });
  c.def("__reduce__",
        [class_name](const Bound<S>&) -> py::object { throw py::type_error(part_of_result(class_name)); });
  c.def("__hash__", [](const Bound<S>& self) { return py::hash(comparable(*self.value)); });
  return c;
}

}  // namespace waitstate::python
