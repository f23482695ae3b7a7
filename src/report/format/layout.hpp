// How text is laid out for a terminal: width, colour, and the cutting of what does not fit.
//
// Names in traces are UTF-8 (C++ and Fortran regions, file names); a column is as wide as its number of code points.
// That is wrong for wide and combining characters only, which no recorder has been seen to write, and costs no table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "util/text.hpp"

namespace waitstate::report {

struct Style {
  unsigned width = 100;  ///< columns
  bool colour = false;

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string warning(std::string_view text) const { return wrapped("33", text); }  ///< yellow
  std::string loss(std::string_view text) const { return wrapped("31;1", text); }   ///< red

 private:
  std::string wrapped(const char* code, std::string_view text) const {
    return colour ? "\x1b[" + std::string(code) + 'm' + std::string(text) + "\x1b[0m" : std::string(text);
  }
};

/// Columns that the text takes on a terminal.
std::size_t columns(std::string_view text);
/// Padded with spaces on the right, or on the left, to that many columns.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// A call path in at most `width` columns. It is cut at slashes and keeps both ends, where the program begins and what
/// was called: "program/…/exchange/MPI_Waitall". A last element that does not fit keeps both of its ends: "MPI_…all".
/// The page shortens in the same way (page/src/text/short_names.ts).
std::string shorten_path(std::string_view path, std::size_t width);
/// All of them shortened. Names that differ stay different: they keep the element in which they differ, or get a
/// number.
std::vector<std::string> shorten_paths(const std::vector<std::string>& paths, std::size_t width);

/// `lead` and the text, broken at spaces (but not between a number and its unit) into lines of at most `width` columns;
/// every further line is indented by the width of `lead`. Ends in '\n'.
std::string paragraph(std::string_view lead, std::string_view text, std::size_t width);

/// Rows of as many cells each, in columns as wide as their widest: the first one left-aligned, others right. The first
/// row is the head. A column with nothing below its head is left out. Every line ends in '\n'.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows, const Style& style);

using util::printable;

}  // namespace waitstate::report
