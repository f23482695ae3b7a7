// The critical path as a list of segments. It is walked from its end, and may have as many segments as there are
// messages: the longest are kept, in a heap whose top is the shortest of them, and the others are counted.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "causes/path/chains.hpp"

namespace waitstate::causes {

class Segments {
 public:
  explicit Segments(std::size_t most = CriticalPath::max_segments) : most_(most) {}

  /// The one before those that were added. `begin`: the point at which the location got on, null where it begins; `to`:
  /// the enter of the call at which the path leaves it, or its end; `piece`: what it did, in ticks.
  void add(const Point* begin, Time to, LocationId location, const PathTimes& piece) {
    CriticalSegment s;
    s.location = location, s.to = to;
    for (const CallPathId c : piece.touched()) {
      if (piece[c] <= 0) continue;
      s.ticks += piece[c];
      if (piece[c] > s.callpath_ticks || (piece[c] == s.callpath_ticks && c < s.callpath))
        s.callpath = c, s.callpath_ticks = piece[c];
    }
    s.from = begin == nullptr ? to - std::min(to, static_cast<Time>(s.ticks))
                              : begin->enter - std::min(begin->enter, static_cast<Time>(before_enter(*begin))) +
                                    static_cast<Time>(std::max<Ticks>(0, begin->wait));
    s.to = std::max(s.from, s.to);
    if (begin != nullptr && begin->culprit != no_point)
      s.crossing = crossing_of(begin->kind), s.waited_in = begin->callpath;
    path_.ticks += s.ticks;
    kept_.push_back({s, added_++});
    std::push_heap(kept_.begin(), kept_.end(), longer);
    if (kept_.size() <= most_) return;
    std::pop_heap(kept_.begin(), kept_.end(), longer);
    ++path_.left_out;
    path_.ticks_left_out += kept_.back().segment.ticks;
    kept_.pop_back();
  }

  CriticalPath finish() {
    std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.number > b.number; });
    for (const Kept& k : kept_) path_.segments.push_back(k.segment);
    kept_.clear();
    return std::move(path_);
  }

 private:
  struct Kept {
    CriticalSegment segment;
    std::uint64_t number;  ///< from the end of the path
  };
  /// Of equally long ones the later.
  static bool longer(const Kept& a, const Kept& b) {
    return std::tie(b.segment.ticks, a.number) < std::tie(a.segment.ticks, b.number);
  }
  /// The time from a fork to its region is on the path, but before the point.
  static Ticks before_enter(const Point& p) { return p.kind == PointKind::fork ? std::max<Ticks>(0, p.total) : 0; }

  const std::size_t most_;
  CriticalPath path_;
  std::vector<Kept> kept_;
  std::uint64_t added_ = 0;
};

}  // namespace waitstate::causes
