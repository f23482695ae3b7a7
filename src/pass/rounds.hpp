// In which order locations are read on: the one that is least far in its process's time, and with it those that are
// less than a chunk farther, by their numbers.
//
// What communicates lies side by side more often than not: neighbours' chunks that come one after the other find each
// other's messages in the processor's caches, and so do tables by location. By progress alone, the order among
// locations that advance in step would be a random one. A round takes each of its locations once, and is no wider than
// the lower quartile of what the chunks of the one before it covered, so that what is open between the locations stays
// as small.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "util/front_queue.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

class Rounds {
 public:
  using Entry = std::pair<Ticks, LocationId>;

  void add(LocationId l, Ticks progress) { by_progress_.insert_in_order({progress, l}); }

  /// The location has been read on from `before` to `after`.
  void advance(LocationId l, Ticks before, Ticks after, bool at_end) {
    by_progress_.erase_in_order({before, l});
    if (!at_end) by_progress_.insert_in_order({after, l});
    if (spans_.size() < round_.size()) spans_.push_back(distance(before, after));
  }

  /// The location whose turn it is, among those that may be read on; none if none may. Its turn is then over.
  template <class May>
  LocationId next(May&& may) {
    if (const LocationId l = next_in_round(may); l.valid()) return l;
    begin_round();
    if (const LocationId l = next_in_round(may); l.valid()) return l;
    for (const auto& [progress, l] : by_progress_)
      if (may(l)) return l;
    return LocationId::none();
  }

  /// The location whose turn will probably come soon, of those that may be read ahead; none if none may. They are
  /// looked for in this round, and then in the next one, among the `near` ones.
  template <class May>
  LocationId next_ahead(std::size_t near, May&& may) const {
    std::size_t looked_at = 0;
    for (const LocationId l : to_come()) {
      if (looked_at++ >= near) return LocationId::none();
      if (may(l)) return l;
    }
    for (const auto& [progress, l] : by_progress_) {
      if (looked_at++ >= near) break;
      if (may(l)) return l;
    }
    return LocationId::none();
  }

  /// Locations whose turn comes in this round.
  std::span<const LocationId> to_come() const { return std::span(round_).subspan(turn_); }
  /// All that have not been read to their end, the one that is least far first.
  const util::FrontQueue<Entry>& by_progress() const { return by_progress_; }

 private:
  static Time distance(Ticks from, Ticks to) { return static_cast<Time>(to) - static_cast<Time>(from); }

  template <class May>
  LocationId next_in_round(May&& may) {
    while (turn_ != round_.size())
      if (const LocationId l = round_[turn_++]; may(l)) return l;
    return LocationId::none();
  }

  void begin_round() {
    Time width = 0;
    if (!spans_.empty()) {
      const auto quartile = spans_.begin() + static_cast<std::ptrdiff_t>(spans_.size() / 4);
      std::nth_element(spans_.begin(), quartile, spans_.end());
      width = *quartile;
    }
    spans_.clear();
    round_.clear();
    turn_ = 0;
    for (const auto& [progress, l] : by_progress_) {
      if (distance(by_progress_.front().first, progress) > width) break;
      round_.push_back(l);
    }
    std::sort(round_.begin(), round_.end());
  }

  util::FrontQueue<Entry> by_progress_;
  std::vector<LocationId> round_;
  std::size_t turn_ = 0;  ///< index into round_ of the location whose turn it is next
  std::vector<Time>
      spans_;  ///< times that the chunks since the round began cover, at most one for each of its locations
};

}  // namespace waitstate::pass
