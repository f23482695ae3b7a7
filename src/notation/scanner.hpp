// Reads one line of the notation from left to right and says precisely where it goes wrong:
//
//     notation:3: unknown event type "sned": did you mean "send"?
//       0 110 sned dest=1
//             ^
//
// A Scanner borrows the line and the path; both outlive it. Every function that reads throws TraceError if it does not
// find what it expects; `what` names the expected thing in that message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace waitstate::notation {

// Classes of the characters that words of the notation consist of; ASCII only, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Characters of keywords, event types, attributes and fields.
constexpr bool is_identifier_char(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
/// Characters of texts that need no quotes; the first must not be a digit.
constexpr bool is_word_char(char c) {
  return is_identifier_char(c) || c == '!' || c == '$' || c == '.' || c == ':' || c == '/' || c == '+' || c == '-';
}
/// Characters that end a word, a number or an enumerator.
constexpr bool is_separator(char c) { return is_blank(c) || c == ',' || c == '(' || c == ')' || c == '=' || c == '"'; }

/// True if `text` may stand without quotes.
constexpr bool is_plain_word(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return false;
  for (const char c : text)
    if (!is_word_char(c)) return false;
  return true;
}

/// A position in a notation text, for messages that can only be given later.
struct TextPlace {
  std::string_view line;
  std::size_t number = 0;  ///< line number, from 1
  std::size_t column = 0;  ///< byte in the line, from 0
};

/// Throws TraceError: path, line number, message, the line, and a caret under the column. Of a long line it shows the
/// part around the column.
[[noreturn]] void fail(const std::string& path, const TextPlace& place, const std::string& message);

/// Puts `word` in quotes.
std::string quoted(std::string_view word);
/// Returns ": did you mean "…"?", or ": expected a, b or c" with `expected` or, without it, the known names themselves.
std::string advice(std::string_view word, std::span<const std::string_view> known, std::string_view expected = {});

class Scanner {
 public:
  Scanner(const std::string& path, std::string_view line, std::size_t number)
      : path_(&path), line_(line), number_(number) {}

  /// Skips blanks; true if nothing but a comment follows (`#`, but not the `#3` that names a region).
  bool at_end();
  void skip_blanks();
  /// The next character, 0 at the end of the line.
  char peek() const { return column_ < line_.size() ? line_[column_] : '\0'; }
  std::size_t column() const { return column_; }
  void go_back(std::size_t column) { column_ = column; }

  /// Skips `c` if it is the next character.
  bool accept(char c);
  /// Skips `c`, which must be the next character.
  void expect(char c, std::string_view what);
  /// Skips blanks; there must be one unless the line ends here.
  void expect_blank(std::string_view after);
  /// Reads letters, digits and _; empty if there are none.
  std::string_view identifier();
  /// Reads everything up to the next separator; may be empty.
  std::string_view token();
  /// Skips the token if it is `word`.
  bool accept_word(std::string_view word);

  /// Reads a decimal number, or a hexadecimal one behind 0x.
  std::uint64_t number(std::string_view what, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
  std::int64_t signed_number(std::string_view what, std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                             std::int64_t max = std::numeric_limits<std::int64_t>::max());
  /// Reads the bits of a double: decimal, hexadecimal behind 0x, inf, nan, or any nan by its bits, e.g.
  /// nan0x7ff8000000000001.
  std::uint64_t double_bits(std::string_view what);
  /// Reads a plain word, or anything in quotes.
  std::string text(std::string_view what);

  /// Describes the token at the column for messages: a word in quotes, or "the end of the line".
  std::string found();
  TextPlace place(std::size_t column) const { return {line_, number_, column}; }
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    notation::fail(*path_, place(column), message);
  }

 private:
  const std::string* path_;
  std::string_view line_;
  std::size_t number_;
  std::size_t column_ = 0;
};

}  // namespace waitstate::notation
