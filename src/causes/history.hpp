// Work and meetings of a location between two of its points: looked at when the whole trace has been noted.
//
// A location's work between two points is that between their cuts, which lie where the calls of the points begin
// (kinds.hpp, column `before`): so the call of the first point is in it, and that of the second is not. Cost: that of
// the work log, and a step for each point between the two.
#pragma once

#include <algorithm>
#include <optional>

#include "causes/path_times.hpp"
#include "causes/recorded.hpp"

namespace waitstate::causes {

/// A bound of a location's work, where its completion of an incomplete operation is not known.
enum class Bound : std::uint8_t { least, most };

class History {
 public:
  explicit History(const Recorded& of) : recorded(of) {}

  const Recorded& recorded;

  std::size_t locations() const { return recorded.locations(); }
  Point at(PointId p) const { return recorded.points.at(p); }
  /// The last point of the location, no_point if it has none.
  PointId last(LocationId l) const { return recorded.order.last(l); }

  bool has_met(const Point& p, LocationId location) const;
  /// The latest point before p on its location at which it met the location, no_point if there is none.
  PointId previous(const Point& p, LocationId met) const;
  /// The latest fork or barrier of a team before p on its location.
  PointId previous_of_team(const Point& p) const;
  /// Where p's location had met that of q before, of two points that are about the same wait.
  PointId previous_meeting(const Point& p, const Point& q) const;

  /// visit(PointId, const Point&) of the points strictly between a and b of one location, from the latest on; a may be
  /// no_point: the start. `before_b`: the last one before b.
  template <class Visit>
  void between(PointId a, PointId before_b, Visit&& visit) const {
    for (PointId id = before_b; id != a && id != no_point;) {
      const Point p = at(id);
      visit(id, p);
      id = p.point_before();
    }
  }

  /// Where the work before a point ends. A call that has to do with locks may release its own one before its wait ends:
  /// it waits from its enter on.
  Time cut(const Point& p) const {
    const bool at_enter = traits(p.kind).before == PointTraits::Before::enter;
    return at_enter || !recorded.has_nested[p.location.index()] ? p.enter : cut_in_call(p);
  }
  /// Adds what the location did between the cuts of two of its points; a: no_point where the location begins. The time
  /// from a fork to its region belongs to the region.
  void add_work(PointId a, const Point& b, PathTimes& times) const {
    add_work(b.location, a, b.point_before(), cut(b), times);
  }
  /// Like add_work(), for two points without a fork between them; a: null where the location begins.
  void add_work_without_forks(const Point* a, const Point& b, PathTimes& times) const {
    recorded.work.add(b.location, a == nullptr ? std::nullopt : std::optional(cut(*a)), cut(b), times);
    if (a != nullptr && a->kind == PointKind::fork && a->total > 0) times.add(a->callpath, a->total);
  }
  /// Like add_work(), without waits, and without the call of a but for its completion. Returns how long the location
  /// waited; `waits` is empty before and after.
  Ticks add_work_without_waits(PointId a, const Point& b, Bound bound, PathTimes& times, PathTimes& waits) const;
  /// Takes from what a location did since the call of a its waits, which are cleared, and that call but for its
  /// completion; a: null where the location begins.
  static void take_off_waits(const Point* a, Bound bound, PathTimes& times, PathTimes& waits) {
    for (const CallPathId c : waits.touched()) times.set(c, std::max<Ticks>(0, times[c] - waits[c]));
    waits.clear();
    if (a == nullptr || times[a->callpath] == 0) return;
    const Ticks completion = a->kind == PointKind::incomplete && bound == Bound::least ? 0 : a->completion;
    times.set(a->callpath, std::max<Ticks>(0, times[a->callpath] - a->total + completion));
  }

  // A wait that began at q, for what p's location did since the two had met at a and b: these lie before p and q.
  /// Time that the culprit may have worked beyond what add_work_without_waits() says with Bound::least.
  Ticks unknown_of_culprit(PointId a) const { return unknown_completion(a); }
  /// Time that the location that waited may have worked less than what it says with Bound::most: completion, and waits
  /// that are not known.
  Ticks unknown_of_waiter(PointId b, const Point& q) const {
    return unknown_completion(b) + recorded.lacking.time_between(q.location, since(b), q.enter);
  }
  /// A call of the culprit since a, of which something is missing: so its work is not known at all. Null if there is
  /// none.
  const LackingCalls::LackingCall* lacks(PointId a, const Point& p) const {
    return recorded.lacking.any_between(p.location, since(a), p.enter);
  }
  /// Like add_work(), to the end of the location.
  void add_work_to_end(PointId a, LocationId l, PathTimes& times) const {
    add_work(l, a, last(l), std::nullopt, times);
  }

 private:
  Time cut_in_call(const Point& p) const;
  /// From then on calls count that lack something: with that of the meeting, which may have gone on after it.
  std::optional<Time> since(PointId a) const {
    if (a == no_point) return std::nullopt;
    const Point p = at(a);
    return p.kind == PointKind::incomplete || p.enter == 0 ? p.enter : p.enter - 1;
  }
  Ticks unknown_completion(PointId a) const {
    if (a == no_point) return 0;
    const Point p = at(a);
    return p.kind == PointKind::incomplete ? p.completion : 0;
  }
  void add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to, PathTimes& times) const;
};

}  // namespace waitstate::causes
