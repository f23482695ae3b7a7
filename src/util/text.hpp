// Numbers and names as they stand in sentences of reports and patterns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate::util {

/// Digits in groups of three, e.g. "1,234,567".
std::string grouped(std::int64_t number);
/// "1 process", "4 processes".
std::string count(std::int64_t number, const char* one, const char* many);
/// A text that is safe to show and to put into a table, for all names that come from traces and reports. '?' replaces
/// whatever controls terminals (escapes in a hostile trace, C1, line breaks in a name), turns the direction of writing,
/// or is not UTF-8 (or was not: U+FFFD).
std::string printable(std::string_view text);
/// Like printable(), for a whole output: line breaks, tabs and the colours of reports stay.
std::string printable_lines(std::string_view text);
/// JSON in which these characters are written as \uXXXX; all of them stand inside of its strings.
std::string printable_json(std::string_view valid);

}  // namespace waitstate::util
