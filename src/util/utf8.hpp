// Whether bytes that were recorded are text: names in traces are UTF-8, but nothing makes a recorder keep to it.
#pragma once

#include <cstddef>
#include <string_view>

namespace waitstate::util {

/// Length of the UTF-8 sequence of a character, which is none that controls, at the start of `text`; 0 if there is
/// none. All of them are characters that XML allows.
std::size_t character_length(std::string_view text);

}  // namespace waitstate::util
