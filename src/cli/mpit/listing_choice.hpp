// Which entries of a listing of MPI_T `waitstate mpit` shows.
#pragma once

#include <regex>
#include <string>

#include "record/launch/tool_listing.hpp"

namespace waitstate::cli {

struct ListingChoice {
  std::string list;   ///< cvars, pvars, categories or events; empty: all of them
  std::string match;  ///< a regular expression; empty: every name
  std::regex matching;
  unsigned verbosity = 9;  ///< level of detail as MPI numbers it, 1 to 9

  bool asked_for(const char* name) const { return list.empty() || list == name; }
  bool shows(const std::string& name) const { return match.empty() || std::regex_search(name, matching); }
  bool shows(const record::ToolEntry& entry) const { return entry.verbosity <= verbosity && shows(entry.name); }
};

/// Empty if the library gives no name: the enumeration of an event names its elements, one after the other.
inline std::string element_name(const record::ToolEvent& e, std::size_t i) {
  return e.enumeration && i < e.enumeration->items.size() ? e.enumeration->items[i].second : std::string();
}

}  // namespace waitstate::cli
