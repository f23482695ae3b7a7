// Why a location waited: the points at which locations met, and what each of them did between two of its points.
//
// A point is a record at which a location met others: who came later, how long this one waited, and which part of the
// call came after all were there. Points are collected while the trace is read; what locations did in between is noted
// where they are replayed (waitstate/pattern/work.hpp), so that no event has to be put in order. When all of it is
// known, patterns look back over it: critical_path.cpp from the end of the run, delay.cpp from each wait to its causes.
//
// Each location has a log of its points (points.hpp), in the order in which they came; each points to the one before it
// in the order of time. A sender's point comes when its receiver has been read, behind some dozens of others: so of a
// location the places of its last 64 to 128 points stay in memory, at most 3 KiB, and a point is put in order there
// when it comes. Where points come later than that more of them stay, as long as these take 16 MiB at most. An
// operation takes 12 bytes, and 4 a member if only some have a point; beyond a limit these go into scratch files too
// (waitstate/pattern/spilled_vector.hpp).
//
// Invariant: a point that waits knows the point that it waited for, by location and number. Definitions: those of
// Scalasca 2.6.
//
// Here stand what points are, and what looks back over them. What makes points: causes_mpi.hpp, causes_threads.hpp,
// causes_devices.hpp, causes_all_waits.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "causes/point_log.hpp"
#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/spilled_vector.hpp"

namespace waitstate::causes {

/// The points of one collective operation.
struct PointGroup {
  static constexpr std::uint32_t everybody = ~std::uint32_t{0};
  std::uint32_t first = 0;          ///< index into Causes::members
  std::uint32_t count = everybody;  ///< of members that have a point
  std::uint32_t communicator = 0;   ///< index into Causes::communicators
};

/// A member of a collective operation that has a point there.
struct CollectivePart {
  std::uint32_t member;
  Ticks wait;
};

/// Points of a trace.
struct Causes {
  Causes(const Definitions& definitions, std::size_t spill_beyond, bool with_all_waits, bool plain_rules)
      : all_waits(with_all_waits),
        plain(plain_rules),
        points(definitions.locations.size(), spill_beyond),
        groups(spill_beyond),
        members(spill_beyond),
        forks(spill_beyond),
        definitions_(definitions),
        recent_(locations()),
        has_nested_(locations()) {}

  void late_sender(const Message& m, const Wait& wait);
  void late_receiver(const Message& m, const Call& completing, const Wait& wait);
  void collective(const Collective& c);
  // With all_waits, what Scalasca leaves out: causes_all_waits.hpp.
  /// The longest wait for a non-blocking operation.
  void nonblocking(const CompletedCollectives& c);
  void window(const RmaCollective& r);
  void access(const RmaAccessEpoch& e);
  void exposure(const RmaExposureEpoch& e);
  void passive(const RmaPassiveCall& r);
  void change(const RmaWaitChange& w);
  void lock(const LockAcquired& a);
  void idle(const TaskIdle& t);
  void device(const DeviceWait& w);

  void team_barrier(const TeamBarrier& b);
  /// After the last of the above: adds the points of forks and launches.
  void finish(const Work& of_locations);

  /// After finish(): Work::share(), and the same of points.
  void share(unsigned readers) const {
    points.share(readers), groups.share(readers), members.share(readers), forks.share(readers), work->share(readers);
  }
  void end_sharing() const {
    points.end_sharing(), groups.end_sharing(), members.end_sharing(), forks.end_sharing(), work->end_sharing();
  }

  std::size_t locations() const { return definitions_.locations.size(); }
  static bool is_of_team(const Point& p) { return p.kind == PointKind::fork || p.kind == PointKind::team_barrier; }
  /// The latest fork or barrier of a team before p on its location.
  PointId previous_of_team(const Point& p) const {
    PointId id = p.point_before();
    while (id != no_point) {
      const Point at_id = at(id);
      if (is_of_team(at_id)) break;
      id = at_id.point_before();
    }
    return id;
  }
  Point at(PointId p) const { return points.at(p); }
  /// The last point of the location, no_point if it has none.
  PointId last(LocationId l) const {
    const std::vector<Place>& recent = recent_[l.index()].places;
    return recent.empty() ? no_point : PointId{l, recent.back().number};
  }
  bool has_met(const Point& p, LocationId location) const;
  /// The latest point before p on its location that met the location, no_point if there is none.
  PointId previous(const Point& p, LocationId met) const;
  /// Where p's location had met that of q before, of two points that are about the same wait.
  PointId previous_meeting(const Point& p, const Point& q) const;
  /// f(PointId, const Point&) of the points strictly between a and b of one location, from the latest on; a may be
  /// no_point: the begin. `before_b`: the last one before b.
  template <class F>
  void between(PointId a, PointId before_b, F&& f) const {
    for (PointId id = before_b; id != a && id != no_point;) {
      const Point p = at(id);
      f(id, p);
      id = p.point_before();
    }
  }
  /// Where what the location did before a point of a call ends: at the enter of the call, or at the latest enter or
  /// exit in it before the record. A call that has to do with locks may release its own one before its wait ends: it
  /// waits from its enter on.
  Time cut(const Point& p) const {
    if (!has_nested_[p.location.index()] || p.kind == PointKind::fork || p.kind == PointKind::team_barrier ||
        p.kind == PointKind::passive_target || p.kind >= PointKind::lock)
      return p.enter;
    const Time exit = p.enter + static_cast<Time>(p.total);  // at which the next call may be entered
    if (p.record <= p.enter) return p.enter;
    return std::max(p.enter, work->last_cut(p.location, p.record - (p.record == exit ? 1 : 0)).value_or(p.enter));
  }
  /// What the location did between the cuts of two of its points.
  void add_work(PointId a, const Point& b, PathTimes& times) const {
    add_work(b.location, a, b.point_before(), cut(b), times);
  }
  /// The same without forks between the two; a: null where the location begins.
  void add_work(const Point* a, const Point& b, PathTimes& times) const {
    work->add(b.location, a == nullptr ? std::nullopt : std::optional(cut(*a)), cut(b), times);
    if (a != nullptr && a->kind == PointKind::fork && a->total > 0) times.add(a->callpath, a->total);
  }
  /// The same without its waits, and without the call of a but for its completion. Returns how long it waited; `waits`
  /// is empty before and after.
  Ticks add_work_without_waits(PointId a, const Point& b, PathTimes& times, PathTimes& waits) const {
    add_work(a, b, times);
    Ticks waited = 0;
    between(a, b.point_before(), [&](PointId, const Point& y) {
      if (y.wait <= 0) return;
      waits.add(y.callpath, y.wait);
      waited += y.wait;
    });
    const Point from = a == no_point ? Point{} : at(a);
    take_off_waits(a == no_point ? nullptr : &from, times, waits);
    return waited;
  }
  /// Of what a location did since the call of a: its waits, which are cleared, and that call but for its completion.
  static void take_off_waits(const Point* a, PathTimes& times, PathTimes& waits) {
    for (const CallPathId c : waits.touched()) times.set(c, std::max<Ticks>(0, times[c] - waits[c]));
    waits.clear();
    if (a != nullptr && times[a->callpath] != 0)
      times.set(a->callpath, std::max<Ticks>(0, times[a->callpath] - a->total + a->completion));
  }
  /// The same with its waits, to the end of the location.
  void add_work_to_end(PointId a, LocationId l, PathTimes& times) const {
    add_work(l, a, last(l), std::nullopt, times);
  }

  const bool all_waits;  ///< also those that Scalasca has no causes of
  const bool plain;      ///< without what only Scalasca does: parameter `plain` of critical_path
  PointLog points;
  SpilledVector<PointGroup> groups;
  SpilledVector<LocationId> members;                   ///< of groups that have not all of their communicator
  std::vector<std::vector<LocationId>> communicators;  ///< in the order of locations
  PointId first_to_end = no_point;  ///< MPI_Finalize of the process that entered it last: there the run ends
  /// A parallel region: the time from the join before it to its fork belongs to its first thread alone.
  struct Fork {
    LocationId master;
    std::uint32_t next = no_group;  ///< of the team's communicator
    Time after = 0, time = 0, first_enter = ~Time{0}, join = ~Time{0};
    bool is_first = true;  ///< there is no join before it
    PointId point = no_point;
  };
  SpilledVector<Fork> forks;
  /// Of the parallel regions of a process, none if it was in the last one when the trace ended.
  std::optional<Time> last_join(LocationId master) const {
    const auto found = threads_.find(master);
    return found != threads_.end() && found->second.has_joined && !found->second.in
               ? std::optional(found->second.joined)
               : std::nullopt;
  }
  /// Locations that have forked.
  std::vector<LocationId> masters() const {
    std::vector<LocationId> all;
    for (const auto& [location, thread] : threads_)
      if (thread.has_forked) all.push_back(location);
    return all;
  }
  /// Other threads of its process.
  std::size_t threads_beside(LocationId master) const {
    const std::vector<LocationId>& all = definitions_[definitions_[master].process].locations;
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](LocationId l) {
      return l != master && definitions_[l].type == LocationType::cpu_thread && work->used(l);
    }));
  }
  bool has_others = false;          ///< tasks without teams, or teams whose fork is not known
  bool has_inner_barriers = false;  ///< of teams within teams
  bool has_tasks = false;           ///< explicit ones
  const Work* work = nullptr;       ///< after finish()
  /// After finish(): why nothing can be told, null if it can.
  const char* left_out() const {
    if (has_others)
      return "the program has tasks without teams, or parts of thread teams that the trace lacks the fork of: what "
             "they "
             "cause is not analysed";
    if (has_tasks && !all_waits)
      return "the program has explicit tasks, whose part in causes is analysed only with the parameter "
             "critical_path.all_waits=1";
    return nullptr;
  }

 private:
  struct Thread {
    std::uint32_t fork = no_group;  ///< of its latest team
    bool own = false;               ///< it was its own
    bool in = false;                ///< in the parallel region, or about to enter it
    bool entered = false;           ///< in it
    bool has_forked = false, has_joined = false;
    Time joined = 0;
  };
  /// What decides about the order of a location's points.
  struct Place {
    Time enter, record;
    std::uint32_t number;
    LocationId met;
    std::uint16_t call;
    bool waits : 1, message : 1;
  };
  static_assert(sizeof(Place) == 32);
  /// Of a location in the order of time: the last ones, and the first one, before which MPI_Init comes when all has
  /// been read.
  struct Recent {
    std::vector<Place> places{};
    std::size_t most = 96;
    Place first{};  ///< if there are any
  };
  static constexpr std::size_t most_of_all = (std::size_t{16} << 20) / sizeof(Place);
  /// Where a location's points are gone through from the last one on: between these two.
  struct Gap {
    std::uint32_t before = PointId::no_number, after = PointId::no_number;
    bool known = false;  ///< of its location some point was put in
  };
  PointId add(Point p);
  void add_group(PointKind kind, const Collective& c, std::vector<CollectivePart> parts, std::uint32_t culprit);
  PointGroup group_of(const Collective& c, const std::vector<CollectivePart>& parts);
  void neighbours(const Collective& c);
  void scan(const Collective& c);
  void shmem_collective(const Collective& c);
  void released(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing, Time release_time);
  bool is_of(const Call& call, RegionClass region_class) const {
    return call.region.valid() && definitions_[call.region].region_class == region_class;
  }
  void pair(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit, Time came);
  std::uint32_t communicator(const Collective& c);
  static Place place(std::uint32_t number, const Point& p) {
    return {p.enter, p.record, number, p.met, p.call, p.wait > 0, p.kind <= PointKind::late_receiver};
  }
  /// Where they are not far from each other.
  static bool is_earlier_call(std::uint16_t x, std::uint16_t y) {
    return x == 0 || (y != 0 && static_cast<std::uint16_t>(y - x) < 0x8000);
  }
  static bool is_before(const Place& x, const Place& y) {
    if (x.enter != y.enter) return x.enter < y.enter;
    if (x.record != y.record) return x.record < y.record;
    // Two calls: the earlier one lasted no time.
    if (x.call != y.call) return is_earlier_call(x.call, y.call);
    // In one call (MPI_Sendrecv) a send and a request come before what completes: or two that exchange messages in no
    // time would be a circle.
    if (x.waits != y.waits) return y.waits;
    // What waits for others until it ends (MPI_Waitall) does so after its messages.
    if (x.waits && x.message != y.message) return x.message;
    // Several waited for the same record: any order that does not depend on who ended first.
    if (x.met != y.met) return x.met < y.met;
    return x.number < y.number;
  }
  void add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to, PathTimes& times) const;
  /// First and last fork of teams of each communicator.
  using ForksOfTeams = std::map<CommId, std::pair<std::uint32_t, std::uint32_t>>;
  ForksOfTeams find_forks();
  std::uint32_t fork_of_part(std::uint32_t& next, Time begin) const;
  void add_fork_points(const ForksOfTeams& of_teams);
  void finish_fork(Point& p) const;
  void settle_tasks(const std::vector<std::uint32_t>& ends);
  void leave_out_inner_barriers();
  void add_launches();
  void put_last(const Place& own, Point& p);
  void go_before(Gap& gap, const Place& own, LocationId l) const;
  void put_into(const Gap& gap, const Place& own, Point& p);
  /// Among the others of its location; points come from the latest of a location on.
  void put_among(PointId id, Point& p, Gap& gap) {
    if (!std::exchange(gap.known, true)) gap.before = last(p.location).number;
    const Place own = place(id.number, p);
    go_before(gap, own, p.location);
    put_into(gap, own, p);
    points.set(id, p);
    gap.after = id.number;
  }

  const Definitions& definitions_;
  std::vector<Recent> recent_;    ///< by location
  std::vector<bool> has_nested_;  ///< by location: regions in calls of MPI or SHMEM
  std::size_t kept_more_ = 0;     ///< places, of all locations
  bool has_task_points_ = false, has_device_points_ = false;
  std::map<LocationId, Thread> threads_;  ///< of teams
  std::set<CommId> inner_teams_;          ///< communicators of teams within teams
  std::map<CommId, std::uint32_t> communicator_of_;
};

/// Published by critical_path when the trace has been read.
struct CausesFound {
  Causes& causes;
};

/// Published instead of it where they cannot be told: why.
struct NoCauses {
  const char* reason;
};

// From the gap on to the one that the point belongs into.
inline void Causes::go_before(Gap& gap, const Place& own, LocationId l) const {
  while (gap.before != PointId::no_number) {
    const Point q = at({l, gap.before});
    if (is_before(place(gap.before, q), own)) break;
    gap.after = std::exchange(gap.before, q.before);
  }
}

inline void Causes::put_into(const Gap& gap, const Place& own, Point& p) {
  p.before = gap.before;
  if (gap.after == PointId::no_number)
    recent_[p.location.index()].places.push_back(own);
  else
    points.change({p.location, gap.after}, [&](Point& next) { next.before = own.number; });
}

inline void Causes::put_last(const Place& own, Point& p) {
  Recent& of_location = recent_[p.location.index()];
  std::vector<Place>& recent = of_location.places;
  const bool is_first = recent.empty() || is_before(own, of_location.first);
  auto next = recent.end();
  if (!recent.empty() && !is_before(recent.back(), own))
    next = std::upper_bound(recent.begin(), recent.end(), own,
                            [](const Place& x, const Place& y) { return is_before(x, y); });
  if (next == recent.begin() && next != recent.end()) {  // it comes before all of these
    Gap gap{.after = of_location.first.number};
    if (!is_first) {
      gap = {.before = at({p.location, next->number}).before, .after = next->number};
      go_before(gap, own, p.location);
      if (kept_more_ + of_location.most <= most_of_all) kept_more_ += of_location.most, of_location.most *= 2;
    }
    put_into(gap, own, p);
    if (is_first) of_location.first = own;
    if (gap.after != next->number) return;
  } else {
    if (is_first) of_location.first = own;
    p.before = next == recent.begin() ? PointId::no_number : std::prev(next)->number;
    if (next != recent.end())
      points.change({p.location, next->number}, [&](Point& after) { after.before = own.number; });
  }
  recent.insert(next, own);
  if (recent.size() >= of_location.most)
    recent.erase(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(of_location.most / 2));
}

inline PointId Causes::add(Point p) {
  put_last(place(points.size(p.location), p), p);
  return points.push_back(p);
}

// The time from a fork to the region belongs to the region.
inline void Causes::add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to,
                             PathTimes& times) const {
  if (a == no_point) {
    work->add(l, std::nullopt, to, times);
  } else {
    const Point from = at(a);
    work->add(l, cut(from), to, times);
    if (from.kind == PointKind::fork && from.total > 0) times.add(from.callpath, from.total);
  }
  if (forks.empty()) return;
  between(a, before_b, [&](PointId, const Point& p) {
    if (p.kind == PointKind::fork && p.total > 0) times.add(p.callpath, p.total);
  });
}

inline bool Causes::has_met(const Point& p, LocationId location) const {
  if (is_of_team(p)) return false;
  if (p.group == no_group || p.met.valid()) return p.met == location;
  if (location == p.location) return false;
  const PointGroup group = groups[p.group];
  if (group.count == PointGroup::everybody) {
    const std::vector<LocationId>& all = communicators[group.communicator];
    return std::binary_search(all.begin(), all.end(), location);
  }
  std::uint32_t first = group.first;
  for (std::uint32_t count = group.count; count > 0;) {
    const std::uint32_t half = count / 2;
    if (members[first + half] < location)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < group.first + group.count && members[first] == location;
}

inline PointId Causes::previous(const Point& p, LocationId met) const {
  PointId id = p.point_before();
  while (id != no_point) {
    const Point before = at(id);
    if (has_met(before, met)) break;
    id = before.point_before();
  }
  return id;
}

// Threads that ask for a lock or have no task have met where their team began and at its barriers too.
inline PointId Causes::previous_meeting(const Point& p, const Point& q) const {
  if (q.kind == PointKind::team_barrier) return previous_of_team(p);
  if (q.kind != PointKind::lock && q.kind != PointKind::task) return previous(p, q.location);
  PointId id = p.point_before();
  while (id != no_point) {
    const Point before = at(id);
    if (is_of_team(before) || has_met(before, q.location)) break;
    id = before.point_before();
  }
  return id;
}

}  // namespace waitstate::causes
