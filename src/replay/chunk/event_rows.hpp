// The events of a chunk, if somebody wants them all: rows of one size, and their attributes beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

/// One event. `arg` is, by type: of enter and exit without attribute list the location's own call path number; else the
/// offset of its attribute record, which begins with that number (four bytes) if the event changes the region stack.
/// Linking puts call paths of the whole trace in the place of these numbers.
struct EventRow {
  Time time = 0;
  std::uint32_t arg = 0;
  EventType type{};              ///< possibly with_list()
  bool linked = false;           ///< it has a CommRecord
  bool switches = false;         ///< it has a TaskEvent; set when it goes to the merge
  bool is_left_already = false;  ///< an enter whose exit came before it, at the same time
};

/// Events in their order. All that the merge needs of most of them lies side by side: with many locations it is at
/// another place for each event, and each place is another page of memory.
struct EventRows {
  std::vector<EventRow> rows;
  std::vector<std::uint8_t> bytes;  ///< attribute records

  std::size_t size() const { return rows.size(); }
  void clear() { rows.clear(), bytes.clear(); }
};

}  // namespace waitstate::replay
