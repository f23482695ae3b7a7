// Writes the events of a location into the rows of its chunk, if somebody wants every event. An attribute list comes
// before its event and is kept until then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "replay/chunk/event_rows.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::replay {

class EventRowWriter {
 public:
  /// The attribute list of the next event.
  void attribute_list(std::span<const ListedAttribute> list) { list_.assign(list.begin(), list.end()); }

  /// An enter or exit.
  void add(EventRows& to, EventType type, Time t, std::uint32_t callpath);
  /// Any other event. `callpath`: that it enters or leaves, 0 if none; `linked`: it has a CommRecord.
  void add(EventRows& to, EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail,
           std::uint32_t callpath, bool linked);

 private:
  void add_list(EventRows& to);

  std::vector<ListedAttribute> list_;
};

}  // namespace waitstate::replay
