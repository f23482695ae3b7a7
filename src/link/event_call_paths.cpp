#include "link/event_call_paths.hpp"

#include <cstring>

#include "replay/chunk/attribute_record.hpp"

namespace waitstate::link {

void EventCallPaths::put_into(replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  replay::EventRows& events = chunk.events;
  const CallPathId* const paths = paths_.all(l);
  const bool attached = paths_.has_attachments(l) || !chunk.segment_events.empty() || !chunk.task_events.empty();
  std::size_t next_segment = 0, next_task = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (attached) [[unlikely]]
      follow_attachments(chunk, i, next_segment, next_task);
    replay::EventRow& row = events.rows[i];
    const EventType type = replay::without_list(row.type);
    const bool moves = type == EventType::enter || type == EventType::exit;
    if (!moves && !replay::is_stack_event(type)) continue;
    std::uint8_t* const record = moves && !replay::has_list(row.type) ? nullptr : events.bytes.data() + row.arg;
    std::uint32_t number = row.arg;
    if (record != nullptr) std::memcpy(&number, record, sizeof number);
    CallPathId callpath = paths[0];
    if (number != 0) callpath = attached ? paths_.of_event(l, locations_[l.index()].attachment, number) : paths[number];
    if (record != nullptr)
      std::memcpy(record, &callpath.value, sizeof callpath.value);
    else
      row.arg = callpath.value;
  }
}

void EventCallPaths::follow_attachments(const replay::Chunk& chunk, std::size_t event, std::size_t& segment,
                                        std::size_t& task) {
  LocationState& location = locations_[chunk.location.index()];
  if (segment != chunk.segment_events.size() && chunk.segment_events[segment] == event) {
    location.attachment = threads_.take_attachment(chunk.location);
    ++segment;
  }
  for (; task != chunk.task_events.size() && chunk.task_events[task].event == event; ++task) {
    const replay::TaskEvent& t = chunk.task_events[task];
    if (t.begins) {
      if (t.aside) location.interrupted.push_back(location.attachment);
      location.attachment = threads_.take_task_attachment(chunk.location);
    } else if (t.aside) {
      location.attachment = location.interrupted.back();
      location.interrupted.pop_back();
    }
  }
}

}  // namespace waitstate::link
