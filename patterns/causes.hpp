// Why a location waited: the points at which locations met, and what each of them did between two of its points.
//
// A point is a record at which a location met others: who came later, how long this one waited, and which part of the
// call came after all were there. Points are collected while the trace is read; what locations did in between is noted
// where they are replayed (waitstate/work.hpp), so that no event has to be put in order. When all of it is known,
// patterns look back over it: critical_path.cpp from the end of the run, delay.cpp from each wait to its causes.
//
// A point takes 72 bytes and an operation 12; beyond a limit they go into scratch files (waitstate/spilled_vector.hpp).
// They lie in the order of reading, which is near that of time, and each points to the one before it on its location. A
// sender's point comes when its receiver has been read, behind some dozens of others: so of a location the places of
// its last 64 to 128 points stay in memory, at most 3 KiB, and a point is put in order there when it comes.
//
// Invariant: a point that waits knows the point that it waited for; those of an operation lie side by side, in the
// order of locations; of a location each points to the one before it. Definitions: those of Scalasca 2.6.
//
// Here stand what points are, and what looks back over them. What makes points: causes_mpi.hpp, causes_threads.hpp,
// causes_devices.hpp, causes_all_waits.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

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
  // With all_waits only (causes_all_waits.hpp, and the last three: causes_threads.hpp, causes_devices.hpp):
  window,            ///< a collective operation on a window of MPI
  epoch,             ///< post, start, complete, wait
  passive_target,    ///< a lock of a window, or a target that made no progress
  shmem_collective,  ///< of SHMEM, as the next one
  shmem_pair,
  lock,    ///< of threads
  task,    ///< a thread without a task
  device,  ///< a host thread waits for a kernel
  launch,  ///< a kernel, and the call that has launched it
  scan,    ///< a prefix reduction of MPI
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
  bool on_path = false;     ///< the critical path came by
  bool leads_back = false;  ///< of a device: from its stream the path finds the way back to a host thread
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
        recent_(locations()) {}

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
  void idle(const TaskIdle& t);
  void device(const DeviceWait& w);

  void team_barrier(const TeamBarrier& b);
  /// After the last of the above: adds the points of forks and launches.
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
  PointId last(LocationId l) const {
    const std::vector<Place>& recent = recent_[l.index()];
    return recent.empty() ? no_point : recent.back().id;
  }
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
  bool has_others = false;     ///< nested teams, or tasks without teams
  bool has_tasks = false;      ///< explicit ones
  const Work* work = nullptr;  ///< after finish()
  /// After finish(): why nothing can be told, null if it can.
  const char* left_out() const {
    if (has_others)
      return "the program has nested thread teams, or tasks without teams, whose part in causes is not analysed";
    if (has_tasks && !all_waits)
      return "the program has explicit tasks, whose part in causes is analysed only with the parameter "
             "critical_path.all_waits=1";
    return nullptr;
  }

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
    Time enter, record;
    PointId id;
    bool forked, waits, message;
  };
  static constexpr std::size_t most_recent = 128;
  /// Where a location's points are gone through from the last one on: between these two.
  struct Gap {
    PointId before = no_point, after = no_point;
    bool known = false;  ///< of its location some point was put in
  };
  PointId add(Point p);
  void add_group(PointKind kind, const Collective& c, std::vector<CollectivePart> parts, std::uint32_t culprit);
  void neighbours(const Collective& c);
  void scan(const Collective& c);
  void shmem_collective(const Collective& c);
  void released(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing, Time release_time);
  bool is_of(const Call& call, RegionClass region_class) const {
    return call.region.valid() && definitions_[call.region].region_class == region_class;
  }
  void pair(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit, Time came);
  std::uint32_t communicator(const Collective& c);
  static Place place(PointId id, const Point& p) {
    return {p.enter, p.record, id, p.kind == PointKind::fork, p.wait > 0, p.kind <= PointKind::late_receiver};
  }
  static bool is_before(const Place& x, const Place& y) {
    if (x.enter != y.enter) return x.enter < y.enter;
    if (x.record != y.record) return x.record < y.record;
    if (x.forked != y.forked) return x.forked;  // these have the last numbers
    // What waits takes time: a call that enters with it lasted none and came before. In its own call (MPI_Sendrecv) a
    // send and a request come before what completes: or two that exchange messages in no time would be a circle.
    if (x.waits != y.waits) return y.waits;
    // Both in one call, then: what waits for others until it ends (MPI_Waitall) does so after its messages.
    if (x.waits && x.message != y.message) return x.message;
    return x.id < y.id;
  }
  void add_work(LocationId l, PointId a, PointId before_b, std::optional<Time> to, PathTimes& times) const;
  void find_forks();
  void add_fork_points();
  void finish_fork(Point& p) const;
  void settle_tasks(PointId end);
  void add_launches();
  void put_last(const Place& own, Point& p);
  void go_before(Gap& gap, const Place& own) const;
  void put_into(const Gap& gap, const Place& own, Point& p);
  /// Among the others of its location; points come from the latest of a location on.
  void put_among(PointId id, Point& p, std::vector<Gap>& gaps) {
    Gap& gap = gaps[p.location.index()];
    if (!std::exchange(gap.known, true)) gap.before = last(p.location);
    const Place own = place(id, p);
    go_before(gap, own);
    put_into(gap, own, p);
    points.set(id, p);
    gap.after = id;
  }

  const Definitions& definitions_;
  std::vector<std::vector<Place>> recent_;  ///< by location: its last points, in order
  bool has_task_points_ = false, has_device_points_ = false;
  std::map<LocationId, Thread> threads_;  ///< of teams
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

inline void Causes::put_into(const Gap& gap, const Place& own, Point& p) {
  p.before = gap.before;
  if (gap.after == no_point)
    recent_[p.location.index()].push_back(own);
  else
    points.change(gap.after, [&](Point& next) { next.before = own.id; });
}

inline void Causes::put_last(const Place& own, Point& p) {
  std::vector<Place>& recent = recent_[p.location.index()];
  auto next = recent.end();
  if (!recent.empty() && !is_before(recent.back(), own))
    next = std::upper_bound(recent.begin(), recent.end(), own,
                            [](const Place& x, const Place& y) { return is_before(x, y); });
  if (next == recent.begin() && next != recent.end()) {  // it comes before all of these
    Gap gap{.before = at(next->id).before, .after = next->id};
    go_before(gap, own);
    const bool is_next = gap.after == next->id;
    put_into(gap, own, p);
    if (!is_next) return;
  } else {
    p.before = next == recent.begin() ? no_point : std::prev(next)->id;
    if (next != recent.end()) points.change(next->id, [&](Point& after) { after.before = own.id; });
  }
  recent.insert(next, own);
  if (recent.size() == most_recent) recent.erase(recent.begin(), recent.begin() + most_recent / 2);
}

inline PointId Causes::add(Point p) {
  const Place own = place(static_cast<PointId>(points.size()), p);
  put_last(own, p);
  points.push_back(p);
  return own.id;
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

// Threads that ask for a lock or have no task have met where their team began and at its barriers too.
inline PointId Causes::previous_meeting(const Point& p, const Point& q) const {
  if (q.kind == PointKind::team_barrier) return previous_of_team(p);
  if (q.kind != PointKind::lock && q.kind != PointKind::task) return previous(p, q.location);
  PointId id = p.before;
  while (id != no_point) {
    const Point before = at(id);
    if (is_of_team(before) || has_met(before, q.location)) break;
    id = before.before;
  }
  return id;
}

}  // namespace waitstate::patterns
