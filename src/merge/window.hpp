// All events up to the time at which the first location has no more, in the order of their times: a window. It is
// sorted at once, which costs less than a heap operation for each event.
//
// A window pays if it has several events of each location on average, but few of them in a row. If it does not pay, no
// other is looked for until some events have come, or have been placed one location after the other. Cost: a pass of a
// radix sort for each ten bits in which times differ. Memory: 16 bytes an event of the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "merge/location_heap.hpp"
#include "merge/location_stream.hpp"
#include "merge/waiting_locations.hpp"

namespace waitstate::merge {

class Window {
 public:
  /// True if it is time to look for a window again.
  bool due() const { return events_until_due_ == 0; }
  /// Notes that this many events have come, or have been placed without a window.
  void later_by(std::size_t events) { events_until_due_ -= std::min(events_until_due_, events); }

  /// Lists the events of the streams, other than those that wait, that come before any event that has not been read.
  /// No event is earlier than `begin`. False if a window does not pay.
  ///
  /// The window has only events of a stream's first interval, and not all of these: it ends before the last one.
  bool collect(std::span<const LocationStream> streams, const WaitingLocations& waiting, Time begin);

  /// The locations that have events in the window, ascending.
  std::span<const LocationId> locations() const { return locations_; }
  /// Calls place(time and location) for each event of the window, in their order.
  template <class Place>
  void each(Place&& place) const {
    for (const std::uint64_t entry : entries_)
      place(LocationHeap::Head{begin_ + (entry >> location_bits), locations_[entry & location_mask]});
  }

 private:
  // In an entry, the number of the location, among those of the window, stands below the time since its begin.
  static constexpr unsigned location_bits = 16, time_bits = 64 - location_bits;
  static constexpr std::uint64_t location_mask = (std::uint64_t{1} << location_bits) - 1;

  Time find_end(std::span<const LocationStream> streams, const WaitingLocations& waiting);
  void list_events(std::span<const LocationStream> streams, Time end);
  bool pays() const;

  Time begin_ = 0;
  std::vector<LocationId> locations_;
  std::vector<std::uint64_t> entries_, scratch_;
  std::size_t events_until_due_ = 0;
};

}  // namespace waitstate::merge
