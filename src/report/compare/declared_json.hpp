// The JSON of a comparison or of verdicts, from their declared fields (report/fields/field.hpp).
//
// A report is written straight into its stream (report/json), since it may have millions of rows; these documents have
// thousands at most, so they are built as a whole. Cost: a copy of each name and text.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "report/fields/field.hpp"
#include "util/text.hpp"

namespace waitstate::report {

/// Writes a document whose fields are declared, indented by one space.
template <class Document>
void write_declared_json(const Document& document, std::ostream& out);

namespace declared {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const T& v);
template <class T>
Json json_of(const std::optional<T>& v);
template <class T>
Json json_of(const std::vector<T>& list);
template <class T>
Json json_of(const std::map<std::string, T>& map);
template <class T>
Json json_of(const OrNull<T>& v) {
  return v.value == v.none ? Json() : json_of(v.value);
}
template <class T>
Json json_of(const Needed<T>& v) {
  return json_of(v.value);
}
template <class T>
Json json_of(const Derived<T>& v) {
  return json_of(v.value);
}
template <class T>
Json json_of(const Sized<T>& v) {
  return json_of(v.list);
}
template <class T>
Json json_of(const OnlyIf<T>& v) {
  return json_of(v.value);
}
inline Json json_of(const OneOf& v) { return v.value; }
inline Json json_of(const Constant& v) { return v.value; }

template <class T>
bool is_missing(const T&) {
  return false;
}
template <class T>
bool is_missing(const std::optional<T>& v) {
  return !v.has_value();
}
template <class T>
bool is_missing(const OnlyIf<T>& v) {
  return !v.present;
}

template <class T>
Json json_of(const T& v) {
  if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<const T&, std::string_view>) {
    return v;
  } else {
    Json object = Json::object();
    fields(v, [&](std::string_view name, const auto& member, Measure, const char*) {
      if (!is_missing(member)) object[std::string(name)] = json_of(member);
    });
    return object;
  }
}
template <class T>
Json json_of(const std::optional<T>& v) {
  return v ? json_of(*v) : Json();
}
template <class T>
Json json_of(const std::vector<T>& list) {
  Json array = Json::array();
  for (const T& element : list) array.push_back(json_of(element));
  return array;
}
template <class T>
Json json_of(const std::map<std::string, T>& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) object[name] = json_of(value);
  return object;
}

}  // namespace declared

template <class Document>
void write_declared_json(const Document& document, std::ostream& out) {
  const std::string text = declared::json_of(document).dump(1, ' ', false, declared::Json::error_handler_t::replace);
  out << util::printable_json(text) << '\n';
}

}  // namespace waitstate::report
