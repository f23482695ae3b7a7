#include "report/format/layout.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view ellipsis = "…";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // inside a UTF-8 sequence

/// The first `width` columns of the text.
std::string_view first_columns(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  while (end < text.size() && (width > 0 || continues(text[end])))
    if (!continues(text[end++])) --width;
  return text.substr(0, end);
}

std::string_view last_columns(std::string_view text, std::size_t width) {
  std::size_t begin = text.size();
  while (begin > 0 && width > 0)
    if (!continues(text[--begin])) --width;
  return text.substr(begin);
}

}  // namespace

std::size_t columns(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += !continues(c);
  return n;
}

std::string left(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string right(std::string_view text, std::size_t width) {
  const std::size_t used = columns(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::string shorten_path(std::string_view path, std::size_t width) {
  if (columns(path) <= width) return std::string(path);
  if (width <= 1) return std::string(ellipsis);
  const auto slash = path.find_last_of('/');
  const std::string_view leaf = slash == std::string_view::npos ? path : path.substr(slash);  // with its '/'
  const std::size_t room = width - 1;
  if (columns(leaf) >= room) return std::string(ellipsis).append(last_columns(leaf, room));
  // The rest of the room is shared: where the program begins, and what surrounds the leaf, which says more.
  const std::size_t head = (room - columns(leaf)) / 3;
  return std::string(first_columns(path, head)).append(ellipsis).append(last_columns(path, room - head));
}

namespace {

/// True if the text begins with a unit, which stays with its number.
bool begins_with_unit(std::string_view text) {
  for (const std::string_view unit : {"s", "ms", "µs", "ns", "%"})
    if (text.substr(0, unit.size()) == unit &&
        (text.size() == unit.size() || std::string_view(" .,;:)").find(text[unit.size()]) != std::string_view::npos))
      return true;
  return false;
}

/// Where the first word ends; a number and its unit are one.
std::size_t word_end(std::string_view text) {
  auto space = text.find(' ');
  if (space != std::string_view::npos && space > 0 && text[space - 1] >= '0' && text[space - 1] <= '9' &&
      begins_with_unit(text.substr(space + 1)))
    space = text.find(' ', space + 1);
  return space;
}

}  // namespace

std::string paragraph(std::string_view lead, std::string_view text, std::size_t width) {
  const std::size_t indent = columns(lead);
  std::string result(lead);
  std::size_t column = indent;
  while (!text.empty()) {
    const auto space = word_end(text);
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    const std::size_t length = columns(word);
    if (column > indent && column + 1 + length > width) {
      result += '\n';
      result.append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
  }
  return result += '\n';
}

std::string aligned_table(const std::vector<std::vector<std::string>>& rows, const Style& style) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  std::string text;
  for (const auto& row : rows) {
    std::string line = left(row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += "  " + right(row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += (&row == &rows.front() ? style.bold(line) : line) + '\n';
  }
  return text;
}

}  // namespace waitstate::report
