#include "causes/path/segments.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace waitstate::causes {

namespace {

/// The time from a fork to its region is on the path, but before the point.
Ticks before_enter(const Point& p) { return p.kind == PointKind::fork ? std::max<Ticks>(0, p.total) : 0; }

}  // namespace

/// The later one of two equally long segments counts as longer.
bool Segments::longer(const Kept& a, const Kept& b) {
  return std::tie(b.segment.ticks, a.number) < std::tie(a.segment.ticks, b.number);
}

void Segments::add(const Point* begin, Time to, LocationId location, const PathTimes& piece) {
  CriticalSegment s;
  s.location = location, s.to = to;
  for (const CallPathId c : piece.touched()) {
    if (piece[c] <= 0) continue;
    s.ticks += piece[c];
    if (piece[c] > s.callpath_ticks || (piece[c] == s.callpath_ticks && order_(c, s.callpath)))
      s.callpath = c, s.callpath_ticks = piece[c];
  }
  s.from = begin == nullptr
               ? to - std::min(to, static_cast<Time>(s.ticks))
               : begin->enter - std::min(begin->enter, static_cast<Time>(before_enter(*begin))) +
                     static_cast<Time>(begin->kind == PointKind::poll ? 0 : std::max<Ticks>(0, begin->wait));
  s.to = std::max(s.from, s.to);
  if (begin != nullptr && begin->culprit != no_point)
    s.crossing = traits(begin->kind).crossing, s.waited_in = begin->callpath;
  path_.ticks += s.ticks;
  kept_.push_back({s, added_++});
  std::push_heap(kept_.begin(), kept_.end(), longer);
  if (kept_.size() <= most_) return;
  std::pop_heap(kept_.begin(), kept_.end(), longer);
  ++path_.left_out;
  path_.ticks_left_out += kept_.back().segment.ticks;
  kept_.pop_back();
}

CriticalPath Segments::finish() {
  std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.number > b.number; });
  for (const Kept& k : kept_) path_.segments.push_back(k.segment);
  kept_.clear();
  return std::move(path_);
}

}  // namespace waitstate::causes
