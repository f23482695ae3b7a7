// Brings the events of all locations into the one stream: by time, location numbers deciding ties, but never an effect
// before its cause. The causes are known from linking: a receive waits for its send, the end of a collective operation
// for the begins that it had to wait for by the operation's kind. A location whose next event waits is left out until
// its cause has been placed; a cause that never comes is known from the linker or, if all wait in a circle, the
// earliest event is placed all the same and counted (order_forced).
//
// Two ways lead to the one order. A window - all events up to where the first location has no more - is sorted by
// time, and placed from front to back; what has to wait for its cause leaves it. Those locations, and what is too
// little for a window, go one after the other: whose next event is the first one, a heap tells.
//
// The merge only runs if somebody wants every event: EventTrace, or a pattern with event callbacks. All that it knows
// of linking comes with the steps of MergeFeed, so another thread may link meanwhile; and how far that is ahead makes
// no difference to the order. Cost: sorting (or a heap operation per change of location) and a copy per event. Memory:
// the chunks between the slowest and the fastest location.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "link/merge_feed.hpp"
#include "merge/collective_order.hpp"
#include "merge/event_store.hpp"
#include "merge/link_slots.hpp"
#include "merge/location_heap.hpp"
#include "merge/message_queue.hpp"
#include "merge/open_regions.hpp"
#include "merge/transfers.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/front_queue.hpp"

namespace waitstate::merge {

/// Receives every event of the stream, in order, after it has been stored; stack() and queue() are those after it.
class EventConsumer {
 public:
  virtual ~EventConsumer() = default;
  virtual void event(Position pos, EventType type) = 0;
};

class Merge {
 public:
  /// With `pin`, the store is told which events something can still point to.
  Merge(const Definitions& definitions, link::MergeFeed& feed, EventStore& store, EventConsumer* consumer, bool pin);

  /// Puts the starts and ends of one-sided transfers into the stream too; before the first chunk.
  void derive_transfers(const CallTree& call_tree, RmaModel model);
  /// Keeps the message queue for queue(); before the first chunk. With `pin`, its sends stay in the store.
  void keep_queue() { queue_ = std::make_unique<MessageQueue>(streams_.size()); }

  /// Takes the events of a chunk that has been linked, places what can be placed, and gives the step back.
  void take(link::MergeStep& step);
  /// Takes the last step: nothing else comes, and everything that is left is placed.
  void take_last(link::MergeStep& step);

  /// After the event that was placed last, as EventStore has them: the open regions of a location, outermost first …
  std::vector<Position> stack(LocationId l) const;
  /// … and the sends that have not been received, oldest first.
  std::vector<Position> queue(std::optional<LocationId> src, std::optional<LocationId> dest) const {
    return queue_->sends(src, dest);
  }

  link::MergeFeed& feed() { return feed_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  struct Interval {
    replay::EventRows events;
    std::vector<replay::TaskEvent> tasks;  ///< by number
  };
  struct Stream {
    // First what is looked at for each event.
    const replay::EventRow* rows = nullptr;  ///< of the first interval, `count`
    std::size_t count = 0, next = 0;
    Time key = 0;  ///< time of the next event, never decreasing
    RegionStack stack;
    bool last = false;       ///< no more intervals will come
    bool has_link = false;   ///< `link` is the next event's
    bool in_window = false;  ///< its events of the window are still to be placed from there
    link::Link link;
    util::FrontQueue<link::Link> links;  ///< of the records to come
    std::deque<Interval> intervals;
    std::size_t next_task = 0;  ///< in the first interval
  };
  bool take_notes(const link::MergeStep& step);
  void add(link::MergeStep& step);
  void run();
  void later_by(std::size_t events) { until_window_ -= std::min(until_window_, events); }
  void begin_next(LocationId l);
  bool place_window();
  bool collect_window();
  void place_while_first(LocationId l, const LocationHeap::Head& until);
  bool place_if_ready(Stream& s, LocationId l);
  bool ready(LocationId l);
  void wait(LocationId l);
  void wake(LocationId l);
  void retry_waiting();
  void force_first();
  void place(LocationId l);
  void place_move(Stream& s, LocationId l);
  Position place_derived(EventStore::Input e);

  const Definitions& definitions_;
  link::MergeFeed& feed_;
  Diagnostics diagnostics_;
  EventStore& store_;
  EventConsumer* const consumer_;
  const bool pin_;
  std::vector<Stream> streams_;
  LinkSlots slots_;  ///< by the numbers of MergeFeed
  OpenRegions regions_;
  CollectiveOrder collectives_;
  std::vector<replay::EventRows> spare_;                ///< whose events have been placed: their memory is used again
  LocationHeap heads_;                                  ///< by the times of their next events
  std::vector<LocationId> window_locations_;            ///< scratch of place_window(), ascending
  std::vector<std::uint64_t> window_, window_scratch_;  ///< the same: see collect_window()
  std::size_t until_window_ = 0;  ///< events that come, or are placed singly, until a window is looked for again
  std::set<LocationId> waiting_;  ///< locations whose next event waits for its cause
  std::set<LocationId> starved_;  ///< locations whose next event has not been read
  std::unordered_map<std::uint32_t, LocationId> by_message_;                  ///< who waits for the send
  std::unordered_map<std::uint32_t, std::vector<LocationId>> by_collective_;  ///< who waits for begins
  std::uint64_t missing_seen_ = 0;
  bool complete_ = false;                 ///< there will be no more steps
  std::unique_ptr<Transfers> transfers_;  ///< null if nobody asked for them
  std::unique_ptr<MessageQueue> queue_;   ///< the same
};

}  // namespace waitstate::merge
