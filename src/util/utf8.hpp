// Checks whether recorded bytes are text: names in traces are UTF-8, but nothing makes a recorder keep to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate::util {

/// Length of the UTF-8 sequence of a character at the start of `text`; 0 if there is none or if it is a control
/// character. XML allows all of these characters.
std::size_t character_length(std::string_view text);

/// Like character_length(), but 0 also for a character that a terminal does not show in its place: one that turns the
/// direction of the text around it (such as U+202E) or begins a line.
std::size_t shown_length(std::string_view text);

/// Length of the valid sequence at the start of `text`, whatever its character; 0 if there is none.
std::size_t sequence_length(std::string_view text);
/// Number of bytes that one U+FFFD replaces at the start of `text`, which is not empty and does not begin with a valid
/// sequence: as many as begin a sequence, at least one (The Unicode Standard, 3.9, "maximal subpart"). JSON is written
/// in the same way.
std::size_t invalid_length(std::string_view text);
/// The text in valid UTF-8 without control characters: those become U+FFFD, tabs and line breaks blanks.
std::string xml_text(std::string_view text);
/// The code point of a valid sequence.
std::uint32_t code_point(std::string_view text);

}  // namespace waitstate::util
