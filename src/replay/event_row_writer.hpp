// Writes the events of a location into the rows of its chunk, if somebody wants every event. An attribute list comes
// before its event and is kept until then.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "replay/attribute_record.hpp"
#include "replay/event_rows.hpp"
#include "waitstate/event.hpp"

namespace waitstate::replay {

class EventRowWriter {
 public:
  /// The attribute list of the next event.
  void attribute_list(std::span<const ListedAttribute> list) { list_.assign(list.begin(), list.end()); }

  /// An enter or exit.
  void add(EventRows& to, EventType type, Time t, std::uint32_t callpath) {
    if (list_.empty()) [[likely]] {
      to.rows.push_back({t, callpath, type});
      return;
    }
    to.rows.push_back({t, static_cast<std::uint32_t>(to.bytes.size()), with_list(type)});
    append_number(to.bytes, callpath, 4);
    add_list(to);
  }
  /// Any other event. `callpath`: that it enters or leaves, 0 if none; `linked`: it has a CommRecord.
  void add(EventRows& to, EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail,
           std::uint32_t callpath, bool linked) {
    to.rows.push_back({t, static_cast<std::uint32_t>(to.bytes.size()), list_.empty() ? type : with_list(type), linked});
    if (is_stack_event(type)) append_number(to.bytes, callpath, 4);
    append_attributes(to.bytes, type, attributes, tail);
    if (!list_.empty()) add_list(to);
  }

 private:
  void add_list(EventRows& to) {
    append_list(to.bytes, list_);
    list_.clear();
  }

  std::vector<ListedAttribute> list_;
};

}  // namespace waitstate::replay
