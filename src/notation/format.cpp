// Writes texts, doubles and typed values such that reading returns the same bits.
#include "notation/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "notation/scanner.hpp"
#include "notation/tables.hpp"
#include "util/utf8.hpp"

namespace waitstate::notation {
namespace {

constexpr std::uint64_t plain_nan = 0x7ff8000000000000;  // the bits that reading "nan" returns

void append_quoted(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const char c = text[0];
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t shown = util::shown_length(text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (shown == 0) {  // byte by byte, for the text need not be UTF-8
      out += "\\x";
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += text.substr(0, shown);
    }
    text.remove_prefix(std::max<std::size_t>(shown, 1));
  }
  out += '"';
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
  if (is_plain_word(text))
    out += text;
  else
    append_quoted(out, text);
}

void append_string(std::string& out, std::uint64_t id, const Definitions& d) {
  if (id >= d.strings.size())
    out += "none";
  else if (d.strings[id] == "none")
    append_quoted(out, "none");
  else
    append_text(out, d.strings[id]);
}

void append_reference(std::string& out, std::uint64_t id) {
  if (id == RegionId::none_value)
    out += "none";
  else
    append_number(out, id);
}

void append_double(std::string& out, std::uint64_t bits) {
  const double value = std::bit_cast<double>(bits);
  if (std::isnan(value)) {
    out += "nan";
    if (bits != plain_nan) append_hex(out, bits);
    return;
  }
  if (std::signbit(value)) out += '-';
  if (std::isinf(value)) {
    out += "inf";
    return;
  }
  char digits[32];
  out += "0x";
  out.append(digits, std::to_chars(digits, digits + sizeof digits, std::fabs(value), std::chars_format::hex).ptr);
}

void append_value(std::string& out, const Value& value, const Definitions& d) {
  append_enumerator(out, value.type);
  if (value.type == ValueType::none && value.bits == 0) return;
  out += ':';
  switch (value.type) {
    case ValueType::int8:
    case ValueType::int16:
    case ValueType::int32:
    case ValueType::int64:
      return append_number(out, static_cast<std::int64_t>(value.bits));
    case ValueType::float_:
    case ValueType::double_:
      return append_double(out, value.bits);
    case ValueType::string:
      return append_string(out, value.bits, d);
    default:
      if (table_of(value.type))
        append_reference(out, value.bits);
      else
        append_number(out, value.bits);
  }
}

}  // namespace waitstate::notation
