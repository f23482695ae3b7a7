// Brings the events of all locations into the one stream: by time, with location numbers deciding ties, but never an
// effect before its cause. The causes are known from linking: a receive waits for its send, the end of a collective
// operation for the begins that it had to wait for by the operation's kind. A location whose next event waits is left
// out until its cause has been placed; a cause that never comes is known from the linker or, if all locations wait in a
// circle, the earliest event is placed nevertheless and counted (order_forced).
//
// Two ways lead to the one order. A window - all events up to the time at which the first location has no more - is
// sorted by time, and placed from front to back; a location that has to wait for a cause leaves it. Such locations, and
// events that are too few for a window, are placed one after the other: a heap finds the location with the earliest
// event.
//
// The merge only runs if every event is wanted: by EventTrace, or by a pattern with event callbacks. All that it knows
// about linking comes with the steps of MergeFeed. placer.hpp explains the placing of an event. Cost: sorting (or a
// heap operation per change of location) and a copy per event. Memory: the chunks between the slowest and the fastest
// location.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "link/merge_feed.hpp"
#include "merge/location_heap.hpp"
#include "merge/location_stream.hpp"
#include "merge/placer.hpp"
#include "merge/waiting_locations.hpp"
#include "merge/window.hpp"

namespace waitstate::merge {

class Merge {
 public:
  /// With `pin`, the store is told which events something can still point to. `consumer` may be null.
  Merge(const Definitions& definitions, link::MergeFeed& feed, EventStore& store, EventConsumer* consumer, bool pin);

  /// Puts the starts and ends of one-sided transfers into the stream, too; call it before the first chunk.
  void derive_transfers(const CallTree& call_tree, RmaModel model) { placer_.derive_transfers(call_tree, model); }
  /// Keeps the message queue for queue(); call it before the first chunk. With `pin`, its sends stay in the store.
  void keep_queue() { placer_.keep_queue(); }

  /// Takes the events of a chunk that has been linked, places what can be placed, and gives the step back.
  void take(link::MergeStep& step);
  /// Takes the last step: nothing else comes, and everything that is left is placed.
  void take_last(link::MergeStep& step);

  /// The open regions of a location after the event that was placed last, as EventStore has them, outermost first.
  std::vector<Position> stack(LocationId l) const;
  /// The sends that have not been received then, oldest first.
  std::vector<Position> queue(std::optional<LocationId> src, std::optional<LocationId> dest) const {
    return placer_.queue().sends(src, dest);
  }

  link::MergeFeed& feed() { return feed_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  bool take_notes(const link::MergeStep& step);
  void add(link::MergeStep& step);
  void run();
  void begin_next(LocationId l);
  bool place_window();
  void place_while_first(LocationId l, const LocationHeap::Head& until);
  bool place_if_ready(LocationStream& s, LocationId l);
  void place(LocationStream& s, LocationId l);
  bool ready(LocationId l);
  void wait(LocationId l);
  void wake(LocationId l);
  void wake_members(std::uint32_t begun);
  void retry_waiting();
  void force_first();

  link::MergeFeed& feed_;
  Diagnostics diagnostics_;
  std::vector<LocationStream> streams_;
  Placer placer_;
  std::vector<replay::EventRows> spare_;  ///< empty rows, whose memory is used again
  LocationHeap heads_;                    ///< by the times of their next events
  Window window_;
  WaitingLocations waiting_;
  std::set<LocationId> starved_;  ///< locations whose next event has not been read
  std::uint64_t missing_seen_ = 0;
  bool complete_ = false;  ///< there will be no more steps
};

}  // namespace waitstate::merge
