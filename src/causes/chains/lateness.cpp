#include "causes/chains/lateness.hpp"

namespace waitstate::causes {

Lateness LatenessFinder::of_wait(const Point& q, PointId culprit) {
  const Point p = history_.at(culprit);
  const PointId a = history_.previous_meeting(p, q), b = history_.previous_meeting(q, p);
  Lateness late{.location = p.location, .from = a == no_point ? 0 : history_.at(a).enter, .to = p.enter};
  late.lacks = history_.lacks(a, p);
  late.unknown_completion = history_.unknown_of_culprit(a);
  late.unknown = late.unknown_completion + history_.unknown_of_waiter(b, q);
  if (a != no_point) late.met_in = history_.at(a).callpath;
  late.waited = history_.add_work_without_waits(a, p, Bound::least, late_, waits_);
  history_.add_work_without_waits(b, q, Bound::most, own_, waits_);
  history_.between(a, p.point_before(), [&](PointId id, const Point& y) { late.wait(id, y); });
  for (const CallPathId c : late_.touched()) late.work(c, late_[c] - own_[c], order_);
  late_.clear(), own_.clear();
  return late;
}

Lateness LatenessFinder::of_master(LocationId master, const MasterAlone& alone) {
  Lateness late{.location = master, .from = alone.from.value_or(0), .to = alone.to.value_or(~Time{0})};
  history_.recorded.work.add(master, alone.from, alone.to, late_);
  for (PointId id = alone.last; id != no_point;) {
    const Point y = history_.at(id);
    if (is_of_team(y.kind)) break;
    if (y.wait > 0) {
      own_.add(y.callpath, y.wait);
      late.waited += y.wait;
      late.wait(id, y);
    }
    id = y.point_before();
  }
  for (const CallPathId c : late_.touched()) late.work(c, late_[c] - own_[c], order_);
  late_.clear(), own_.clear();
  return late;
}

}  // namespace waitstate::causes
