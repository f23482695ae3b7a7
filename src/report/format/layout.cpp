#include "report/format/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

namespace {

std::vector<std::string_view> elements_of(std::string_view path) {
  std::vector<std::string_view> elements;
  for (;;) {
    const auto slash = path.find('/');
    elements.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return elements;
    path.remove_prefix(slash + 1);
  }
}

/// The elements from `first` on, joined by slashes.
std::string joined(const std::vector<std::string_view>& elements, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < elements.size(); ++i) text.append(i == first ? "" : "/").append(elements[i]);
  return text;
}

/// One element that keeps both of its ends.
std::string cut_in_the_middle(std::string_view name, std::size_t width) {
  if (columns(name) <= width) return std::string(name);
  if (width <= 2) return std::string(ellipsis);
  const std::size_t behind = (width - 1) / 2;
  return std::string(first_columns(name, width - 1 - behind)).append(ellipsis).append(last_columns(name, behind));
}

}  // namespace

std::string shorten_path(std::string_view path, std::size_t width) {
  if (columns(path) <= width) return std::string(path);
  const std::vector<std::string_view> elements = elements_of(path);
  const std::string_view leaf = elements.back();
  const std::string cut = std::string(ellipsis) + '/';
  std::string best;
  for (const std::size_t kept : {std::size_t{1}, std::size_t{0}}) {  // number of first elements that stay
    if (elements.size() < kept + 2) continue;
    const std::string begin = kept == 1 ? std::string(elements[0]) + '/' + cut : cut;
    for (std::size_t first = elements.size() - 1; first > kept; --first) {
      std::string text = begin + joined(elements, first);
      if (columns(text) > width) break;
      best = std::move(text);
    }
    if (!best.empty()) return best;
  }
  if (elements.size() > 1 && columns(leaf) + 1 <= width) return std::string(ellipsis).append(leaf);
  return cut_in_the_middle(leaf, width);
}

namespace {

/// "…/exchange/…/MPI_Waitall": the element in which the path differs from others, and the last one.
std::string with_element(const std::vector<std::string_view>& elements, std::size_t kept) {
  const std::string cut = std::string(ellipsis) + '/', own = std::string(elements[kept]);
  std::string begin = kept == 0 ? own : cut + own;
  if (kept + 1 >= elements.size()) return begin;
  return begin + '/' + (kept + 2 < elements.size() ? cut : "") + std::string(elements.back());
}

/// Gives paths that would have the same label others, which keep the first element in which they differ; false if these
/// do not fit, or are not different either.
bool tell_apart(const std::vector<std::string>& paths, const std::vector<std::size_t>& same, std::size_t width,
                std::vector<std::string>& labels) {
  std::vector<std::vector<std::string_view>> elements;
  for (const std::size_t i : same) elements.push_back(elements_of(paths[i]));
  std::size_t kept = 0;
  const auto differ_at = [&](std::size_t at) {
    return std::any_of(elements.begin(), elements.end(), [&](const auto& e) {
      return at >= e.size() || at >= elements[0].size() || e[at] != elements[0][at];
    });
  };
  while (!differ_at(kept)) ++kept;
  std::vector<std::string> found;
  for (const auto& e : elements) {
    if (kept >= e.size()) return false;
    std::string label = with_element(e, kept);
    if (columns(label) > width || std::find(found.begin(), found.end(), label) != found.end()) return false;
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) return false;
    found.push_back(std::move(label));
  }
  for (std::size_t i = 0; i < same.size(); ++i) labels[same[i]] = found[i];
  return true;
}

}  // namespace

std::vector<std::string> shorten_paths(const std::vector<std::string>& paths, std::size_t width) {
  std::vector<std::string> labels;
  for (const std::string& path : paths) labels.push_back(shorten_path(path, width));
  std::map<std::string, std::vector<std::size_t>> by_label;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::size_t>& same = by_label[labels[i]];
    if (std::none_of(same.begin(), same.end(), [&](std::size_t other) { return paths[other] == paths[i]; }))
      same.push_back(i);
  }
  for (const auto& [label, same] : by_label) {
    if (same.size() < 2 || tell_apart(paths, same, width, labels)) continue;
    for (std::size_t n = 1; n < same.size(); ++n) {
      const std::string number = fmt::format(" #{}", n + 1);
      labels[same[n]] = shorten_path(paths[same[n]], width > number.size() ? width - number.size() : 1) + number;
    }
  }
  for (std::size_t i = 0; i < paths.size(); ++i)  // names that are there twice have one label
    labels[i] = labels[static_cast<std::size_t>(std::find(paths.begin(), paths.end(), paths[i]) - paths.begin())];
  return labels;
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
  const auto is_empty = [&](std::size_t i) {
    return std::all_of(rows.begin() + 1, rows.end(),
                       [&](const auto& row) { return row.size() <= i || row[i].empty(); });
  };
  std::string text;
  for (const auto& row : rows) {
    std::string line = left(row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!is_empty(i)) line += "  " + right(row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += (&row == &rows.front() ? style.bold(line) : line) + '\n';
  }
  return text;
}

}  // namespace waitstate::report
