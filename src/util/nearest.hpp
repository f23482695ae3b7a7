// The known name that a misspelt one was probably meant to be, for messages that end in `did you mean "…"?`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace waitstate::util {

/// The name in `known` that differs least from `word` (letters inserted, left out, replaced, or two neighbours
/// swapped); the first of several equally near ones, and "" if none is near enough to be a slip of the keyboard.
std::string nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace waitstate::util
