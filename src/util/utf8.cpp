#include "util/utf8.hpp"

namespace waitstate::util {
namespace {

struct Decoded {
  std::size_t length = 0;  ///< 0 if there is none
  char32_t code = 0;
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {text.empty() ? std::size_t{0} : 1, first};
  const std::size_t length = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return {};
  char32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[length] || code > 0x10ffff || surrogate) return {};
  return {length, code};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Whether the character changes the direction or the line of the text around it.
bool rearranges(char32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::size_t character_length(std::string_view text) {
  const auto [length, code] = decode(text);
  return is_control(code) || code == 0xfffe || code == 0xffff ? 0 : length;
}

std::size_t shown_length(std::string_view text) {
  const auto [length, code] = decode(text);
  return rearranges(code) ? 0 : character_length(text);
}

std::size_t sequence_length(std::string_view text) { return decode(text).length; }

std::size_t invalid_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0xc2 || first > 0xf4) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  // Overlong forms, surrogates and anything beyond U+10FFFF are invalid from their second byte on.
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char greatest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > greatest) return 1;
  std::size_t n = 2;
  while (n < length && (byte(n) & 0xc0) == 0x80) ++n;
  return n;
}

std::uint32_t code_point(std::string_view text) { return decode(text).code; }

std::string xml_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = character_length(text);
    if (length != 0) {
      result += text.substr(0, length);
    } else {
      const char c = text.front();
      result += c == '\t' || c == '\n' || c == '\r' ? " " : "\xef\xbf\xbd";
      length = 1;
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace waitstate::util
