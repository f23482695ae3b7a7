// The times of each location at which everything is shown, whatever else is left out: where a wait begins and where its
// culprit ends it, or the time around the worst waits. They come sorted from a scratch file, as the events do, and wait
// here until the events of their location have passed them.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <vector>

#include "export/spilled_sort.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::exports {

class KeptTimes {
 public:
  struct Kept {
    Time from = 0, to = 0;  ///< both included
    LocationId location;
    LocationId sender;  ///< the sender of a message that was received at that time and that a wait waited for;
                        ///< none: no message
  };

  explicit KeptTimes(std::size_t locations) : of_location_(locations) {}

  void add(const Kept& kept) { sorted_.add(kept); }
  bool empty() const { return sorted_.size() == 0; }

  /// Begins at the first event.
  void rewind() {
    for (OfLocation& l : of_location_) l.times.clear(), l.messages.clear();
    reader_.emplace(sorted_);
    next_ = reader_->next();
  }
  /// Whether the location has such a time in [from, to]. Asked in the order of its time.
  bool any(LocationId location, Time from, Time to) {
    take(to);
    std::deque<Kept>& times = of_location_[location.index()].times;
    bool found = false;
    for (const Kept& k : times) {
      if (k.from > to) break;
      found = found || k.to >= from;
    }
    std::erase_if(times, [&](const Kept& k) { return k.to < to; });
    return found;
  }
  /// Whether a wait waited for the message that the location has received at that time.
  bool is_awaited(LocationId location, Time received, LocationId sender) {
    take(received);
    std::deque<Kept>& messages = of_location_[location.index()].messages;
    while (!messages.empty() && messages.front().from < received) messages.pop_front();
    return std::any_of(messages.begin(), messages.end(),
                       [&](const Kept& k) { return k.from == received && k.sender == sender; });
  }

 private:
  struct Order {
    bool operator()(const Kept& a, const Kept& b) const {
      const auto key = [](const Kept& k) { return std::tuple(k.from, k.to, k.location.value, k.sender.value); };
      return key(a) < key(b);
    }
  };
  struct OfLocation {
    std::deque<Kept> times, messages;
  };

  void take(Time until) {
    for (; next_ != nullptr && next_->from <= until; next_ = reader_->next()) {
      OfLocation& l = of_location_[next_->location.index()];
      (next_->sender.valid() ? l.messages : l.times).push_back(*next_);
    }
  }

  using Sorted = SpilledSort<Kept, Order>;
  Sorted sorted_;
  std::optional<Sorted::Reader> reader_;
  const Kept* next_ = nullptr;
  std::vector<OfLocation> of_location_;
};

}  // namespace waitstate::exports
