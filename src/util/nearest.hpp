// Finds the known name that was probably meant by a misspelt one, for messages that end in `did you mean "…"?`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace waitstate::util {

/// The name in `known` that differs least from `word` (letters inserted, left out or replaced, or two neighbours
/// swapped); the first of several equally near ones, or "" if none is near enough to be a slip of the keyboard.
std::string nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace waitstate::util
