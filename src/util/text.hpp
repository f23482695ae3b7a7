// Numbers and names as sentences have them, in reports and in what patterns say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate::util {

/// Digits in groups of three, e.g. "1,234,567".
std::string grouped(std::int64_t number);
/// "1 process", "4 processes".
std::string count(std::int64_t number, const char* one, const char* many);
/// The text as it may be shown and stand in a table: what controls terminals (escapes in a hostile trace, C1, line
/// breaks in a name), turns the direction of writing, or is no UTF-8 (nor was: U+FFFD), is replaced by '?'. For all
/// names that come from traces and reports.
std::string printable(std::string_view text);
/// The same of a whole output: line breaks, tabs and the colours that reports use stay.
std::string printable_lines(std::string_view text);
/// JSON in which the same characters, all of which stand in its texts, are written as \uXXXX.
std::string printable_json(std::string_view valid);

}  // namespace waitstate::util
