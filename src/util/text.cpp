#include "util/text.hpp"

namespace waitstate::util {

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int i = static_cast<int>(text.size()) - 3; i > first; i -= 3) text.insert(static_cast<std::size_t>(i), 1, ',');
  return text;
}

std::string count(std::int64_t number, const char* one, const char* many) {
  return grouped(number) + ' ' + (number == 1 ? one : many);
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

}  // namespace waitstate::util
