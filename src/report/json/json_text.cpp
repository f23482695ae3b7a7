#include "report/json/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "util/text.hpp"

namespace waitstate::report {

std::string json_string(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
  if (plain) return '"' + std::string(text) + '"';
  return util::printable_json(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string exact_json_string(std::string_view text) {
  try {
    if (!text.starts_with('\0')) return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {  // no UTF-8
  }
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return "\"\\u0000" + digits + '"';
}

}  // namespace waitstate::report
