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
/// The text with control characters (terminal escapes in a hostile trace, line breaks in a name) replaced by '?'.
std::string printable(std::string_view text);

}  // namespace waitstate::util
