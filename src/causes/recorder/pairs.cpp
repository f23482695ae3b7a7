#include "causes/recorder/pairs.hpp"

#include <algorithm>

namespace waitstate::causes {

void add_pair(Recorded& to, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit,
              Time came) {
  if (!to.wanted.all_waits)
    return to.unfollowed.add(kind, waiter.location, waiter.callpath, std::min(came, waiter.exit), wait);
  const Ticks after = ticks_from(culprit.exit, waiter.exit);  // negative if the culprit left later
  Point p = make_point(kind, culprit, came, 0, std::max<Ticks>(0, -after));
  p.met = waiter.location, p.other = waiter.number & Point::other_bits;
  const PointId awaited = to.add(p);
  p = make_point(kind, waiter, waited, wait, std::max<Ticks>(0, after));
  p.met = culprit.location, p.other = culprit.number & Point::other_bits;
  p.culprit = awaited;
  to.add(p);
}

void add_release(Recorded& to, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing,
                 Time release_time) {
  Call rest = releasing;
  rest.enter = release_time, rest.exit = std::max(rest.exit, release_time);
  add_pair(to, kind, waiter, waited, wait, rest, release_time);
}

}  // namespace waitstate::causes
