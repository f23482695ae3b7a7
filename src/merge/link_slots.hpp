// Positions of the events that others link to: the send of a message, the start of a request. Linking gives each of
// them a number before any of the events is in the stream (link/merge_feed.hpp); its slot is filled when the event is
// placed, read when the events that link to it are placed, and free again after the last of them.
//
// Cost: an index for each access. Memory: the slots in use at once.
#pragma once

#include <cstdint>
#include <vector>

#include "merge/event_store.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::merge {

class LinkSlots {
 public:
  /// With `pin`, the store is told to keep an event as long as something still links to it.
  LinkSlots(EventStore& store, bool pin) : store_(store), pin_(pin) {}

  /// Prepares for numbers less than `count`.
  void grow(std::size_t count) {
    if (slots_.size() < count) slots_.resize(count);
  }
  /// One more event links to it.
  void keep(std::uint32_t number) { ++slots_[number].uses; }
  /// One of the events that use it has been placed, or will not come.
  void release(std::uint32_t number) {
    Slot& slot = slots_[number];
    if (--slot.uses != 0) return;
    if (slot.pinned) store_.unpin_linked(slot.position);
    slot = {};
    free_.push_back(number);
  }
  /// The event itself has been placed.
  void fill(std::uint32_t number, Position position) {
    Slot& slot = slots_[number];
    slot.position = position;
    if (pin_ && slot.uses > 1) {
      store_.pin_linked(position);
      slot.pinned = true;
    }
    release(number);
  }
  /// The event itself is not in the trace.
  void miss(std::uint32_t number) {
    slots_[number].missing = true;
    release(number);
  }

  /// no_position until the event is placed, and if it is missing.
  Position position(std::uint32_t number) const { return slots_[number].position; }
  /// True if no other event has to wait for it: it has been placed, or is missing.
  bool known(std::uint32_t number) const { return slots_[number].position != no_position || slots_[number].missing; }
  /// Swaps the numbers that are free with `numbers`, which is empty.
  void take_free(std::vector<std::uint32_t>& numbers) { numbers.swap(free_); }

 private:
  struct Slot {
    Position position = no_position;
    std::uint32_t uses = 2;  ///< number of events that use the slot: the event itself, and each that links to it
    bool missing = false;
    bool pinned = false;  ///< pinned in the store until the last event that links to it has been placed
  };

  EventStore& store_;
  const bool pin_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace waitstate::merge
