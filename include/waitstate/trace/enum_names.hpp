// Enumerations whose enumerators have names outside of the program: in the text notation, in reports, in Python. Both
// come from one list:
//
//   WAITSTATE_ENUM(LockType, exclusive, shared);   // enum class LockType : std::uint8_t { exclusive, shared };
//   enum_name(LockType::shared)                    // "shared"
//
// Values count up from 0, or from the number (of one digit) that the list gives to the first enumerator. An enumerator
// that would be a keyword of C++ ends in an underscore, its name does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace waitstate {

namespace detail {

/// The number of the first enumerator, and the names of all in order, as an array.
template <class E>
struct EnumNames;

constexpr std::size_t enumerators_in(std::string_view list) {
  std::size_t commas = 0;
  for (const char c : list) commas += c == ',' ? 1 : 0;
  return commas + 1;
}

constexpr unsigned first_number_in(std::string_view list) {
  const std::size_t equals = list.find('=');
  return equals == list.npos ? 0 : static_cast<unsigned>(list[equals + 2] - '0');
}

template <std::size_t N>
constexpr std::array<std::string_view, N> names_in(std::string_view list) {
  std::array<std::string_view, N> names{};
  for (std::string_view& name : names) {
    name = list.substr(0, list.find_first_of(" ,"));
    if (name.back() == '_') name.remove_suffix(1);
    if (const std::size_t comma = list.find(','); comma != list.npos) list.remove_prefix(comma + 2);
  }
  return names;
}

}  // namespace detail

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a template cannot name enumerators
#define WAITSTATE_ENUM(TYPE, ...)                                                                       \
  enum class TYPE : std::uint8_t { __VA_ARGS__ };                                                       \
  template <>                                                                                           \
  struct detail::EnumNames<TYPE> {                                                                      \
    static constexpr unsigned first = detail::first_number_in(#__VA_ARGS__);                            \
    static constexpr auto names = detail::names_in<detail::enumerators_in(#__VA_ARGS__)>(#__VA_ARGS__); \
  }

/// The name of an enumerator; empty if the value has none.
template <class E>
constexpr std::string_view enum_name(E value) {
  using Names = detail::EnumNames<E>;
  const unsigned i = static_cast<unsigned>(value) - Names::first;
  return i < std::size(Names::names) ? Names::names[i] : std::string_view{};
}

/// Sets `value` to the enumerator of this name; false if there is none.
template <class E>
bool enum_from_name(std::string_view name, E& value) {
  using Names = detail::EnumNames<E>;
  for (unsigned i = 0; i < std::size(Names::names); ++i)
    if (Names::names[i] == name) return value = static_cast<E>(i + Names::first), true;
  return false;
}

}  // namespace waitstate
