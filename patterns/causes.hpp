// Why a location waited: the points at which locations met, and what each of them did between two of its points.
//
// A point is a record at which a location met others: who came later, how long this one waited, and which part of the
// call came after all were there. Points and activities are collected while the trace is read; when all of it is known,
// patterns look back over them: critical_path.cpp from the end of the run, delay.cpp from each wait to its causes.
//
// Between two MPI calls only the time per call path is kept, so the log has a row for each MPI call and one for each
// call path in between, of 16 bytes each. A point takes 72 bytes. All of it stays in memory.
//
// Invariant: points of a location are in the order of their records; a point that waits knows the point that it waited
// for. Definitions: those of Scalasca 2.6.
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
  team_barrier
};

struct Point {
  LocationId location;
  CallPathId callpath;
  Time enter = 0, record = 0;      ///< of the call, of the record in it
  Ticks total = 0;                 ///< time of the call
  Ticks wait = 0;                  ///< 0 if it did not wait
  Ticks completion = 0;            ///< time of the call after all partners had come
  PointId culprit = no_point;      ///< whom it waited for
  std::uint32_t group = no_group;  ///< of a collective operation: index into Causes::groups
  LocationId met;                  ///< of a message: the partner; of a one-to-all operation: the root, of a waiter
  std::uint32_t place = 0;         ///< among the points of its location
  PointKind kind{};
};

static_assert(sizeof(Point) == 72);

/// The points of one collective operation.
struct PointGroup {
  std::vector<LocationId> met;     ///< locations with a point, sorted
  std::uint32_t communicator = 0;  ///< index into Causes::communicators
};

/// Times per call path; zero of those that were not touched.
class PathTimes {
 public:
  explicit PathTimes(std::size_t callpaths) : times_(callpaths), is_touched_(callpaths) {}
  void add(CallPathId path, Ticks ticks) {
    if (!is_touched_[path.index()]) is_touched_[path.index()] = true, touched_.push_back(path);
    times_[path.index()] += ticks;
  }
  void set(CallPathId path, Ticks ticks) { times_[path.index()] = ticks; }
  Ticks operator[](CallPathId path) const { return times_[path.index()]; }
  const std::vector<CallPathId>& touched() const { return touched_; }
  void clear() {
    for (const CallPathId p : touched_) times_[p.index()] = 0, is_touched_[p.index()] = false;
    touched_.clear();
  }

 private:
  std::vector<Ticks> times_;
  std::vector<bool> is_touched_;
  std::vector<CallPathId> touched_;
};

/// What one location did: time per call path between the enters of its MPI calls.
class ActivityLog {
 public:
  bool used() const { return started_; }
  CallPathId current() const { return current_; }
  Time last_time() const { return last_; }
  /// It is in that call path from now on; `cut`: it enters an MPI call.
  void change(Time t, CallPathId to, bool cut) {
    if (started_ && current_.valid()) charge(static_cast<Ticks>(t - last_));
    started_ = true, last_ = t, current_ = to;
    if (cut) end_segment(t);
  }
  void finish() { end_segment(last_); }
  /// Adds a time that is known only now.
  void add(CallPathId callpath, Ticks ticks) {
    if (ticks > 0) shares_.push_back({callpath, ticks});
  }
  /// Drops what was done since the latest cut at that time; nothing is done from now on.
  void drop_since(Time t) {
    const std::size_t c = cut(t);
    if (c < ends_.size()) shares_.resize(ends_[c]);
    for (std::size_t i = c; i < ends_.size(); ++i) ends_[i] = shares_.size();
    open_ = shares_.size();
    current_ = CallPathId::none();
  }
  /// Adds what was done from one enter of an MPI call to another.
  void add(Time from, Time to, PathTimes& times) const { add_segments(cut(from) + 1, cut(to), times); }
  void add_until(Time to, PathTimes& times) const { add_segments(0, cut(to), times); }
  void add_from(Time from, PathTimes& times) const { add_segments(cut(from) + 1, ends_.size() - 1, times); }
  void add_all(PathTimes& times) const { add_segments(0, ends_.size() - 1, times); }

 private:
  struct Share {
    CallPathId callpath;
    Ticks ticks;
  };

  void charge(Ticks ticks);
  void end_segment(Time t) {
    cuts_.push_back(t);
    ends_.push_back(shares_.size());
    open_ = shares_.size();
  }
  std::size_t cut(Time t) const {
    return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), t) - cuts_.begin());
  }
  void add_segments(std::size_t first, std::size_t last, PathTimes& times) const {
    if (ends_.empty()) return;
    const std::size_t begin = first == 0 ? 0 : ends_[std::min(first, ends_.size()) - 1];
    const std::size_t end = ends_[std::min(last, ends_.size() - 1)];
    for (std::size_t i = begin; i < end; ++i) times.add(shares_[i].callpath, shares_[i].ticks);
  }

  std::vector<Time> cuts_;         ///< where segments end
  std::vector<std::size_t> ends_;  ///< end of each segment in shares_
  std::vector<Share> shares_;
  std::size_t open_ = 0;  ///< begin of the open segment in shares_
  Time last_ = 0;
  CallPathId current_;
  bool started_ = false;
};

/// Points and activities of a trace.
struct Causes {
  explicit Causes(const Definitions& definitions)
      : activities(definitions.locations.size()),
        order(activities.size()),
        definitions_(definitions),
        threads_(activities.size()) {}

  void late_sender(const Message& m, const Wait& wait);
  void late_receiver(const Message& m, const Wait& wait);
  void collective(const Collective& c);
  void team_barrier(const TeamBarrier& b);
  /// What threads do, in order. `cut`: the region is one of MPI, or a barrier of a team, which `barrier` says.
  void enter(const Event& e, bool cut, bool barrier);
  void exit(const Event& e, CallPathId caller);
  void fork(const Event& e);
  void join(const Event& e);
  void team_begin(const Event& e);
  /// Puts the points of each location in order; after the last of the above.
  void finish();

  std::size_t locations() const { return activities.size(); }
  static bool is_of_team(const Point& p) { return p.kind == PointKind::fork || p.kind == PointKind::team_barrier; }
  /// The latest fork or barrier of a team before p on its location.
  PointId previous_of_team(const Point& p) const {
    const std::vector<PointId>& of = order[p.location.index()];
    for (std::uint32_t i = p.place; i > 0; --i)
      if (is_of_team(at(of[i - 1]))) return of[i - 1];
    return no_point;
  }
  const Point& at(PointId p) const { return points[p]; }
  bool has_met(const Point& p, LocationId location) const;
  /// The latest point before p on its location that met the location, no_point if there is none.
  PointId previous(const Point& p, LocationId met) const;
  /// The points strictly between two of one location; a may be no_point: the begin.
  template <class F>
  void between(PointId a, const Point& b, F&& f) const {
    const std::vector<PointId>& of = order[b.location.index()];
    for (std::uint32_t i = a == no_point ? 0 : at(a).place + 1; i < b.place; ++i) f(of[i]);
  }
  /// What the location did between the calls of two of its points, that of the first included.
  void add_activities(PointId a, const Point& b, PathTimes& times) const {
    const ActivityLog& log = activities[b.location.index()];
    if (a == no_point)
      log.add_until(b.enter, times);
    else
      log.add(at(a).enter, b.enter, times);
  }

  std::vector<ActivityLog> activities;      ///< by location
  std::vector<std::vector<PointId>> order;  ///< by location
  std::vector<Point> points;
  std::vector<PointGroup> groups;
  std::vector<std::vector<LocationId>> communicators;
  PointId first_to_end = no_point;  ///< MPI_Finalize of the process that entered it last: there the run ends
  /// A parallel region: the time from the join before it to its fork belongs to its first thread alone.
  struct Fork {
    LocationId master;
    Time after = 0, time = 0, first_enter = ~Time{0};
    bool is_first = true;  ///< there is no join before it
    PointId point = no_point;
    std::vector<PointId> points{};
  };
  std::vector<Fork> forks;
  /// Of the parallel regions of a process, none if it was in the last one when the trace ended.
  std::optional<Time> last_join(LocationId master) const {
    const Thread& t = threads_[master.index()];
    return t.has_joined && t.in == 0xffffffffu ? std::optional(t.joined) : std::nullopt;
  }
  /// Other threads of its process.
  std::size_t threads_beside(LocationId master) const {
    const std::vector<LocationId>& all = definitions_[definitions_[master].process].locations;
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](LocationId l) {
      return l != master && definitions_[l].type == LocationType::cpu_thread && activities[l.index()].used();
    }));
  }
  bool has_others = false;  ///< nested teams, or explicit tasks

 private:
  struct Thread {
    std::uint32_t pending = 0xffffffffu;  ///< fork whose region it is about to enter
    std::uint32_t in = 0xffffffffu;       ///< fork whose region it is in
    CallPathId region;
    Time barrier = ~Time{0};  ///< enter of the last barrier in it
    CallPathId caller;        ///< of the fork
    Time joined = 0;
    bool has_joined = false;
  };
  PointId add(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion);
  std::uint32_t communicator(const Collective& c);
  const Definitions& definitions_;
  std::vector<Thread> threads_;                 ///< by location
  std::map<ProcessId, std::uint32_t> fork_of_;  ///< the latest of each process
  std::map<CommId, std::uint32_t> communicator_of_;
};

/// Published by critical_path when the trace has been read.
struct CausesFound {
  const Causes& causes;
};

inline Ticks ticks_from(Time from, Time to) {
  return to > from ? static_cast<Ticks>(to - from) : -static_cast<Ticks>(from - to);
}

/// A member of a collective operation that has a point there.
struct CollectivePart {
  std::uint32_t member;
  Ticks wait;
};

inline void ActivityLog::charge(Ticks ticks) {
  if (ticks == 0) return;
  for (std::size_t i = shares_.size(); i > open_ && i + 8 > shares_.size(); --i)
    if (shares_[i - 1].callpath == current_) {
      shares_[i - 1].ticks += ticks;
      return;
    }
  shares_.push_back({current_, ticks});
}

inline PointId Causes::add(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion) {
  Point p;
  p.location = call.location;
  p.callpath = call.callpath;
  p.enter = call.enter;
  p.record = record;
  p.total = ticks_from(call.enter, call.exit);
  p.wait = wait;
  p.completion = completion;
  p.kind = kind;
  points.push_back(p);
  return static_cast<PointId>(points.size() - 1);
}

inline void Causes::late_sender(const Message& m, const Wait& wait) {
  const Ticks after = ticks_from(m.send->exit, m.recv->exit);  // negative if the sender left later
  const PointId sender = add(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  const PointId receiver = add(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  points[receiver].culprit = sender;
  points[receiver].met = m.sender;
  points[sender].met = m.receiver;
}

// That nothing of a send counts as completion, and that a negative one takes more off, is as in Scalasca.
inline void Causes::late_receiver(const Message& m, const Wait& wait) {
  const Call &request = *m.recv_post, &own = *m.send;
  const bool blocking = wait.enter == own.enter && wait.location == own.location;
  Call completing = own;
  completing.callpath = wait.callpath, completing.enter = wait.enter, completing.exit = wait.exit;
  const Ticks after = ticks_from(request.exit, wait.exit);
  const PointId receiver = add(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  const PointId sender = add(PointKind::late_receiver, completing, blocking ? m.send_time : wait.exit, wait.ticks,
                             std::min<Ticks>(0, after));
  points[sender].culprit = receiver;
  points[sender].met = m.receiver;
  points[receiver].met = m.sender;
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
  if (c.inter() || c.neighbourhood || c.members.size() < 2) return;
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
      if (c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw) return;
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
  if (parts.empty()) return;

  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectivePart& p : parts) {
    const CollectiveMember& m = c.members[p.member];
    if (kind != PointKind::one_to_n || p.member != culprit) first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
  }
  if (culprit != Latest::nobody) last_begin = c.members[culprit].begin;
  const auto group = static_cast<std::uint32_t>(groups.size());
  PointGroup& g = groups.emplace_back();
  g.communicator = communicator(c);
  const auto first = static_cast<PointId>(points.size());
  PointId last = no_point;
  for (const CollectivePart& part : parts) {
    const CollectiveMember& m = c.members[part.member];
    const PointId id = add(kind, *m.call, m.end, part.wait, completion_ticks(m.end, first_end, last_begin));
    points[id].group = group;
    if (kind == PointKind::one_to_n && part.member != culprit) points[id].met = c.members[culprit].call->location;
    if (part.member == culprit) last = id;
    g.met.push_back(m.call->location);
  }
  std::sort(g.met.begin(), g.met.end());
  if (kind == PointKind::finalize)
    first_to_end = last;  // nobody is charged for it
  else
    for (PointId id = first; id < points.size(); ++id)
      if (points[id].wait > 0) points[id].culprit = last;
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
    const PointId p = add(PointKind::team_barrier, *m, m->exit, ticks_from(m->enter, std::min(until, m->exit)), 0);
    points[p].culprit = first + static_cast<PointId>(last);
  }
}

inline void Causes::enter(const Event& e, bool cut, bool barrier) {
  ActivityLog& log = activities[e.loc.index()];
  Thread& thread = threads_[e.loc.index()];
  if (thread.pending == 0xffffffffu) {
    if (barrier && thread.in != 0xffffffffu) thread.barrier = e.time;
    return log.change(e.time, e.callpath, cut);
  }
  Fork& fork = forks[thread.pending];
  const Ticks total = ticks_from(fork.time, e.time);
  log.change(e.time, e.callpath, true);
  log.add(e.callpath, total);  // behind the cut: it belongs to the region
  thread.in = std::exchange(thread.pending, 0xffffffffu);
  thread.region = e.callpath;
  thread.barrier = ~Time{0};
  Point p;
  p.location = e.loc, p.callpath = e.callpath, p.enter = p.record = e.time, p.total = total;
  p.kind = PointKind::fork;
  points.push_back(p);
  fork.points.push_back(static_cast<PointId>(points.size() - 1));
  fork.first_enter = std::min(fork.first_enter, e.time);
  if (e.loc == fork.master) fork.point = fork.points.back();
}

// From fork to join the time belongs to the region; on a worker only up to its last barrier, as in Scalasca.
inline void Causes::exit(const Event& e, CallPathId caller) {
  ActivityLog& log = activities[e.loc.index()];
  Thread& thread = threads_[e.loc.index()];
  if (thread.in == 0xffffffffu || e.callpath != thread.region) return log.change(e.time, caller, false);
  if (forks[thread.in].master == e.loc) return log.change(e.time, e.callpath, false);
  thread.in = 0xffffffffu;
  log.change(e.time, CallPathId::none(), false);
  if (thread.barrier != ~Time{0}) log.drop_since(thread.barrier);
}

inline void Causes::fork(const Event& e) {
  Thread& thread = threads_[e.loc.index()];
  const ProcessId process = definitions_[e.loc].process;
  if (thread.in != 0xffffffffu || thread.pending != 0xffffffffu || !process.valid()) {
    has_others = true;
    return;
  }
  thread.pending = static_cast<std::uint32_t>(forks.size());
  thread.caller = activities[e.loc.index()].current();
  fork_of_[process] = thread.pending;
  forks.push_back({.master = e.loc, .after = thread.joined, .time = e.time, .is_first = !thread.has_joined});
  activities[e.loc.index()].change(e.time, CallPathId::none(), true);
}

inline void Causes::join(const Event& e) {
  Thread& thread = threads_[e.loc.index()];
  thread.in = thread.pending = 0xffffffffu;
  thread.joined = e.time, thread.has_joined = true;
  activities[e.loc.index()].change(e.time, thread.caller, true);
}

inline void Causes::team_begin(const Event& e) {
  const auto found = fork_of_.find(definitions_[e.loc].process);
  Thread& thread = threads_[e.loc.index()];
  if (found == fork_of_.end() || thread.in != 0xffffffffu)
    has_others = true;
  else
    thread.pending = found->second;
}

inline void Causes::finish() {
  for (ActivityLog& log : activities) log.finish();
  for (const Fork& f : forks)
    for (const PointId p : f.points) {
      points[p].completion = ticks_from(f.first_enter, points[p].enter);
      points[p].culprit = f.point;
    }
  for (PointId id = 0; id < points.size(); ++id) order[points[id].location.index()].push_back(id);
  for (std::vector<PointId>& of : order) {
    std::sort(of.begin(), of.end(), [&](PointId a, PointId b) {
      const Point &x = points[a], &y = points[b];
      if (x.enter != y.enter) return x.enter < y.enter;
      return x.record != y.record ? x.record < y.record : a < b;
    });
    for (std::uint32_t i = 0; i < of.size(); ++i) points[of[i]].place = i;
  }
}

inline bool Causes::has_met(const Point& p, LocationId location) const {
  if (p.group == no_group || p.met.valid()) return p.met == location;
  const std::vector<LocationId>& met = groups[p.group].met;
  return location != p.location && std::binary_search(met.begin(), met.end(), location);
}

inline PointId Causes::previous(const Point& p, LocationId met) const {
  const std::vector<PointId>& of = order[p.location.index()];
  for (std::uint32_t i = p.place; i > 0; --i)
    if (has_met(at(of[i - 1]), met)) return of[i - 1];
  return no_point;
}

}  // namespace waitstate::patterns
