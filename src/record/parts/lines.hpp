// Lines of text: a word and fields, separated by tabs. Tabs, line feeds and backslashes in a field are escaped.
//
// The recorder writes such lines about a process (line_kinds.hpp), and `waitstate mpit` about an MPI. Functions named
// append_field() write one field; those named read_field() read it and return false if its text is something else.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace waitstate::record {

inline constexpr std::size_t longest_line = 1 << 20;

using Numbers = std::vector<std::uint64_t>;

/// Numbers as "0,1,2".
std::string list_of(const Numbers& numbers);

inline void append_field(std::string& line, std::string_view text) {
  if (!line.empty()) line += '\t';
  for (const char c : text) {
    if (c == '\t')
      line += "\\t";
    else if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
}
void append_field(std::string& line, std::integral auto number) { append_field(line, std::to_string(number)); }
inline void append_field(std::string& line, const Numbers& numbers) { append_field(line, list_of(numbers)); }
/// A number that is missing is an empty field.
template <std::integral Number>
void append_field(std::string& line, const std::optional<Number>& number) {
  append_field(line, number ? std::to_string(*number) : std::string());
}

inline bool read_field(std::string&& text, std::string& to) {
  to = std::move(text);
  return true;
}
template <std::integral Number>
bool read_field(std::string_view text, Number& to) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, to);
  return error == std::errc{} && end == last;
}
bool read_field(std::string_view text, Numbers& to);
template <std::integral Number>
bool read_field(std::string_view text, std::optional<Number>& to) {
  to.reset();
  return text.empty() || read_field(text, to.emplace());
}

/// "word TAB field TAB field" without the line feed.
template <class... Fields>
std::string line_of(std::string_view word, const Fields&... fields) {
  std::string line(word);
  (append_field(line, fields), ...);
  return line;
}

/// The word and the fields of a line, unescaped.
std::vector<std::string> fields_of(std::string_view line);

}  // namespace waitstate::record
