// Text inside of Graphviz, XML and HTML files.
#pragma once

#include <string>
#include <string_view>

namespace waitstate::report {

/// In quotes always: boost::escape_dot_string leaves the keyword `node` and backslashes as they are.
inline std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result += '"';
}

/// Inside of an element or an attribute.
inline std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  return result;
}

}  // namespace waitstate::report
