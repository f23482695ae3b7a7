// Puts one event after the other into the stream: opens and closes regions, links effects to their causes, keeps the
// message queue, derives the events of one-sided transfers, and tells the store to which events something can still
// point.
//
// Merge (merge.hpp) decides which location's event comes next. An event may be placed once causes_placed(). Cost: an
// append to the store, and a push or pop for an enter or exit; for linked events also some accesses to tables by
// number.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "merge/collective_order.hpp"
#include "merge/event_store.hpp"
#include "merge/link_slots.hpp"
#include "merge/location_stream.hpp"
#include "merge/message_queue.hpp"
#include "merge/open_regions.hpp"
#include "merge/transfers.hpp"

namespace waitstate::merge {

/// Receives every event of the stream, in order, after it has been stored.
class EventConsumer {
 public:
  virtual ~EventConsumer() = default;
  virtual void event(Position pos, EventType type) = 0;
  /// The region that was entered by the latest event is left again at that time; no exit will tell.
  virtual void left_at_once() {}
};

/// The numbers that an event's record links to, by use; `none` for a use that it does not have.
struct LinkUse {
  static constexpr std::uint32_t none = link::Link::none;

  std::uint32_t sends = none, receives = none;    ///< the slot of a message
  std::uint32_t starts = none, completes = none;  ///< the slot of a request; a test or a cancellation counts as well
  std::uint32_t begins = none, ends = none;       ///< a member of a collective operation
  bool cancelled = false;                         ///< a send that is never received

  static LinkUse of(EventType type, const link::Link& link);
};

class Placer {
 public:
  /// Places events of `streams`, by location, which outlive it. With `pin`, the store is told which events something
  /// can still point to. `consumer` may be null.
  Placer(const Definitions& definitions, std::span<LocationStream> streams, EventStore& store, EventConsumer* consumer,
         bool pin)
      : definitions_(definitions),
        streams_(streams),
        store_(store),
        consumer_(consumer),
        pin_(pin),
        slots_(store, pin),
        regions_(store, pin),
        collectives_(definitions) {}

  /// Puts the starts and ends of one-sided transfers into the stream, too; call it before the first event.
  void derive_transfers(const CallTree& call_tree, RmaModel model);
  /// Keeps the message queue for queue(); call it before the first event. With `pin`, its sends stay in the store.
  void keep_queue() { queue_ = std::make_unique<MessageQueue>(streams_.size()); }
  const MessageQueue& queue() const { return *queue_; }

  // These functions take the notes of linking on messages, requests and collective operations.
  LinkSlots& slots() { return slots_; }
  CollectiveOrder& collectives() { return collectives_; }
  const CollectiveOrder& collectives() const { return collectives_; }

  /// True if the causes of the stream's next event have been placed, or will never come. The event must have no link,
  /// or its link must have been found.
  bool causes_placed(const LocationStream& s) const;

  /// The placed event, if others may have waited for it; none if none can have.
  struct Placed {
    std::uint32_t message = link::Link::none;  ///< a send: its slot
    std::uint32_t member = link::Link::none;   ///< a begin of a collective operation: the member
  };
  Placed place(LocationStream& s, LocationId l);

  /// True if place_move() may place this event, which is faster. Most events are enters and exits without attributes,
  /// which only open and close a region.
  bool only_moves(const replay::EventRow& row) const {
    return (row.type == EventType::enter || row.type == EventType::exit) && !row.switches && !row.is_left_already &&
           transfers_ == nullptr;
  }
  void place_move(LocationStream& s, LocationId l) {
    const replay::EventRow& row = s.row();
    const EventType type = row.type;
    const CallPathId callpath{row.arg};
    const Position enter = regions_.enter_of(s.stack, type, callpath);
    const Position pos = store_.append_move(row.time, l, type, callpath, enter);
    ++s.next;
    const bool closes = type == EventType::exit && enter != no_position;
    if (type == EventType::enter) regions_.open(s.stack, pos, callpath);
    if (closes) OpenRegions::close(s.stack);
    if (consumer_ != nullptr) consumer_->event(pos, type);
    if (closes) regions_.let_go(enter);
  }

 private:
  void switch_tasks(LocationStream& s, LocationId l);
  static EventStore::Input next_event(const LocationStream& s, LocationId l);
  void set_causes(EventStore::Input& e, const LinkUse& use) const;
  void update_regions(LocationStream& s, const EventStore::Input& e, Position pos);
  void update_queue(const EventStore::Input& e, Position pos);
  Placed tell_effects(const EventStore::Input& e, const LinkUse& use, Position pos);
  void let_go(const EventStore::Input& e, const LinkUse& use);
  Position place_derived(EventStore::Input e);

  const Definitions& definitions_;
  const std::span<LocationStream> streams_;
  EventStore& store_;
  EventConsumer* const consumer_;
  const bool pin_;
  LinkSlots slots_;  ///< by the numbers of MergeFeed
  OpenRegions regions_;
  CollectiveOrder collectives_;
  std::unique_ptr<Transfers> transfers_;  ///< null if they are not wanted
  std::unique_ptr<MessageQueue> queue_;   ///< null if it is not wanted
};

}  // namespace waitstate::merge
