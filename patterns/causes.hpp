// Why a location waited: the points at which locations met, and what each of them did between two of its points.
//
// A point is a record at which a location met others: who came later, how long this one waited, and which part of the
// call came after all were there. Points are collected while the trace is read; what locations did in between is noted
// where they are replayed (waitstate/work.hpp), so that no event has to be put in order. When all of it is known,
// patterns look back over it: critical_path.cpp from the end of the run, delay.cpp from each wait to its causes.
//
// A point takes 72 bytes and an operation 12; beyond a limit they go into scratch files (waitstate/spilled_vector.hpp).
// They lie in the order of reading, which is near that of time, and each points to the one before it on its location:
// nine of ten come behind the last one of their location, so a point is put in order when it comes. Of a location only
// the place of its last point stays in memory.
//
// Invariant: a point that waits knows the point that it waited for; those of an operation lie side by side, in the
// order of locations; of a location each points to the one before it. Definitions: those of Scalasca 2.6.
//
// Long because what makes points and what looks back over them share how points lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "nxn.hpp"
#include "waitstate/late_sender.hpp"
#include "waitstate/pattern.hpp"
#include "waitstate/spilled_vector.hpp"

namespace waitstate::patterns {

using PointId = std::uint32_t;
inline constexpr PointId no_point = 0xffffffffu;
inline constexpr std::uint32_t no_group = 0xffffffffu;

enum class PointKind : std::uint8_t {
  late_sender,
  late_receiver,
  barrier,
  n2n,
  one_to_n,
  n_to_one,
  init,
  finalize,
  fork,
  team_barrier,
  // With all_waits only (causes_all_waits.hpp):
  window,            ///< a collective operation on a window of MPI
  epoch,             ///< post, start, complete, wait
  passive_target,    ///< a lock of a window, or a target that made no progress
  shmem_collective,  ///< of SHMEM, as the next one
  shmem_pair,
  lock,  ///< of threads
  device,
};

struct Point {
  LocationId location;
  CallPathId callpath;
  Time enter = 0, record = 0;      ///< of the call, of the record in it
  Ticks total = 0;                 ///< time of the call
  Ticks wait = 0;                  ///< 0 if it did not wait
  Ticks completion = 0;            ///< time of the call after all partners had come
  PointId culprit = no_point;      ///< whom it waited for
  std::uint32_t group = no_group;  ///< of a collective operation: index into Causes::groups; of a fork: its number
  LocationId met;                  ///< of a message: the partner; of a one-to-all operation: the root, of a waiter
  PointId before = no_point;       ///< on its location
  PointKind kind{};
  bool on_path = false;  ///< the critical path came by
};

static_assert(sizeof(Point) == 72);

/// The points of one collective operation.
struct PointGroup {
  PointId first = 0;
  std::uint32_t count = 0;
  std::uint32_t communicator = 0;  ///< index into Causes::communicators
};

/// A member of a collective operation that has a point there.
struct CollectivePart {
  std::uint32_t member;
  Ticks wait;
};

/// Points of a trace.
struct Causes {
  Causes(const Definitions& definitions, std::size_t spill_beyond, bool with_all_waits)
      : all_waits(with_all_waits),
        points(spill_beyond),
        groups(spill_beyond),
        forks(spill_beyond),
        definitions_(definitions),
        last_(locations()) {}

  void late_sender(const Message& m, const Wait& wait);
  void late_receiver(const Message& m, const Wait& wait);
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
  void device(const DeviceWait& w);

  void team_barrier(const TeamBarrier& b);
  /// After the last of the above: adds the points of forks.
  void finish(const Work& of_locations);

  std::size_t locations() const { return definitions_.locations.size(); }
  static bool is_of_team(const Point& p) { return p.kind == PointKind::fork || p.kind == PointKind::team_barrier; }
  /// The latest fork or barrier of a team before p on its location.
  PointId previous_of_team(const Point& p) const {
    PointId id = p.before;
    while (id != no_point) {
      const Point at_id = at(id);
      if (is_of_team(at_id)) break;
      id = at_id.before;
    }
    return id;
  }
  Point at(PointId p) const { return points[p]; }
  /// The last point of the location, no_point if it has none.
  PointId last(LocationId l) const { return last_[l.index()].id; }
  bool has_met(const Point& p, LocationId location) const;
  /// The latest point before p on its location that met the location, no_point if there is none.
  PointId previous(const Point& p, LocationId met) const;
  /// Where p's location had met that of q before, of two points that are about the same wait.
  PointId previous_meeting(const Point& p, const Point& q) const;
  /// True if a comes before b on their location; no_point comes first.
  bool is_before(PointId a, PointId b) const {
    if (a == no_point || b == no_point) return a == no_point && b != no_point;
    return a != b && is_before(place(a, at(a)), place(b, at(b)));
  }
  /// f(PointId, const Point&) of the points strictly between a and b of one location, from the latest on; a may be
  /// no_point: the begin. `before_b`: the last one before b.
  template <class F>
  void between(PointId a, PointId before_b, F&& f) const {
    for (PointId id = before_b; id != a && id != no_point;) {
      const Point p = at(id);
      f(id, p);
      id = p.before;
    }
  }
  /// What the location did between the calls of two of its points, that of the first included.
  void add_work(PointId a, const Point& b, PathTimes& times) const {
    add_work(b.location, a, b.before, b.enter, times);
  }
  /// The same without its waits, and without the call of a but for its completion. Returns how long it waited; `waits`
  /// is empty before and after.
  Ticks add_work_without_waits(PointId a, const Point& b, PathTimes& times, PathTimes& waits) const {
    add_work(a, b, times);
    Ticks waited = 0;
    between(a, b.before, [&](PointId, const Point& y) {
      if (y.wait <= 0) return;
      waits.add(y.callpath, y.wait);
      waited += y.wait;
    });
    for (const CallPathId c : waits.touched()) times.set(c, std::max<Ticks>(0, times[c] - waits[c]));
    waits.clear();
    if (a == no_point) return waited;
    const Point from = at(a);
    if (times[from.callpath] != 0)
      times.set(from.callpath, std::max<Ticks>(0, times[from.callpath] - from.total + from.completion));
    return waited;
  }
  /// The same with its waits, to the end of the location.
  void add_work_to_end(PointId a, LocationId l, PathTimes& times) const {
    add_work(l, a, last(l), std::nullopt, times);
  }

  const bool all_waits;  ///< also those that Scalasca has no causes of
  SpilledVector<Point> points;
  SpilledVector<PointGroup> groups;
  std::vector<std::vector<LocationId>> communicators;
  PointId first_to_end = no_point;  ///< MPI_Finalize of the process that entered it last: there the run ends
  /// A parallel region: the time from the join before it to its fork belongs to its first thread alone.
  struct Fork {
    LocationId master;
    std::uint32_t next = no_group;  ///< of the process
    Time after = 0, time = 0, first_enter = ~Time{0};
    bool is_first = true;  ///< there is no join before it
    bool begun = false;    ///< its mark was seen
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
  bool has_others = false;     ///< nested teams, or explicit tasks
  const Work* work = nullptr;  ///< after finish()

 private:
  struct Thread {
    std::uint32_t fork = no_group;  ///< of its process, the latest one
    bool own = false;               ///< it was its own
    bool in = false;                ///< in the parallel region, or about to enter it
    bool has_forked = false, has_joined = false;
    Time joined = 0;
  };
  /// What decides about the order of a location's points.
  struct Place {
    PointId id = no_point;
    Time enter = 0, record = 0;
    bool forked = false, waits = false;
  };
  /// Where a location's points are gone through from the last one on: between these two.
  struct Gap {
    PointId before = no_point, after = no_point;
    bool known = false;
  };
  PointId add(Point p);
  void add_group(PointKind kind, const Collective& c, std::vector<CollectivePart> parts, std::uint32_t culprit);
  void neighbours(const Collective& c);
  void shmem_collective(const Collective& c);
  void released(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing, Time release_time);
  bool is_of(const Call& call, RegionClass region_class) const {
    return call.region.valid() && definitions_[call.region].region_class == region_class;
  }
  void pair(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit, Time came);
  std::uint32_t communicator(const Collective& c);
  static Place place(PointId id, const Point& p) {
    return {id, p.enter, p.record, p.kind == PointKind::fork, p.wait > 0};
  }
  static bool is_before(const Place& x, const Place& y) {
    if (x.enter != y.enter) return x.enter < y.enter;
    if (x.record != y.record) return x.record < y.record;
    if (x.forked != y.forked) return x.forked;  // these have the last numbers
    // What waits takes time: a call that enters with it lasted none and came before. In its own call (MPI_Sendrecv) a
    // send and a request come before what completes: or two that exchange messages in no time would be a circle.
    if (x.waits != y.waits) return y.waits;
    return x.id < y.id;
  }
  void add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to, PathTimes& times) const;
  void find_forks();
  void add_fork_points();
  void go_before(Gap& gap, const Place& own) const;
  void put_into(const Gap& gap, const Place& own, LocationId location, PointId& before);

  const Definitions& definitions_;
  std::vector<Place> last_;               ///< by location
  std::map<LocationId, Thread> threads_;  ///< of teams
  std::map<CommId, std::uint32_t> communicator_of_;
};

/// Published by critical_path when the trace has been read.
struct CausesFound {
  Causes& causes;
};

inline Ticks ticks_from(Time from, Time to) {
  return to > from ? static_cast<Ticks>(to - from) : -static_cast<Ticks>(from - to);
}

inline Point point(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion) {
  Point p;
  p.location = call.location;
  p.callpath = call.callpath;
  p.enter = call.enter;
  p.record = record;
  p.total = ticks_from(call.enter, call.exit);
  p.wait = wait;
  p.completion = completion;
  p.kind = kind;
  return p;
}

// From the gap on to the one that the point belongs into.
inline void Causes::go_before(Gap& gap, const Place& own) const {
  while (gap.before != no_point) {
    const Point q = at(gap.before);
    if (is_before(place(gap.before, q), own)) break;
    gap.after = std::exchange(gap.before, q.before);
  }
}

// `before`: of the point itself, which may not be among the others yet.
inline void Causes::put_into(const Gap& gap, const Place& own, LocationId location, PointId& before) {
  before = gap.before;
  if (gap.after == no_point)
    last_[location.index()] = own;
  else
    points.change(gap.after, [&](Point& next) { next.before = own.id; });
}

inline PointId Causes::add(Point p) {
  const Place own = place(static_cast<PointId>(points.size()), p);
  Place& last = last_[p.location.index()];
  if (last.id == no_point || is_before(last, own)) {
    p.before = last.id;
    last = own;
  } else {
    Gap gap{.before = last.id};
    go_before(gap, own);
    put_into(gap, own, p.location, p.before);
  }
  points.push_back(p);
  return own.id;
}

inline void Causes::late_sender(const Message& m, const Wait& wait) {
  const Ticks after = ticks_from(m.send->exit, m.recv->exit);  // negative if the sender left later
  Point p = point(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  p.met = m.receiver;
  const PointId sender = add(p);
  p = point(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  p.culprit = sender, p.met = m.sender;
  add(p);
}

// That nothing of a send counts as completion, and that a negative one takes more off, is as in Scalasca.
inline void Causes::late_receiver(const Message& m, const Wait& wait) {
  const Call &request = *m.recv_post, &own = *m.send;
  const bool blocking = wait.enter == own.enter && wait.location == own.location;
  Call completing = own;
  completing.callpath = wait.callpath, completing.enter = wait.enter, completing.exit = wait.exit;
  const Ticks after = ticks_from(request.exit, wait.exit);
  Point p = point(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  p.met = m.sender;
  const PointId receiver = add(p);
  p = point(PointKind::late_receiver, completing, blocking ? m.send_time : wait.exit, wait.ticks,
            std::min<Ticks>(0, after));
  p.culprit = receiver, p.met = m.receiver;
  add(p);
}

inline std::uint32_t Causes::communicator(const Collective& c) {
  const auto [found, is_new] = communicator_of_.emplace(c.comm, static_cast<std::uint32_t>(communicators.size()));
  if (is_new) {
    std::vector<LocationId>& members = communicators.emplace_back();
    for (const CollectiveMember& m : c.members) members.push_back(m.call->location);
  }
  return found->second;
}

inline void Causes::collective(const Collective& c) {
  if (c.inter() || c.members.size() < 2) return;
  if (c.neighbourhood) {
    if (all_waits) neighbours(c);
    return;
  }
  std::vector<CollectivePart> parts;
  std::uint32_t culprit = Latest::nobody;
  PointKind kind{};
  const auto everybody = [](const CollectiveMember&) { return true; };
  const auto all_for = [&](std::uint32_t last) {
    culprit = last;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) parts.push_back({i, wait_ticks(c, i, last)});
  };
  switch (c.kind) {
    case CollectiveKind::init:
      kind = PointKind::init;
      for (std::uint32_t i = 0; i < c.members.size(); ++i) parts.push_back({i, 0});
      break;
    case CollectiveKind::finalize:
      kind = PointKind::finalize;
      all_for(Latest(c, everybody).seen_by(0));
      break;
    case CollectiveKind::barrier:
      kind = PointKind::barrier;
      all_for(Latest(c, everybody).seen_by(0));
      break;
    case CollectiveKind::all_to_all: {
      if (!all_waits && (c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw)) return;
      const Nxn nxn(c);
      if (!nxn.payload_moved()) return;
      kind = PointKind::n2n;
      if (nxn.all_overlap()) {
        all_for(Latest(c, everybody).seen_by(0));
        break;
      }
      culprit = Latest(c, sends).seen_by(0);
      if (culprit == Latest::nobody) return;
      for (std::uint32_t i = 0; i < c.members.size(); ++i)
        if (const Ticks t = i == culprit || !receives(c.members[i]) ? 0 : wait_ticks(c, i, culprit); t > 0)
          parts.push_back({i, t});
      if (!parts.empty()) parts.push_back({culprit, 0});
      break;
    }
    case CollectiveKind::one_to_all:
      if (c.root == Collective::no_root) return;
      kind = PointKind::one_to_n;
      culprit = c.root;
      for (std::uint32_t i = 0; i < c.members.size(); ++i)
        if (const Ticks t = i == culprit || !receives(c.members[i]) ? 0 : wait_ticks(c, i, culprit); t > 0)
          parts.push_back({i, t});
      if (!parts.empty()) parts.push_back({culprit, 0});
      break;
    case CollectiveKind::all_to_one: {
      if (c.root == Collective::no_root) return;
      kind = PointKind::n_to_one;
      culprit = Latest(c, sends).seen_by(0);
      if (culprit == Latest::nobody || culprit == c.root) return;
      const Ticks t = wait_ticks(c, c.root, culprit);
      if (t <= 0) return;
      parts = {{c.root, t}, {culprit, 0}};
      break;
    }
    case CollectiveKind::scan:
    case CollectiveKind::other:
      return;
  }
  add_group(kind, c, std::move(parts), culprit);
}

// `parts` wait for the culprit, which is one of them, unless it is nobody.
inline void Causes::add_group(PointKind kind, const Collective& c, std::vector<CollectivePart> parts,
                              std::uint32_t culprit) {
  if (parts.empty()) return;
  const bool for_root = c.kind == CollectiveKind::one_to_all;
  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectivePart& p : parts) {
    const CollectiveMember& m = c.members[p.member];
    if (!for_root || p.member != culprit) first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
  }
  if (culprit != Latest::nobody) last_begin = c.members[culprit].begin;
  std::sort(parts.begin(), parts.end(), [&](const CollectivePart& a, const CollectivePart& b) {
    return c.members[a.member].call->location < c.members[b.member].call->location;
  });
  const auto group = static_cast<std::uint32_t>(groups.size());
  const auto first = static_cast<PointId>(points.size());
  groups.push_back({first, static_cast<std::uint32_t>(parts.size()), communicator(c)});
  const auto of_culprit =
      std::find_if(parts.begin(), parts.end(), [&](const CollectivePart& p) { return p.member == culprit; });
  const PointId last = of_culprit == parts.end() ? no_point : first + static_cast<PointId>(of_culprit - parts.begin());
  for (const CollectivePart& part : parts) {
    const CollectiveMember& m = c.members[part.member];
    Point p = point(kind, *m.call, m.end, part.wait, completion_ticks(m.end, first_end, last_begin));
    p.group = group;
    if (for_root && part.member != culprit) p.met = c.members[culprit].call->location;
    if (kind != PointKind::finalize && part.wait > 0) p.culprit = last;
    add(p);
  }
  if (kind == PointKind::finalize) first_to_end = last;  // nobody is charged for it
}

// Every thread waits for the last one; of several the first by location, which alone goes on.
inline void Causes::team_barrier(const TeamBarrier& b) {
  const auto last =
      static_cast<std::size_t>(std::max_element(b.members.begin(), b.members.end(),
                                                [](const Call* x, const Call* y) { return x->enter < y->enter; }) -
                               b.members.begin());
  const auto first = static_cast<PointId>(points.size());
  const Time until = b.members[last]->enter;
  for (const Call* const m : b.members) {
    Point p = point(PointKind::team_barrier, *m, m->exit, ticks_from(m->enter, std::min(until, m->exit)), 0);
    p.culprit = first + static_cast<PointId>(last);
    add(p);
  }
}

// Who has forked tells so himself; the others take the latest fork of their process before they begin.
inline void Causes::find_forks() {
  std::map<ProcessId, std::uint32_t> last_of;
  work->each_mark([&](const WorkMark& m) {
    if (m.kind == WorkMark::Kind::others) has_others = true;
    if (m.kind != WorkMark::Kind::fork && m.kind != WorkMark::Kind::join) return;
    Thread& thread = threads_[m.location];
    if (m.kind == WorkMark::Kind::join) {
      thread.joined = m.time;
      thread.has_joined = true;
      return;
    }
    const auto number = static_cast<std::uint32_t>(forks.size());
    const auto [last, is_first] = last_of.emplace(definitions_[m.location].process, number);
    if (!is_first) forks.change(std::exchange(last->second, number), [&](Fork& f) { f.next = number; });
    forks.push_back({.master = m.location, .after = thread.joined, .time = m.time, .is_first = !thread.has_joined});
    thread.has_forked = true;
  });
}

inline void Causes::add_fork_points() {
  std::map<ProcessId, std::uint32_t> first_of;
  for (std::uint32_t f = 0; f < forks.size(); ++f) first_of.emplace(definitions_[forks[f].master].process, f);
  work->each_mark([&](const WorkMark& m) {
    Thread& thread = threads_[m.location];
    switch (m.kind) {
      case WorkMark::Kind::fork:
      case WorkMark::Kind::part: {
        thread.own = m.kind == WorkMark::Kind::fork;
        thread.in = true;
        if (thread.own) {
          std::uint32_t own = thread.fork == no_group ? first_of.at(definitions_[m.location].process) : thread.fork;
          while (forks[own].master != m.location || forks[own].begun) own = forks[own].next;
          forks.change(own, [](Fork& f) { f.begun = true; });
          thread.fork = own;
          return;
        }
        if (thread.fork == no_group) {
          const auto first = first_of.find(definitions_[m.location].process);
          if (first == first_of.end()) {
            has_others = true;
            return;
          }
          thread.fork = first->second;
        }
        for (std::uint32_t next = thread.fork; next != no_group;) {
          const Fork fork = forks[next];
          if (fork.time > m.time) break;
          thread.fork = next;
          next = fork.next;
        }
        if (forks[thread.fork].time > m.time) has_others = true;
        return;
      }
      case WorkMark::Kind::region: {
        if (thread.fork == no_group) return;
        const auto id = static_cast<PointId>(points.size());
        Point p;
        p.location = m.location, p.callpath = m.callpath, p.enter = p.record = m.time;
        p.kind = PointKind::fork;
        p.group = thread.fork;
        forks.change(thread.fork, [&](Fork& f) {
          p.total = ticks_from(f.time, m.time);
          f.first_enter = std::min(f.first_enter, m.time);
          if (thread.own) f.point = id;
        });
        points.push_back(p);
        return;
      }
      case WorkMark::Kind::join:
        thread.in = false;
        return;
      case WorkMark::Kind::others:
      case WorkMark::Kind::without_member:
        return;
    }
  });
}

inline void Causes::finish(const Work& of_locations) {
  work = &of_locations;
  const auto others = static_cast<PointId>(points.size());
  find_forks();
  add_fork_points();
  if (has_others) return;
  const auto all = static_cast<PointId>(points.size());
  // Those of a location come in their order: so it is gone through once.
  std::vector<Gap> gaps(all == others ? 0 : locations());
  for (PointId id = all; id-- > others;) {
    Point p = at(id);
    const Fork fork = forks[p.group];
    p.completion = ticks_from(fork.first_enter, p.enter);
    p.culprit = fork.point;
    p.met = LocationId::none();
    Gap& gap = gaps[p.location.index()];
    if (!std::exchange(gap.known, true)) gap.before = last(p.location);
    const Place own = place(id, p);
    go_before(gap, own);
    put_into(gap, own, p.location, p.before);
    points.set(id, p);
    gap.after = id;
  }
}

// The time from a fork to the region belongs to the region.
inline void Causes::add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to,
                             PathTimes& times) const {
  if (a == no_point) {
    work->add(l, std::nullopt, to, times);
  } else {
    const Point from = at(a);
    work->add(l, from.enter, to, times);
    if (from.kind == PointKind::fork && from.total > 0) times.add(from.callpath, from.total);
  }
  if (forks.empty()) return;
  between(a, before_b, [&](PointId, const Point& p) {
    if (p.kind == PointKind::fork && p.total > 0) times.add(p.callpath, p.total);
  });
}

inline bool Causes::has_met(const Point& p, LocationId location) const {
  if (p.kind == PointKind::fork) return false;
  if (p.group == no_group || p.met.valid()) return p.met == location;
  if (location == p.location) return false;
  const PointGroup group = groups[p.group];
  PointId first = group.first;
  for (std::uint32_t count = group.count; count > 0;) {
    const std::uint32_t half = count / 2;
    if (at(first + half).location < location)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first < group.first + group.count && at(first).location == location;
}

inline PointId Causes::previous(const Point& p, LocationId met) const {
  PointId id = p.before;
  while (id != no_point) {
    const Point before = at(id);
    if (has_met(before, met)) break;
    id = before.before;
  }
  return id;
}

// Threads that ask for a lock have met where their team began and at its barriers too.
inline PointId Causes::previous_meeting(const Point& p, const Point& q) const {
  if (q.kind == PointKind::team_barrier) return previous_of_team(p);
  if (q.kind != PointKind::lock) return previous(p, q.location);
  PointId id = p.before;
  while (id != no_point) {
    const Point before = at(id);
    if (is_of_team(before) || has_met(before, q.location)) break;
    id = before.before;
  }
  return id;
}

}  // namespace waitstate::patterns
