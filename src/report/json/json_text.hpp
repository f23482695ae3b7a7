// Texts in JSON.
#pragma once

#include <string>
#include <string_view>

namespace waitstate::report {

/// In quotes, as valid UTF-8: bytes that are none are replaced.
std::string json_string(std::string_view text);
/// In quotes, and nothing is replaced: a text that is no UTF-8 becomes a NUL with hexadecimal digits behind it.
std::string exact_json_string(std::string_view text);

}  // namespace waitstate::report
