// Points of thread teams: at forks, at barriers, and with all_waits where a thread is idle for want of a task.
//
// A thread is done with a barrier when it has entered it, or has ended the last task that it executes there: so the
// last one to be done is whom the others wait for, and the path goes on over the last task. Before that, and in a
// taskwait, a thread without a task waits for whoever creates the next one, or ends the one that is missing.
//
// What threads do in a team within a team is their own work as elsewhere: the trace's forks, barriers and idle threads
// of outermost teams only are looked at.
//
// Invariant: of the time in which a thread is idle without a break, one point waits for all up to its last cause. Forks
// are known at the end only, as marks of locations: Work::each_mark(). Cost: a few steps a mark or thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "causes/causes.hpp"

namespace waitstate::causes {

// Every thread waits for the last one that is done; of several the first by location, which alone goes on.
inline void Causes::team_barrier(const TeamBarrier& b) {
  const auto done = [&](std::size_t i) {
    const std::span<const TimeSpan> tasks = b.tasks_of(i);
    const Call& call = *b.members[i];
    return tasks.empty() ? call.enter : std::clamp(tasks.back().end, call.enter, call.exit);
  };
  std::size_t last = 0;
  for (std::size_t i = 1; i < b.members.size(); ++i)
    if (done(i) > done(last)) last = i;
  const Time until = done(last);
  const PointId awaited = points.next(b.members[last]->location);
  for (std::size_t i = 0; i < b.members.size(); ++i) {
    Call rest = *b.members[i];
    rest.enter = done(i);
    Point p = point(PointKind::team_barrier, rest, rest.exit, ticks_from(rest.enter, std::min(until, rest.exit)), 0);
    p.culprit = awaited;
    p.group = b.team.value;
    add(p);
  }
}

// Threads of a team within a team met others than those that the outer team's barriers are about.
inline void Causes::leave_out_inner_barriers() {
  if (inner_teams_.empty()) return;
  points.chunks_back(0, locations(), [&](PointId first, PointId end) {
    for (PointId id = end; id.number-- > first.number;) {
      Point p = at(id);
      if (p.kind != PointKind::team_barrier || !inner_teams_.contains(CommId{p.group})) continue;
      p.kind = PointKind::inner_barrier, p.wait = 0, p.culprit = no_point, p.group = no_group;
      points.set(id, p);
      has_inner_barriers = true;
    }
  });
}

// Of the time in which a thread is idle without a break: whoever was the last to end a lack of tasks. Others took what
// was created before, or the thread would have gone on.
inline void Causes::idle(const TaskIdle& t) {
  if (!all_waits) return;
  const bool in_taskwait = is_of(t.call, RegionClass::omp_taskwait);
  const auto is_cause = [&](const TaskIdle::Part& p) {
    return (p.created || in_taskwait) && p.end == p.culprit_time && p.culprit != t.call.location &&
           p.culprit_callpath.valid();
  };
  for (std::size_t i = 0; i < t.parts.size();) {
    const TaskIdle::Part* last = nullptr;
    for (const Time since = t.parts[i].idle_since; i < t.parts.size() && t.parts[i].idle_since == since; ++i)
      if (is_cause(t.parts[i])) last = &t.parts[i];
    if (last == nullptr) continue;
    has_task_points_ = true;
    Call of_culprit, waiting = t.call;
    of_culprit.location = last->culprit, of_culprit.callpath = last->culprit_callpath;
    of_culprit.enter = of_culprit.exit = last->end;
    Point p = point(PointKind::task, of_culprit, last->end, 0, 0);
    p.met = t.call.location;
    const PointId awaited = add(p);
    waiting.enter = last->idle_since, waiting.exit = last->end;
    p = point(PointKind::task, waiting, last->end, ticks_from(last->idle_since, last->end), 0);
    p.met = last->culprit;
    p.culprit = awaited;
    add(p);
  }
}

// When a thread has become idle for the last time in a barrier it waits for the others to be done, as the barrier's own
// point says: what they create meanwhile others execute, and what they create later is not for this barrier.
inline void Causes::settle_tasks(const std::vector<std::uint32_t>& ends) {
  if (!has_task_points_) return;
  struct Back {
    PointId id;
    std::uint32_t left;              // from the first one to that
    std::optional<Point> barrier{};  // that comes next
    PointId task = no_point;         // that waits, the one that comes next
  };
  std::vector<Back> back;
  for (std::size_t l = 0; l < locations(); ++l) back.push_back({last(LocationId{l}), ends[l]});
  points.chunks_back(0, locations(), [&](PointId first, PointId) {
    Back& own = back[first.location.index()];
    for (; own.left > first.number; --own.left) {
      const Point here = at(own.id);
      const PointId id = std::exchange(own.id, here.point_before());
      if (here.kind == PointKind::team_barrier)
        own.barrier = here;
      else if (here.kind == PointKind::task && here.wait > 0)
        own.task = id;
      else
        continue;
      if (!own.barrier || own.task == no_point) continue;
      // Of two that end at one time the barrier's point may come first.
      Point p = at(own.task);
      if (p.enter != own.barrier->enter || p.call != own.barrier->call) continue;
      points.change(p.culprit, [](Point& of_culprit) { of_culprit.met = LocationId::none(); });
      p.wait = p.total = 0, p.culprit = no_point, p.met = LocationId::none();
      points.set(std::exchange(own.task, no_point), p);
    }
  });
}

// Who forks begins its part right after; of a communicator there is a team a fork, in the order of these.
inline Causes::ForksOfTeams Causes::find_forks() {
  ForksOfTeams of_teams;
  work->each_mark([&](const WorkMark& m) {
    if (m.kind == WorkMark::Kind::others) has_others = true;
    if (m.kind == WorkMark::Kind::tasks) has_tasks = true;
    if (m.kind == WorkMark::Kind::nested) has_nested_[m.location.index()] = true;
    if (m.kind == WorkMark::Kind::inner_part) inner_teams_.insert(m.team);
    if (m.kind != WorkMark::Kind::fork && m.kind != WorkMark::Kind::part && m.kind != WorkMark::Kind::join) return;
    Thread& thread = threads_[m.location];
    switch (m.kind) {
      case WorkMark::Kind::fork:
        thread.fork = static_cast<std::uint32_t>(forks.size());
        forks.push_back({.master = m.location, .after = thread.joined, .time = m.time, .is_first = !thread.has_joined});
        thread.has_forked = thread.own = true;
        return;
      case WorkMark::Kind::part:
        if (std::exchange(thread.own, false)) {
          const auto [last, is_first] = of_teams.try_emplace(m.team, thread.fork, thread.fork);
          if (!is_first)
            forks.change(std::exchange(last->second.second, thread.fork), [&](Fork& f) { f.next = thread.fork; });
        }
        return;
      default:
        if (thread.fork != no_group) forks.change(thread.fork, [&](Fork& f) { f.join = m.time; });
        thread.joined = m.time;
        thread.has_joined = true;
    }
  });
  for (const CommId team : inner_teams_) has_others = has_others || of_teams.contains(team);
  return of_teams;
}

// The n-th part of a thread belongs to the n-th team of the communicator, but that teams were joined before it began
// that it took no part in. no_group: the trace lacks the fork.
inline std::uint32_t Causes::fork_of_part(std::uint32_t& next, Time begin) const {
  while (next != no_group) {
    const Fork fork = forks[next];
    if (fork.time > begin) return no_group;
    const std::uint32_t own = std::exchange(next, fork.next);
    if (fork.join >= begin) return own;
  }
  return no_group;
}

inline void Causes::add_fork_points(const ForksOfTeams& of_teams) {
  std::uint32_t forked = 0;
  std::map<std::pair<LocationId, CommId>, std::uint32_t> next_of_thread;
  for (auto& [location, thread] : threads_) thread.fork = no_group, thread.own = false;
  work->each_mark([&](const WorkMark& m) {
    Thread& thread = threads_[m.location];
    switch (m.kind) {
      case WorkMark::Kind::fork:
        thread.fork = forked++;
        thread.own = thread.in = true, thread.entered = false;
        return;
      case WorkMark::Kind::part: {
        if (thread.own && thread.in && !thread.entered) return;
        thread.own = thread.entered = false, thread.in = true;
        thread.fork = no_group;
        if (inner_teams_.contains(m.team)) return;
        const auto teams = of_teams.find(m.team);
        const auto next =
            next_of_thread.try_emplace({m.location, m.team}, teams == of_teams.end() ? no_group : teams->second.first);
        thread.fork = fork_of_part(next.first->second, m.time);
        if (thread.fork == no_group) has_others = true;
        return;
      }
      case WorkMark::Kind::region: {
        thread.entered = true;
        if (thread.fork == no_group) return;
        const PointId id = points.next(m.location);
        Point p;
        p.location = m.location, p.callpath = m.callpath, p.enter = p.record = m.time;
        p.kind = PointKind::fork;
        p.call = m.number;
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
        thread.in = thread.own = false;
        return;
      default:
        return;
    }
  });
}

inline void Causes::finish_fork(Point& p) const {
  const Fork fork = forks[p.group];
  p.completion = ticks_from(fork.first_enter, p.enter);
  p.culprit = fork.point;
  p.met = LocationId::none();
}

inline void Causes::finish(const Work& of_locations) {
  work = &of_locations;
  std::vector<std::uint32_t> others;  // by location: its points before those of forks
  for (std::size_t l = 0; l < locations(); ++l) others.push_back(points.size(LocationId{l}));
  add_fork_points(find_forks());
  if (left_out() != nullptr) return;
  leave_out_inner_barriers();
  settle_tasks(others);
  // Those of a location come in their order: so it is gone through once.
  std::vector<Gap> gaps(locations());
  points.chunks_back(0, locations(), [&](PointId first, PointId end) {
    const std::size_t l = first.location.index();
    for (PointId id = end; id.number-- > std::max(first.number, others[l]);) {
      Point p = at(id);
      finish_fork(p);
      put_among(id, p, gaps[l]);
    }
  });
  add_launches();
}

}  // namespace waitstate::causes
