#include "replay/event_row_writer.hpp"

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::replay {

void EventRowWriter::add(EventRows& to, EventType type, Time t, std::uint32_t callpath) {
  if (list_.empty()) [[likely]] {
    to.rows.push_back({t, callpath, type});
    return;
  }
  to.rows.push_back({t, static_cast<std::uint32_t>(to.bytes.size()), with_list(type)});
  append_number(to.bytes, callpath, 4);
  add_list(to);
}

void EventRowWriter::add(EventRows& to, EventType type, Time t, const std::uint64_t* attributes,
                         std::span<const Value> tail, std::uint32_t callpath, bool linked) {
  to.rows.push_back({t, static_cast<std::uint32_t>(to.bytes.size()), list_.empty() ? type : with_list(type), linked});
  if (is_stack_event(type)) append_number(to.bytes, callpath, 4);
  append_attributes(to.bytes, type, attributes, tail);
  if (!list_.empty()) add_list(to);
}

void EventRowWriter::add_list(EventRows& to) {
  append_list(to.bytes, list_);
  list_.clear();
}

}  // namespace waitstate::replay
