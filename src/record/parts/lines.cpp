#include "record/parts/lines.hpp"

#include <algorithm>

namespace waitstate::record {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      const char c = line[++i];
      fields.back() += c == 't' ? '\t' : c == 'n' ? '\n' : c;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

bool read_field(std::string_view text, Numbers& to) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    if (!read_field(one, to.emplace_back())) return false;
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return true;
}

std::string list_of(const Numbers& numbers) {
  std::string text;
  for (const std::uint64_t n : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(n);
  }
  return text;
}

}  // namespace waitstate::record
