#include "causes/unfollowed.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace waitstate::causes {

namespace {

/// Wait a counts for `of_a` ticks and b for `of_b`: true if a is the longer one, or as long and of a smaller place.
bool is_longer(const UnfollowedWait& a, Time of_a, const UnfollowedWait& b, Time of_b) {
  return std::tie(of_b, a.location, a.begin) < std::tie(of_a, b.location, b.begin);
}

}  // namespace

void UnfollowedWaits::add(PointKind kind, LocationId location, CallPathId callpath, Time end, Ticks ticks) {
  if (ticks <= 0) return;
  const UnfollowedWait wait{location, callpath, end - std::min(end, static_cast<Time>(ticks)), end};
  waits_.front()->push_back(wait);
  find_longest(delay_type(kind), wait);
}

void UnfollowedWaits::find_longest(DelayType type, const UnfollowedWait& wait) {
  UnfollowedWait& longest = longest_[static_cast<std::size_t>(type)];
  if (!longest.callpath.valid() || is_longer(wait, wait.end - wait.begin, longest, longest.end - longest.begin))
    longest = wait;
}

void UnfollowedWaits::join(UnfollowedWaits& other) {
  std::move(other.waits_.begin(), other.waits_.end(), std::back_inserter(waits_));
  other.waits_.clear();
  for (std::size_t type = 0; type < other.longest_.size(); ++type)
    if (other.longest_[type].callpath.valid()) find_longest(static_cast<DelayType>(type), other.longest_[type]);
}

CallPathId UnfollowedWaits::longest_in(std::vector<PathPiece> pieces) const {
  std::sort(pieces.begin(), pieces.end(), [](const PathPiece& a, const PathPiece& b) {
    return std::tie(a.location, a.from) < std::tie(b.location, b.from);
  });
  UnfollowedWait longest;
  Time most = 0;
  each([&](const UnfollowedWait& w) {
    // Pieces of a location follow each other: the last one that begins before the end of the wait comes first.
    auto p = std::lower_bound(pieces.begin(), pieces.end(), w, [](const PathPiece& x, const UnfollowedWait& y) {
      return std::tie(x.location, x.from) < std::tie(y.location, y.end);
    });
    while (p != pieces.begin()) {
      --p;
      if (p->location != w.location || p->to <= w.begin) return;
      const Time from = std::max(p->from, w.begin), to = std::min(p->to, w.end);
      if (to <= from) continue;
      if (most == 0 || is_longer(w, to - from, longest, most)) longest = w, most = to - from;
    }
  });
  return longest.callpath;
}

}  // namespace waitstate::causes
