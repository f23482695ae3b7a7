// Parses the text in two passes: first definitions, so that they may stand behind the events that use them, then
// events. Then the definitions that the lines imply are added, and the references that had to wait are checked.
#include "notation/document.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "notation/definition_reader.hpp"
#include "notation/event_line_reader.hpp"
#include "notation/implied.hpp"
#include "notation/references.hpp"
#include "notation/scanner.hpp"
#include "waitstate/error.hpp"

namespace waitstate::notation {
namespace {

enum class LineKind { empty, definition, event };

LineKind kind_of(std::string_view line) {
  const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
  if (first == line.end() || *first == '#') return LineKind::empty;
  return is_digit(*first) ? LineKind::event : LineKind::definition;
}

// Calls f(scanner) for each line of that kind.
template <class F>
void for_each_line(std::string_view text, LineKind kind, const std::string& path, F&& f) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (kind_of(line) != kind) continue;
    Scanner scanner(path, line, number);
    f(scanner);
  }
}

}  // namespace

Document Document::parse(std::string_view text, const std::string& path) {
  Document document;
  Definitions& d = document.definitions_;
  References references(d, path);
  DefinitionReader definition_reader(d, references);
  for_each_line(text, LineKind::definition, path, [&](Scanner& s) { definition_reader.read_line(s); });

  references.tables_complete();
  EventLineReader event_reader(d, references);
  for_each_line(text, LineKind::event, path, [&](Scanner& s) { event_reader.read_line(s, document.streams_); });
  references.check_kept();

  Implied implied = definition_reader.implied();
  implied.locations = references.implied_locations();
  implied.world = references.world_used();
  complete(d, implied, path);
  document.streams_.resize(d.locations.size());
  d.finish();
  return document;
}

Document Document::read(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (char block[1 << 16]; file;) {  // no seeking: the file may be a pipe
    file.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) {
    const int error = errno != 0 ? errno : EIO;
    throw TraceError(path.string(), "cannot be read: " + std::generic_category().message(error));
  }
  return parse(text, path.string());
}

bool Document::looks_like(std::string_view first_bytes) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && !is_blank(c)) || c == '\x7f';
  };
  if (std::any_of(first_bytes.begin(), first_bytes.end(), is_control)) return false;
  while (!first_bytes.empty()) {
    const std::size_t end = std::min(first_bytes.find('\n'), first_bytes.size());
    std::string_view line = first_bytes.substr(0, end);
    first_bytes.remove_prefix(std::min(end + 1, first_bytes.size()));
    if (kind_of(line) == LineKind::empty) continue;
    while (is_blank(line.front())) line.remove_prefix(1);
    const std::string_view word =
        line.substr(0, static_cast<std::size_t>(std::find_if(line.begin(), line.end(), is_blank) - line.begin()));
    if (std::all_of(word.begin(), word.end(), is_digit)) return true;
    const std::vector<std::string_view> keywords = definition_keywords();
    return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
  }
  return false;
}

}  // namespace waitstate::notation
