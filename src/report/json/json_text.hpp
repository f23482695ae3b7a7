// Texts in JSON.
#pragma once

#include <string>
#include <string_view>

namespace waitstate::report {

/// The text in quotes, as valid UTF-8: other bytes are replaced.
std::string json_string(std::string_view text);
/// The text in quotes, and nothing is replaced: a text that is not UTF-8 becomes a NUL and hexadecimal digits.
std::string exact_json_string(std::string_view text);

}  // namespace waitstate::report
