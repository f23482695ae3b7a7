// The events of one location in memory, packed in the order of delivery: a fixed entry for each event; its attributes,
// tail and list lie in three arrays that a cursor walks along. Entries are 24 bytes, an attribute is 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "waitstate/trace/event.hpp"

namespace waitstate::notation {

class EventStream {
 public:
  void append(EventType type, Time time, std::span<const std::uint64_t> attributes, std::span<const Value> tail,
              std::span<const ListedAttribute> list) {
    entries_.push_back({time, static_cast<std::uint32_t>(tail.size()), static_cast<std::uint32_t>(list.size()), type});
    attributes_.insert(attributes_.end(), attributes.begin(), attributes.end());
    tails_.insert(tails_.end(), tail.begin(), tail.end());
    lists_.insert(lists_.end(), list.begin(), list.end());
  }

  std::size_t size() const { return entries_.size(); }
  bool at_end() const { return next_.entry == entries_.size(); }
  void rewind() { next_ = {}; }

  /// A place between two events, from which reading can continue.
  struct Cursor {
    std::size_t entry = 0, attribute = 0, value = 0, listed = 0;
  };
  Cursor place() const { return next_; }
  void go_to(const Cursor& place) { next_ = place; }

  /// Passes the next events to `sink`, at most `max_events`, and returns how many.
  template <class Sink>
  std::size_t read(Sink& sink, std::size_t max_events) {
    std::size_t count = 0;
    for (; count < max_events && !at_end(); ++count) {
      const Entry& e = entries_[next_.entry++];
      const std::uint64_t* attributes = attributes_.data() + next_.attribute;
      const std::span<const Value> tail(tails_.data() + next_.value, e.tail_size);
      next_.attribute += spec(e.type).attribute_count;
      next_.value += e.tail_size;
      if (e.list_size > 0) {
        sink.attribute_list(std::span<const ListedAttribute>(lists_.data() + next_.listed, e.list_size));
        next_.listed += e.list_size;
      }
      if (e.type == EventType::enter)
        sink.enter(e.time, RegionId{attributes[0]});
      else if (e.type == EventType::exit)
        sink.exit(e.time, RegionId{attributes[0]});
      else
        sink.event(e.type, e.time, attributes, tail);
    }
    return count;
  }

 private:
  struct Entry {
    Time time;
    std::uint32_t tail_size, list_size;
    EventType type;
  };

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> attributes_;
  std::vector<Value> tails_;
  std::vector<ListedAttribute> lists_;
  Cursor next_;
};

}  // namespace waitstate::notation
