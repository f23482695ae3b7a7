// Appends values to a text in the notation: the opposite of value_reader.hpp, one overload for every type. Numbers go
// through std::to_chars, several times faster than format strings, because printing is limited by it.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

template <class T>
requires std::is_integral_v<T>
void append_number(std::string& out, T value, int base = 10) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  out.append(digits, end);
}

inline void append_hex(std::string& out, std::uint64_t value) {
  out += "0x";
  append_number(out, value, 16);
}

/// Appends a plain word without quotes, anything else in quotes.
void append_text(std::string& out, std::string_view text);
/// Like append_text(), but quotes the text `none`, which without quotes means no text.
void append_string(std::string& out, std::uint64_t id, const Definitions& d);
/// Appends the index, or `none`.
void append_reference(std::string& out, std::uint64_t id);
void append_double(std::string& out, std::uint64_t bits);
void append_value(std::string& out, const Value& value, const Definitions& d);

template <class E>
void append_enumerator(std::string& out, E value) {
  if (const std::string_view name = enum_name(value); !name.empty())
    out += name;
  else
    append_number(out, static_cast<unsigned>(value));
}

template <class T>
requires std::is_integral_v<T>
void append(std::string& out, T value, const Definitions&) { append_number(out, value); }
inline void append(std::string& out, bool value, const Definitions&) { out += value ? "true" : "false"; }
inline void append(std::string& out, const std::string& value, const Definitions&) { append_text(out, value); }
inline void append(std::string& out, const Value& value, const Definitions& d) { append_value(out, value, d); }
template <class Tag>
void append(std::string& out, Id<Tag> value, const Definitions&) {
  append_reference(out, value.value);
}
template <class E>
requires std::is_enum_v<E>
void append(std::string& out, E value, const Definitions&) { append_enumerator(out, value); }
inline void append(std::string& out, const Property& value, const Definitions& d) {
  append_text(out, value.name);
  out += '=';
  append_value(out, value.value, d);
}
inline void append(std::string& out, const std::pair<std::string, std::string>& value, const Definitions&) {
  append_text(out, value.first);
  out += '=';
  append_text(out, value.second);
}
template <class T>
void append(std::string& out, const std::vector<T>& values, const Definitions& d) {
  out += '(';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    append(out, values[i], d);
  }
  out += ')';
}

}  // namespace waitstate::notation
