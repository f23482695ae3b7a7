// Whether bytes that were recorded are text: names in traces are UTF-8, but nothing makes a recorder keep to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace waitstate::util {

/// Length of the UTF-8 sequence of a character, which is none that controls, at the start of `text`; 0 if there is
/// none. All of them are characters that XML allows.
std::size_t character_length(std::string_view text);

/// The same of a character that a terminal shows in its place: none that turns the direction of the text around it
/// (U+202E and its like), or begins a line.
std::size_t shown_length(std::string_view text);

/// Length of the valid sequence at the start of `text`, whatever character it is; 0 if there is none.
std::size_t sequence_length(std::string_view text);
/// Bytes at the start of `text`, which is not empty and no valid sequence, that one U+FFFD stands for: as many as begin
/// a sequence, at least one (The Unicode Standard, 3.9, "maximal subpart"); JSON is written so too.
std::size_t invalid_length(std::string_view text);
/// The character of a valid sequence.
std::uint32_t code_point(std::string_view text);

}  // namespace waitstate::util
