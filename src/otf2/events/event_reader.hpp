// Reads the events of locations into a sink of any type. The loop over the most frequent records - time stamp, enter,
// leave - is compiled into the sink; EventDecoder does the rest.
#pragma once

#include "otf2/events/event_decoder.hpp"

namespace waitstate::otf2 {

template <class Sink>
class EventReader : public EventDecoder {
 public:
  /// Reads these locations of the archive, which must outlive the reader. At most `max_open` event files are open at
  /// once; fewer, but at least one, where the process runs out of descriptors.
  EventReader(const Archive& archive, std::span<const LocationId> locations, bool keep_attribute_lists,
              std::size_t max_open = 256)
      : EventDecoder(archive, locations, keep_attribute_lists, max_open, {&enter, &exit, &event, &list}) {}

  /// Decodes up to max_events events of `loc` into `sink`; returns how many. It returns fewer only at the location's
  /// end: then at_end(loc) is true. Exceptions of the sink pass through; the location should not be read on then.
  std::size_t read(LocationId loc, Sink& sink, std::size_t max_events) {
    Location* const l = start(loc, &sink, max_events);
    if (l == nullptr) return 0;
    std::size_t n = 0;
    while (n < max_events && !l->ended) {
      const std::size_t before = n;
      n += l->big_endian ? run<true>(*l, sink, max_events - n) : run<false>(*l, sink, max_events - n);
      l->events += n - before;
      if (n < max_events && !l->ended) n += step(*l);
    }
    if (!l->ended) pause(*l);
    return n;
  }

 private:
  // Decodes ordinary records, as many as the window holds. Stops before a record that it does not know.
  template <bool big_endian>
  std::size_t run(Location& l, Sink& sink, std::size_t max_events) {
    if (!l.in_chunk || l.stamped) return 0;
    const std::uint8_t* p = at_;
    Time time = l.time;
    std::size_t n = 0;
    while (n < max_events && end_ - p > longest_ordinary) {
      const std::uint8_t* record = p;
      if (*record == mark::timestamp) {
        time = l.local.clock.correct(full64<big_endian>(record + 1));
        record += 9;
      }
      const std::uint8_t type = record[0], size = record[1];
      if ((type == enter_record || type == leave_record) && size <= 4) [[likely]] {
        l.time = l.last_time = time;
        const RegionId id = region(l, sized<big_endian>(record + 2, size));
        if (type == enter_record)
          sink.enter(time, id);
        else
          sink.exit(time, id);
        p = record + 2 + size;
      } else {
        const Time before = l.time;
        l.time = time;
        const std::uint8_t* const next = ordinary(l, record);
        if (next == nullptr) {
          l.time = before;
          break;
        }
        p = next;
      }
      ++n;
    }
    at_ = p;
    return n;
  }

  static void enter(void* sink, Time t, RegionId region) { static_cast<Sink*>(sink)->enter(t, region); }
  static void exit(void* sink, Time t, RegionId region) { static_cast<Sink*>(sink)->exit(t, region); }
  static void event(void* sink, EventType type, Time t, const std::uint64_t* attributes, std::span<const Value> tail) {
    static_cast<Sink*>(sink)->event(type, t, attributes, tail);
  }
  static void list(void* sink, std::span<const ListedAttribute> list) {
    static_cast<Sink*>(sink)->attribute_list(list);
  }
};

}  // namespace waitstate::otf2
