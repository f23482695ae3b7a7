#include "causes/history.hpp"

namespace waitstate::causes {

bool History::has_met(const Point& p, LocationId location) const {
  if (is_of_team(p.kind)) return false;
  if (p.group == no_group || p.met.valid()) return p.met == location;
  return location != p.location && recorded.groups.has(p.group, location);
}

PointId History::previous(const Point& p, LocationId met) const {
  PointId id = p.point_before();
  while (id != no_point) {
    const Point before = at(id);
    if (has_met(before, met)) break;
    id = before.point_before();
  }
  return id;
}

PointId History::previous_of_team(const Point& p) const {
  PointId id = p.point_before();
  while (id != no_point) {
    const Point before = at(id);
    if (is_of_team(before.kind)) break;
    id = before.point_before();
  }
  return id;
}

PointId History::previous_meeting(const Point& p, const Point& q) const {
  switch (traits(q.kind).met) {
    case Met::team:
      return previous_of_team(p);
    case Met::other_or_team:
      break;
    case Met::nobody:
    case Met::partner:
    case Met::mpi_operation:
    case Met::members:
    case Met::other:
      return previous(p, q.location);
  }
  PointId id = p.point_before();
  while (id != no_point) {
    const Point before = at(id);
    if (is_of_team(before.kind) || has_met(before, q.location)) break;
    id = before.point_before();
  }
  return id;
}

Time History::cut_in_call(const Point& p) const {
  const Time exit = p.enter + static_cast<Time>(p.total);  // the next call may be entered then
  if (p.record <= p.enter) return p.enter;
  return std::max(p.enter, recorded.work.last_cut(p.location, p.record - (p.record == exit ? 1 : 0)).value_or(p.enter));
}

Ticks History::add_work_without_waits(PointId a, const Point& b, Bound bound, PathTimes& times,
                                      PathTimes& waits) const {
  add_work(a, b, times);
  Ticks waited = 0;
  between(a, b.point_before(), [&](PointId, const Point& y) {
    if (y.wait <= 0) return;
    waits.add(y.callpath, y.wait);
    waited += y.wait;
  });
  const Point from = a == no_point ? Point{} : at(a);
  take_off_waits(a == no_point ? nullptr : &from, bound, times, waits);
  return waited;
}

void History::add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to, PathTimes& times) const {
  if (a == no_point) {
    recorded.work.add(l, std::nullopt, to, times);
  } else {
    const Point from = at(a);
    recorded.work.add(l, cut(from), to, times);
    if (from.kind == PointKind::fork && from.total > 0) times.add(from.callpath, from.total);
  }
  if (recorded.teams.forks.empty()) return;
  between(a, before_b, [&](PointId, const Point& p) {
    if (p.kind == PointKind::fork && p.total > 0) times.add(p.callpath, p.total);
  });
}

}  // namespace waitstate::causes
