// Reads the value behind a `=`: one overload of read() for every type that a field of a definition or an attribute of
// an event can have. The texts that a type accepts are defined here once and in format.hpp, its opposite, once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "notation/references.hpp"
#include "notation/scanner.hpp"
#include "notation/tables.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::notation {

class ValueReader {
 public:
  ValueReader(Definitions& definitions, References& references) : definitions_(definitions), references_(references) {}

  template <class T>
  requires std::is_unsigned_v<T>
  void read(Scanner& s, std::string_view what, T& value) {
    value = static_cast<T>(s.number(what, std::numeric_limits<T>::max()));
  }
  void read(Scanner& s, std::string_view what, std::int64_t& value) { value = s.signed_number(what); }
  void read(Scanner& s, std::string_view what, std::string& value) { value = s.text(what); }
  void read(Scanner& s, std::string_view what, bool& value);
  void read(Scanner& s, std::string_view what, Value& value);
  void read(Scanner& s, std::string_view what, Property& value);
  void read(Scanner& s, std::string_view what, std::pair<std::string, std::string>& value);

  /// Reads the index of a definition, or `none`.
  template <class Tag>
  void read(Scanner& s, std::string_view what, Id<Tag>& value) {
    value.value = reference(s, what, TableOf<Tag>::value);
  }

  /// Reads the name of an enumerator, or the number of one that has none.
  template <class E>
  requires std::is_enum_v<E>
  void read(Scanner& s, std::string_view what, E& value) {
    const std::size_t column = s.column();
    if (is_digit(s.peek())) {
      value = static_cast<E>(s.number(what, std::numeric_limits<std::underlying_type_t<E>>::max()));
      return;
    }
    const std::string_view word = s.token();
    if (enum_from_name(word, value)) return;
    s.go_back(column);
    const std::string message = "expected a name or a number for " + std::string(what) + ", found " + s.found();
    constexpr std::size_t listed = 10;  // a longer list would hide the message
    using Names = detail::EnumNames<E>;
    if constexpr (std::size(Names::names) <= listed)
      s.fail(column, message + advice(word, Names::names));
    else
      s.fail(column, message + advice(word, Names::names,
                                      std::string(Names::names[0]) + ", " + std::string(Names::names[1]) + ", … " +
                                          std::string(*std::rbegin(Names::names))));
  }

  /// Reads elements between parentheses, separated by commas.
  template <class T>
  void read(Scanner& s, std::string_view what, std::vector<T>& value) {
    value.clear();
    list(s, what, [&] { read(s, what, value.emplace_back()); });
  }

  /// Calls read_element() for each element of a list.
  template <class F>
  void list(Scanner& s, std::string_view what, F&& read_element) {
    s.expect('(', "before the elements of " + std::string(what));
    s.skip_blanks();
    if (s.accept(')')) return;
    for (;;) {
      s.skip_blanks();
      read_element();
      s.skip_blanks();
      if (s.accept(')')) return;
      const std::size_t column = s.column();
      if (!s.accept(','))
        s.fail(column, "expected \",\" or \")\" after an element of " + std::string(what) + ", found " + s.found());
    }
  }

  /// Reads the index of a definition of that table; `none` becomes Id::none_value.
  std::uint32_t reference(Scanner& s, std::string_view what, Table table);
  /// Reads a text and returns its id; `none` without quotes becomes none.
  StringId interned(Scanner& s, std::string_view what);

 private:
  Definitions& definitions_;
  References& references_;
};

}  // namespace waitstate::notation
