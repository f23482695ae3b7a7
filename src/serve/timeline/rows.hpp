// The rows of a timeline: locations, processes or nodes, each a stretch of neighbouring locations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::serve {

struct TimelineRow {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< locations; in rank and thread order, as they are numbered
};

struct TimelineRows {
  std::vector<TimelineRow> by_location, by_process, by_node;

  explicit TimelineRows(const Definitions& definitions);
  /// The rows of that level: "location", "process", "node"; "": the finest one that has not too many rows. Null for
  /// another word.
  const std::vector<TimelineRow>* of(std::string_view level) const;
};

}  // namespace waitstate::serve
