// The variables and events that an MPI library offers through MPI_T, as the program of record/mpit lists them, and what
// is missing and why.
//
// Names, texts and numbers come from a library that may be any: a line that says nothing is counted and left out, an
// index that nothing has is none, and nothing is taken to be whole before its last line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waitstate::record {

struct Enumeration {
  std::string name;
  std::vector<std::pair<std::int64_t, std::string>> items;
};

/// The common part of variables and events.
struct ToolEntry {
  std::string name, description;
  unsigned verbosity = 0;  ///< 1 to 9; 0: none of those that MPI knows
  std::string type;        ///< "MPI_INT"; "unknown"; empty: an event
  std::string binding;     ///< "none", "comm", ...; "unknown"
  std::optional<Enumeration> enumeration;
};
struct ControlVariable : ToolEntry {
  std::string scope;
  std::int64_t count = 0;  ///< number of elements
  std::string value;       ///< numbers with commas between, or a text
  std::string why_not;     ///< not empty: there is no value
};
struct PerformanceVariable : ToolEntry {
  std::string kind;  ///< its class: "counter", ...
  bool readonly = false, continuous = false, atomic = false;
};
struct ToolEvent : ToolEntry {
  std::vector<std::pair<std::string, std::int64_t>> elements;  ///< types, and where they are
};
struct EventSource {
  std::string name, description;
  bool ordered = true;
  std::int64_t ticks = 0, last = 0;  ///< a second; the greatest time
};
struct ToolCategory {
  std::string name, description;
  std::vector<std::uint64_t> cvars, pvars, events, categories;  ///< indices
};

struct ToolListing {
  std::string library, standard;                   ///< "Open MPI v4.1.4...", "3.1"; empty: nothing was told
  std::map<std::uint64_t, ControlVariable> cvars;  ///< by index, as the others
  std::map<std::uint64_t, PerformanceVariable> pvars;
  std::map<std::uint64_t, ToolEvent> events;
  std::map<std::uint64_t, EventSource> sources;
  std::map<std::uint64_t, ToolCategory> categories;
  std::map<std::string, std::uint64_t> numbers;  ///< how many indices, by "cvar", ...; none: there are no functions
  std::map<std::string, std::map<std::string, std::uint64_t>> invalid;  ///< indices of a kind, by what the library says
  std::uint64_t lines_left_out = 0;
  bool whole = false;
};

/// `text`: what the program wrote, with whatever else stands between.
ToolListing read_tool_listing(std::string_view text);

/// The missing parts with the reason: a clause each.
std::vector<std::string> missing(const ToolListing& listing);

}  // namespace waitstate::record
