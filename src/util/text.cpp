#include "util/text.hpp"

#include <cstdio>

#include "util/utf8.hpp"

namespace waitstate::util {

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int i = static_cast<int>(text.size()) - 3; i > first; i -= 3) text.insert(static_cast<std::size_t>(i), 1, ',');
  return text;
}

std::string count(std::int64_t number, const char* one, const char* many) {
  return grouped(number) + ' ' + (number == 1 ? one : many);
}

namespace {

constexpr std::string_view no_character = "\xef\xbf\xbd";  // U+FFFD, which replaces bytes that were not UTF-8

bool plain(char c) { return c >= 0x20 && c < 0x7f; }

/// Calls other(rest) at each place that must not be shown as it is; `other` appends to the result and returns the
/// length that it replaces.
template <class Other>
std::string cleaned(std::string_view text, Other&& other) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::size_t n = 0;
    while (n < text.size() && plain(text[n])) ++n;
    if (n == 0 && !text.starts_with(no_character)) n = shown_length(text);
    if (n != 0)
      result += text.substr(0, n);
    else
      n = other(text, result);
    text.remove_prefix(n);
  }
  return result;
}

std::size_t question_mark(std::string_view rest, std::string& result) {
  result += '?';
  const std::size_t n = sequence_length(rest);
  return n != 0 ? n : invalid_length(rest);
}

/// Length of a colour sequence at the start: bold, yellow, red, or reset.
std::size_t colour_length(std::string_view rest) {
  for (const std::string_view colour : {"\x1b[0m", "\x1b[1m", "\x1b[33m", "\x1b[31;1m"})
    if (rest.starts_with(colour)) return colour.size();
  return 0;
}

}  // namespace

std::string printable(std::string_view text) { return cleaned(text, question_mark); }

std::string printable_lines(std::string_view text) {
  return cleaned(text, [](std::string_view rest, std::string& result) {
    const std::size_t n = rest[0] == '\n' || rest[0] == '\t' ? 1 : colour_length(rest);
    if (n == 0) return question_mark(rest, result);
    result += rest.substr(0, n);
    return n;
  });
}

std::string printable_json(std::string_view valid) {
  return cleaned(valid, [](std::string_view rest, std::string& result) -> std::size_t {
    if (rest[0] == '\n' || rest[0] == '\t' || rest[0] == '\r') return result += rest[0], 1;
    const std::size_t n = sequence_length(rest);
    if (n == 0) return question_mark(rest, result);
    if (rest.starts_with(no_character)) return result += no_character, n;
    char text[8];  // all of these characters are at most U+FFFF
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(code_point(rest) & 0xffff));
    result += text;
    return n;
  });
}

}  // namespace waitstate::util
