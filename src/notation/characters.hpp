// Which characters the notation's words are made of; ASCII only, whatever the locale.
#pragma once

#include <string_view>

namespace waitstate::notation {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Of keywords, event types, attributes and fields.
constexpr bool is_identifier_char(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
/// Of texts that need no quotes, for which the first must not be a digit.
constexpr bool is_word_char(char c) {
  return is_identifier_char(c) || c == '!' || c == '$' || c == '.' || c == ':' || c == '/' || c == '+' || c == '-';
}
/// Ends a word, a number or an enumerator.
constexpr bool is_separator(char c) { return is_blank(c) || c == ',' || c == '(' || c == ')' || c == '=' || c == '"'; }

/// True if `text` may stand without quotes.
constexpr bool is_plain_word(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return false;
  for (const char c : text)
    if (!is_word_char(c)) return false;
  return true;
}

}  // namespace waitstate::notation
