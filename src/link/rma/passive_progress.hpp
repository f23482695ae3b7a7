// How far each location of a worker has been read, and from that the worker's promise to all others: which steps of
// passive target its locations may still bring.
//
// Cost: a comparison for each of the worker's locations once in half as many chunks. Memory: 40 bytes a location.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "util/paged_table.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class PassiveProgress {
 public:
  struct Promise {
    Time bound = ~Time{0};   ///< no later step is earlier than this
    Time open = ~Time{0};    ///< no call that comes later, is still open, or asks was entered before this
    Time asking = ~Time{0};  ///< no call that asks (AskingCalls) ended before this
  };

  /// `own`: the worker's locations, of `locations` in all.
  PassiveProgress(std::vector<LocationId> own, std::size_t locations) : own_(std::move(own)), locations_(locations) {}

  /// A chunk of the location has been read up to that time. No later call was entered before `open_since`.
  void read(LocationId l, Time up_to, Time open_since, bool at_end) {
    LocationState& s = locations_[l.index()];
    s.read = at_end ? ~Time{0} : up_to;
    s.open_since = at_end ? ~Time{0} : open_since;
  }
  /// Steps of the location before `bound` only have been told so far, and the calls of the others were entered at
  /// `open` or later; ~0: all that has been read.
  void hold_back(LocationId l, Time bound, Time open) {
    LocationState& s = locations_[l.index()];
    s.held_back = bound;
    s.held_open = open;
  }
  /// True once in half as many chunks as there are locations.
  bool due() {
    if (until_due_-- != 0) return false;
    until_due_ = own_.size() / 2;
    return true;
  }
  Promise promise() const {
    Promise least;
    for (const LocationId l : own_) {
      const LocationState& s = locations_[l.index()];
      least.bound = std::min({least.bound, s.read, s.held_back});
      least.open = std::min({least.open, s.open_since, s.held_open});
    }
    return least;
  }

 private:
  struct LocationState {
    Time read = 0, open_since = 0, held_back = ~Time{0}, held_open = ~Time{0};
  };

  const std::vector<LocationId> own_;
  util::PagedTable<LocationState> locations_;
  std::size_t until_due_ = 0;
};

}  // namespace waitstate::link
