// How the fields of a result are declared: once, for everything that shows them or reads them.
//
//   template <> inline constexpr About about<DurationClass>{"DurationClass", "Waits of similar length."};
//   template <class F> void fields(Is<DurationClass> auto& c, F&& f) {
//     f("from", c.from, Measure::ticks, "The shortest wait of the class.");
//     …
//   }
//
// fields(object, f) calls f(name, member, measure, sentence) for each member. The JSON writer and reader, the Python
// classes, and the programs that write report.schema.json and the types of the page go through these lists. So a new
// field is declared in one row, and what is written is what is read, under the same name and in the same order.
//
// A member is given as itself, or in one of the wrappers below where its type does not say all: that null stands for a
// value, that a list is a table, that a number is computed and never read. Objects that only reports have (a wait with
// the call path that it is kept under) are small structs of references; fields() takes them as well.
//
// The name is that of JSON. Python derives its own name from it: see python_name(). Cost: none, all of it is inlined.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::report {

/// The quantity that a number measures.
enum class Measure : std::uint8_t {
  none,   ///< it is no measure: a name, a reference, an object
  time,   ///< a time stamp, in ticks of the trace's clock
  ticks,  ///< a length of time, in ticks of the trace's clock
  bytes,
  count,
  share,  ///< 0 to 1
};

/// The name of an object in Python, in the schema and in the types of the page, and a sentence about it.
struct About {
  const char* name = "";
  const char* sentence = "";
};
template <class S>
inline constexpr About about{};

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

/// An object whose fields can be asked for where there is no other one. Objects of references have one of their own.
template <class S>
struct Sample {
  static const S& object() {
    static const S made{};
    return made;
  }
};

/// Calls f as fields() does, for callers in other namespaces.
template <class S, class F>
void for_each_field(S& object, F&& f) {
  fields(object, [&]<class T>(std::string_view name, T&& member, Measure measure, const char* sentence) {
    f(name, std::forward<T>(member), measure, sentence);
  });
}

/// The name in Python: a length says its unit, and the two ends of a time are `begin` and `end`, since `from` is a
/// word of the language.
inline std::string python_name(std::string_view name, Measure measure) {
  std::string plain(name);
  if (measure == Measure::time && name == "from") return "begin";
  if (measure == Measure::time && name == "to") return "end";
  if (measure == Measure::ticks && name.find("ticks") == name.npos) return plain + "_ticks";
  if (measure == Measure::bytes && name.find("bytes") == name.npos) return plain + "_bytes";
  return plain;
}

/// The names of all fields, in order.
template <class S>
const std::vector<std::string_view>& field_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    fields(Sample<S>::object(), [&](std::string_view name, const auto&, Measure, const char*) { all.push_back(name); });
    return all;
  }();
  return names;
}

// ---- wrappers of members ----

/// A value of which one stands for "unknown" or "none": null in JSON, None in Python.
template <class T>
struct OrNull {
  T& value;
  std::remove_const_t<T> none;
};
template <class T>
OrNull<T> or_null(T& value, std::type_identity_t<std::remove_const_t<T>> none) {
  return {value, none};
}
inline constexpr std::uint64_t all_ones = ~std::uint64_t{0};

/// An id, or a list of ids, that always refers to something; other ids may be none.
template <class T>
struct Needed {
  T value;  ///< a reference, or a list of its own
};
template <class T>
Needed<T> needed(T&& value) {
  return {std::forward<T>(value)};
}

/// A list with a smallest and a largest length.
template <class L>
struct Sized {
  L list;  ///< a reference, or another wrapper
  std::size_t least, most;
};
template <class L>
Sized<L> sized(L&& list, std::size_t least, std::size_t most) {
  return {std::forward<L>(list), least, most};
}

/// A member that is missing in JSON unless it is present; in Python it is there, and empty. An std::optional needs no
/// wrapper: it is missing in JSON, or None in Python, if it has no value.
template <class T>
struct OnlyIf {
  T value;  ///< a reference, or another wrapper
  bool present;
};
template <class T>
OnlyIf<T> only_if(bool present, T&& value) {
  return {std::forward<T>(value), present};
}

/// A value that is computed from others: the reader passes over it. In it, an std::optional without a value is null.
template <class T>
struct Derived {
  T value;
};
template <class T>
Derived<T> derived(T&& value) {
  return {std::forward<T>(value)};
}

template <class T>
inline constexpr bool is_derived = false;
template <class T>
inline constexpr bool is_derived<Derived<T>> = true;
template <class T>
inline constexpr bool may_be_missing = false;
template <class T>
inline constexpr bool may_be_missing<OnlyIf<T>> = true;
template <class T>
inline constexpr bool may_be_missing<std::optional<T>> = true;

/// A list, each element on a line of its own.
template <class L>
struct Lines {
  L list;                   ///< a reference, or another wrapper
  bool begins_line = true;  ///< the list's name begins a line, too
};
template <class L>
Lines<L> lines(L&& list) {
  return {std::forward<L>(list)};
}
/// The list's name stands behind the member before it.
template <class L>
Lines<L> lines_behind(L&& list) {
  return {std::forward<L>(list), false};
}

/// A list as {"columns": […], "rows": [[…], …]}, each row on a line of its own.
template <class L>
struct Table {
  L list;                ///< a reference, or a list of its own
  std::size_t most = 0;  ///< rows; 0: any number
};
template <class L>
Table<L> table(L&& list, std::size_t most = 0) {
  return {std::forward<L>(list), most};
}
/// Such a list that says how many more elements there are: {"columns": …, "rows": …, "left_out": …}.
template <class L, class N>
struct TableWithRest {
  Table<L> table;
  N& left_out;
};
template <class L, class N>
TableWithRest<L, N> table_with_rest(L&& list, N& left_out, std::size_t most = 0) {
  return {{std::forward<L>(list), most}, left_out};
}

/// A map from metrics: an object by their ids.
enum class MapLayout : std::uint8_t {
  inline_,   ///< all of it in one line
  lines,     ///< each entry on a line, indented
  sections,  ///< each entry on a line, not indented
};
template <class M>
struct ByMetric {
  M map;  ///< a reference, or a map of its own
  MapLayout layout;
};
template <class M>
ByMetric<M> by_metric(M&& map, MapLayout layout = MapLayout::inline_) {
  return {std::forward<M>(map), layout};
}

/// A reference to a metric: its id in JSON, its Metric in Python.
template <class T>
struct MetricReference {
  T& index;
};
template <class T>
MetricReference<T> metric_reference(T& index) {
  return {index};
}

/// A reference to an element of AnalysisResult::contexts: its number in JSON, the object in Python.
template <class T>
struct ContextReference {
  T& number;
};
template <class T>
ContextReference<T> context_reference(T& number) {
  return {number};
}

/// A number that is the same in every document, such as the version of a format.
struct Constant {
  std::uint64_t value;
};

/// A text of a few known ones.
struct OneOf {
  std::string_view value;
  std::span<const std::string_view> known;
};

/// A text that matches a regular expression, or null where it is empty.
struct Matching {
  std::string value;
  const char* pattern;
  bool or_null = false;
};

}  // namespace waitstate::report
