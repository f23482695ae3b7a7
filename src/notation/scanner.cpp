// Reads the tokens of a notation line. Numbers go through std::from_chars: exact, and the same in every locale.
#include "notation/scanner.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::notation {
namespace {

constexpr std::size_t shown_before = 100, shown_after = 60;  // bytes of a long line around the column

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool has_hex_prefix(std::string_view s) { return s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'); }

template <class T, class... Format>
std::errc parse(std::string_view digits, T& value, Format... format) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, format...);
  if (error != std::errc{}) return error;
  return end == digits.data() + digits.size() ? std::errc{} : std::errc::invalid_argument;
}

}  // namespace

void fail(const std::string& path, const TextPlace& place, const std::string& message) {
  std::size_t begin = place.column > shown_before ? place.column - shown_before : 0;
  std::size_t end = std::min(place.line.size(), place.column + shown_after);
  while (begin > 0 && is_continuation_byte(place.line[begin])) --begin;
  while (end < place.line.size() && is_continuation_byte(place.line[end])) ++end;
  std::string line = begin > 0 ? "…" : "", caret(begin > 0 ? 1 : 0, ' ');
  for (std::size_t i = begin; i < end; ++i) {
    const char c = place.line[i];
    line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;  // a tab would shift the caret
    if (i < place.column && !is_continuation_byte(c)) caret += ' ';
  }
  if (end < place.line.size()) line += "…";
  while (!line.empty() && line.back() == ' ') line.pop_back();
  // In a message of several lines the path has to carry the line number, in the form that editors and terminals expect.
  throw TraceError(path + ":" + std::to_string(place.number), message + "\n  " + line + "\n  " + caret + "^");
}

std::string quoted(std::string_view word) { return "\"" + std::string(word) + "\""; }

std::string advice(std::string_view word, std::span<const std::string_view> known, std::string_view expected) {
  if (const std::string near = util::nearest(word, known); !near.empty())
    return ": did you mean " + notation::quoted(near) + "?";
  if (!expected.empty()) return ": expected " + std::string(expected);
  std::string result = ": expected ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i > 0) result += i + 1 < known.size() ? ", " : " or ";
    result += known[i];
  }
  return result;
}

void Scanner::skip_blanks() {
  while (column_ < line_.size() && is_blank(line_[column_])) ++column_;
}

bool Scanner::at_end() {
  skip_blanks();
  if (column_ == line_.size()) return true;
  return line_[column_] == '#' && !(column_ + 1 < line_.size() && is_digit(line_[column_ + 1]));
}

bool Scanner::accept(char c) {
  if (peek() != c || column_ == line_.size()) return false;
  ++column_;
  return true;
}

void Scanner::expect(char c, std::string_view what) {
  if (!accept(c)) {
    const std::size_t column = column_;
    fail(column, "expected " + notation::quoted({&c, 1}) + " " + std::string(what) + ", found " + found());
  }
}

void Scanner::expect_blank(std::string_view after) {
  const std::size_t begin = column_;
  if (begin < line_.size() && !is_blank(line_[begin]))
    fail(begin, "expected a blank after " + std::string(after) + ", found " + found());
  skip_blanks();
}

std::string_view Scanner::identifier() {
  const std::size_t begin = column_;
  while (column_ < line_.size() && is_identifier_char(line_[column_])) ++column_;
  return line_.substr(begin, column_ - begin);
}

std::string_view Scanner::token() {
  const std::size_t begin = column_;
  while (column_ < line_.size() && !is_separator(line_[column_])) ++column_;
  return line_.substr(begin, column_ - begin);
}

bool Scanner::accept_word(std::string_view word) {
  const std::size_t begin = column_;
  if (token() == word) return true;
  column_ = begin;
  return false;
}

std::uint64_t Scanner::number(std::string_view what, std::uint64_t max) {
  const std::size_t begin = column_;
  const std::string_view t = token();
  std::uint64_t value = 0;
  const std::errc error = has_hex_prefix(t) ? parse(t.substr(2), value, 16) : parse(t, value, 10);
  if (error == std::errc::result_out_of_range || (error == std::errc{} && value > max))
    fail(begin, std::string(t) + " is too large for " + std::string(what) + ": at most " + std::to_string(max));
  if (error != std::errc{}) {
    column_ = begin;
    fail(begin, "expected a number for " + std::string(what) + ", found " + found());
  }
  return value;
}

std::int64_t Scanner::signed_number(std::string_view what, std::int64_t min, std::int64_t max) {
  const std::size_t begin = column_;
  const std::string_view t = token();
  std::int64_t value = 0;
  const std::errc error = parse(t, value, 10);
  if (error == std::errc::result_out_of_range || (error == std::errc{} && (value < min || value > max)))
    fail(begin, std::string(t) + " is out of range for " + std::string(what) + ": expected " + std::to_string(min) +
                    " to " + std::to_string(max));
  if (error != std::errc{}) {
    column_ = begin;
    fail(begin, "expected a number for " + std::string(what) + ", found " + found());
  }
  return value;
}

std::uint64_t Scanner::double_bits(std::string_view what) {
  const std::size_t begin = column_;
  std::string_view t = token();
  const bool negative = t.starts_with('-');
  if (negative) t.remove_prefix(1);
  double value = 0;
  std::errc error{};
  if (t.starts_with("nan0x")) {
    std::uint64_t bits = 0;
    error = parse(t.substr(5), bits, 16);
    value = std::bit_cast<double>(bits);
    if (error == std::errc{} && !negative && value != value) return bits;
    error = std::errc::invalid_argument;
  } else if (has_hex_prefix(t) && t[2] != '-') {
    error = parse(t.substr(2), value, std::chars_format::hex);
  } else {
    error = parse(t, value, std::chars_format::general);
  }
  if (error == std::errc::result_out_of_range)
    fail(begin, std::string(t) + " does not fit into a double: write inf, 0 or a number that does");
  if (error != std::errc{} || t.starts_with('-')) {
    column_ = begin;
    fail(begin, "expected a number for " + std::string(what) + ", found " + found());
  }
  return std::bit_cast<std::uint64_t>(negative ? -value : value);
}

std::string Scanner::text(std::string_view what) {
  const std::size_t begin = column_;
  if (!accept('"')) {
    if (!is_word_char(peek()) || is_digit(peek()))
      fail(begin, "expected a text for " + std::string(what) + ", found " + found() +
                      ": a text that is not a plain word needs quotes");
    while (is_word_char(peek())) ++column_;
    if (column_ < line_.size() && !is_separator(peek()))
      fail(column_,
           notation::quoted(line_.substr(column_, 1)) + " cannot stand in a plain word: put the text in quotes");
    return std::string(line_.substr(begin, column_ - begin));
  }
  std::string result;
  while (column_ < line_.size()) {
    const char c = line_[column_++];
    if (c == '"') {
      if (column_ < line_.size() && !is_separator(peek()))
        fail(column_, "expected a blank after the quoted text, found " + found());
      return result;
    }
    if (c != '\\') {
      result += c;
      continue;
    }
    const char escaped = peek();
    ++column_;
    unsigned byte = 0;
    switch (escaped) {
      case '"':
      case '\\':
        result += escaped;
        break;
      case 'n':
        result += '\n';
        break;
      case 't':
        result += '\t';
        break;
      case 'x':
        if (parse(line_.substr(std::min(column_, line_.size()), 2), byte, 16) == std::errc{} &&
            column_ + 1 < line_.size()) {
          result += static_cast<char>(byte);
          column_ += 2;
          break;
        }
        [[fallthrough]];
      default:
        fail(column_ - 2, R"(unknown escape in a text: expected \", \\, \n, \t or \x and two hexadecimal digits)");
    }
  }
  fail(begin, "the quoted text is not closed: expected another \" on this line");
}

std::string Scanner::found() {
  if (at_end()) return "the end of the line";
  const std::size_t begin = column_;
  std::string_view word = token();
  if (word.empty()) word = line_.substr(begin, 1);
  column_ = begin;
  return notation::quoted(word);
}

}  // namespace waitstate::notation
