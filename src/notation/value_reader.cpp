// Reads the values whose types need no templates: references, typed values, properties.
#include "notation/value_reader.hpp"

namespace waitstate::notation {
namespace {

constexpr std::uint64_t largest_index = RegionId::none_value - 1;

constexpr bool is_signed_integer(ValueType t) { return t >= ValueType::int8 && t <= ValueType::int64; }
constexpr bool is_unsigned_integer(ValueType t) { return t >= ValueType::uint8 && t <= ValueType::uint64; }

// Bits of an integer type: the types of a kind follow each other in order of size.
constexpr int width(ValueType t) {
  const ValueType first = is_signed_integer(t) ? ValueType::int8 : ValueType::uint8;
  return 8 << (static_cast<int>(t) - static_cast<int>(first));
}

}  // namespace

void ValueReader::read(Scanner& s, std::string_view what, bool& value) {
  const std::size_t column = s.column();
  value = s.accept_word("true");
  if (!value && !s.accept_word("false"))
    s.fail(column, "expected true or false for " + std::string(what) + ", found " + s.found());
}

void ValueReader::read(Scanner& s, std::string_view what, Value& value) {
  const std::size_t column = s.column();
  const std::string_view type = s.identifier();
  value = {};
  if (!type.empty() && is_digit(type.front())) {  // a type that OTF2 3.0 does not have
    s.go_back(column);
    if (std::any_of(type.begin(), type.end(), [](char c) { return !is_digit(c); }) || type.size() > 3)
      s.fail(column, "expected a typed value such as uint64:5 for " + std::string(what) + ", found " + s.found());
    unsigned number = 0;
    for (const char c : type) number = number * 10 + static_cast<unsigned>(c - '0');
    if (number > 255) s.fail(column, std::string(type) + " is too large for a type: at most 255");
    s.identifier();
    value.type = static_cast<ValueType>(number);
  } else if (!enum_from_name(type, value.type)) {
    s.go_back(column);
    s.fail(column, "expected a typed value such as uint64:5 for " + std::string(what) + ", found " + s.found() +
                       (type.empty() ? std::string()
                                     : advice(type, detail::EnumNames<ValueType>::names,
                                              "none, uint8 to uint64, int8 to int64, float, double, string or what it "
                                              "refers to")));
  }
  if (value.type == ValueType::none && s.peek() != ':') return;
  s.expect(':', "between a type and its value");
  const std::string_view name = enum_name(value.type);
  if (is_unsigned_integer(value.type))
    value.bits = s.number(name, ~std::uint64_t{0} >> (64 - width(value.type)));
  else if (is_signed_integer(value.type))
    value.bits = static_cast<std::uint64_t>(
        s.signed_number(name, std::numeric_limits<std::int64_t>::min() >> (64 - width(value.type)),
                        std::numeric_limits<std::int64_t>::max() >> (64 - width(value.type))));
  else if (value.type == ValueType::float_ || value.type == ValueType::double_)
    value.bits = s.double_bits(name);
  else if (value.type == ValueType::string)
    value.bits = interned(s, name).value;
  else if (const auto table = table_of(value.type))
    value.bits = reference(s, name, *table);
  else
    value.bits = s.number(what);
}

void ValueReader::read(Scanner& s, std::string_view what, Property& value) {
  value.name = s.text(what);
  s.expect('=', "between a name and its value in " + std::string(what));
  read(s, what, value.value);
}

void ValueReader::read(Scanner& s, std::string_view what, std::pair<std::string, std::string>& value) {
  value.first = s.text(what);
  s.expect('=', "between a name and its value in " + std::string(what));
  value.second = s.text(what);
}

std::uint32_t ValueReader::reference(Scanner& s, std::string_view what, Table table) {
  if (s.accept_word("none")) return RegionId::none_value;
  const TextPlace place = s.place(s.column());
  const std::uint64_t index = s.number(what, largest_index);
  references_.use(table, index, place);
  return static_cast<std::uint32_t>(index);
}

StringId ValueReader::interned(Scanner& s, std::string_view what) {
  if (s.accept_word("none")) return StringId::none();
  return definitions_.intern(s.text(what));
}

}  // namespace waitstate::notation
