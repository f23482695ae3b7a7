#include "causes/recorder/threads.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "causes/recorder/pairs.hpp"

namespace waitstate::causes {

using replay::WorkMark;

// Every thread waits for the last one that is done; of several the first by location, which alone goes on.
void ThreadPoints::add(const TeamBarrier& b) {
  const auto done = [&](std::size_t i) {
    const std::span<const TimeSpan> tasks = b.tasks_of(i);
    const Call& call = *b.members[i];
    return tasks.empty() ? call.enter : std::clamp(tasks.back().end, call.enter, call.exit);
  };
  std::size_t last = 0;
  for (std::size_t i = 1; i < b.members.size(); ++i)
    if (done(i) > done(last)) last = i;
  const Time until = done(last);
  const PointId awaited = to_.points.next(b.members[last]->location);
  for (std::size_t i = 0; i < b.members.size(); ++i) {
    Call rest = *b.members[i];
    rest.enter = done(i);
    Point p =
        make_point(PointKind::team_barrier, rest, rest.exit, ticks_from(rest.enter, std::min(until, rest.exit)), 0);
    p.culprit = awaited;
    p.group = b.team.value;
    to_.add(p);
  }
}

// Whoever was the last to end a lack of tasks is the cause of the time in which a thread was idle without a break.
// Others took what was created before, or the thread would have gone on.
void ThreadPoints::add(const TaskIdle& t) {
  if (!to_.wanted.all_waits) return;
  const bool in_taskwait =
      t.call.region.valid() && to_.definitions[t.call.region].region_class == RegionClass::omp_taskwait;
  const auto is_cause = [&](const TaskIdle::IdleStretch& p) {
    return (p.created || in_taskwait) && p.end == p.culprit_time && p.culprit != t.call.location &&
           p.culprit_callpath.valid();
  };
  for (std::size_t i = 0; i < t.parts.size();) {
    const TaskIdle::IdleStretch* last = nullptr;
    for (const Time since = t.parts[i].idle_since; i < t.parts.size() && t.parts[i].idle_since == since; ++i)
      if (is_cause(t.parts[i])) last = &t.parts[i];
    if (last == nullptr) continue;
    has_task_points_ = true;
    Call of_culprit, waiting = t.call;
    of_culprit.location = last->culprit, of_culprit.callpath = last->culprit_callpath;
    of_culprit.enter = of_culprit.exit = last->end;
    Point p = make_point(PointKind::task, of_culprit, last->end, 0, 0);
    p.met = t.call.location;
    const PointId awaited = to_.add(p);
    waiting.enter = last->idle_since, waiting.exit = last->end;
    p = make_point(PointKind::task, waiting, last->end, ticks_from(last->idle_since, last->end), 0);
    p.met = last->culprit;
    p.culprit = awaited;
    to_.add(p);
  }
}

// A critical section is one call from the request of the lock to its release: it waits only until the lock is
// acquired.
void ThreadPoints::add(const LockAcquired& a) {
  const Ticks t = ticks_from(a.call.enter, std::min(a.release_time, a.acquire_time));
  if (t <= 0) return;
  Call asking = a.call;
  asking.exit = a.acquire_time;
  add_release(to_, PointKind::lock, asking, a.acquire_time, t, a.released, a.release_time);
}

// Threads of a team within a team met others than those that the outer team's barriers are about.
void ThreadPoints::leave_out_inner_barriers() {
  if (inner_teams_.empty()) return;
  to_.points.chunks_back(0, to_.locations(), [&](PointId first, PointId end) {
    for (PointId id = end; id.number-- > first.number;) {
      Point p = to_.points.at(id);
      if (p.kind != PointKind::team_barrier || !inner_teams_.contains(CommId{p.group})) continue;
      p.kind = PointKind::inner_barrier, p.wait = 0, p.culprit = no_point, p.group = no_group;
      to_.points.set(id, p);
      to_.teams.has_inner_barriers = true;
    }
  });
}

// When a thread has become idle for the last time in a barrier, it waits until the others are done, as the barrier's
// own point says: tasks created meanwhile are executed by others, and tasks created later are not for this barrier.
void ThreadPoints::settle_tasks() {
  if (!has_task_points_) return;
  struct GoingBack {
    PointId id;
    std::uint32_t left;              // points of the location from the first one to that
    std::optional<Point> barrier{};  // the barrier that comes next
    PointId task = no_point;         // the waiting point of a task that comes next
  };
  std::vector<GoingBack> back;
  for (std::size_t l = 0; l < to_.locations(); ++l) back.push_back({to_.order.last(LocationId{l}), others_[l]});
  to_.points.chunks_back(0, to_.locations(), [&](PointId first, PointId) {
    GoingBack& own = back[first.location.index()];
    for (; own.left > first.number; --own.left) {
      const Point here = to_.points.at(own.id);
      const PointId id = std::exchange(own.id, here.point_before());
      if (here.kind == PointKind::team_barrier)
        own.barrier = here;
      else if (here.kind == PointKind::task && here.wait > 0)
        own.task = id;
      else
        continue;
      if (!own.barrier || own.task == no_point) continue;
      // The barrier's point may come first of two that end at one time.
      Point p = to_.points.at(own.task);
      if (p.enter != own.barrier->enter || p.call != own.barrier->call) continue;
      to_.points.change(p.culprit, [](Point& of_culprit) { of_culprit.met = LocationId::none(); });
      p.wait = p.total = 0, p.culprit = no_point, p.met = LocationId::none();
      to_.points.set(std::exchange(own.task, no_point), p);
    }
  });
}

// A thread that forks begins its part right after; there is a team of a communicator for each fork, in their order.
ThreadPoints::ForksOfTeams ThreadPoints::collect_forks() {
  ForksOfTeams of_teams;
  Teams& teams = to_.teams;
  to_.work.each_mark([&](const WorkMark& m) {
    switch (m.kind) {
      case WorkMark::Kind::others:
        teams.has_others = true;
        return;
      case WorkMark::Kind::tasks:
        teams.has_tasks = true;
        return;
      case WorkMark::Kind::nested:
        to_.has_nested[m.location.index()] = true;
        return;
      case WorkMark::Kind::inner_part:
        inner_teams_.insert(m.team);
        return;
      case WorkMark::Kind::fork: {
        Teams::Thread& thread = teams.threads[m.location];
        thread.fork = static_cast<std::uint32_t>(teams.forks.size());
        teams.forks.push_back(
            {.master = m.location, .after = thread.joined, .time = m.time, .is_first = !thread.has_joined});
        thread.has_forked = thread.own = true;
        return;
      }
      case WorkMark::Kind::part: {
        Teams::Thread& thread = teams.threads[m.location];
        if (!std::exchange(thread.own, false)) return;
        const auto [last, is_first] = of_teams.try_emplace(m.team, thread.fork, thread.fork);
        if (!is_first)
          teams.forks.change(std::exchange(last->second.second, thread.fork),
                             [&](Teams::Fork& f) { f.next = thread.fork; });
        return;
      }
      case WorkMark::Kind::join: {
        Teams::Thread& thread = teams.threads[m.location];
        if (thread.fork != no_group) teams.forks.change(thread.fork, [&](Teams::Fork& f) { f.join = m.time; });
        thread.joined = m.time;
        thread.has_joined = true;
        return;
      }
      case WorkMark::Kind::region:
      case WorkMark::Kind::kernel:
      case WorkMark::Kind::kernel_end:
      case WorkMark::Kind::launch:
      case WorkMark::Kind::without_member:
      case WorkMark::Kind::without_partner:
      case WorkMark::Kind::without_start:
      case WorkMark::Kind::without_part:
      case WorkMark::Kind::end_of_call:
      case WorkMark::Kind::never_completed:
        return;
    }
  });
  for (const CommId team : inner_teams_) teams.has_others = teams.has_others || of_teams.contains(team);
  return of_teams;
}

// The n-th part of a thread belongs to the n-th team of the communicator, but for teams that were joined before it
// began: it took no part in these. no_group: the trace lacks the fork.
std::uint32_t ThreadPoints::fork_of_part(std::uint32_t& next, Time begin) const {
  while (next != no_group) {
    const Teams::Fork fork = to_.teams.forks[next];
    if (fork.time > begin) return no_group;
    const std::uint32_t own = std::exchange(next, fork.next);
    if (fork.join >= begin) return own;
  }
  return no_group;
}

void ThreadPoints::add_fork_points(const ForksOfTeams& of_teams) {
  Teams& teams = to_.teams;
  std::uint32_t forked = 0;
  std::map<std::pair<LocationId, CommId>, std::uint32_t> next_of_thread;
  for (auto& [location, thread] : teams.threads) thread.fork = no_group, thread.own = false;
  to_.work.each_mark([&](const WorkMark& m) {
    if (m.kind != WorkMark::Kind::fork && m.kind != WorkMark::Kind::part && m.kind != WorkMark::Kind::region &&
        m.kind != WorkMark::Kind::join)
      return;
    Teams::Thread& thread = teams.threads[m.location];
    if (m.kind == WorkMark::Kind::fork) {
      thread.fork = forked++;
      thread.own = thread.in = true, thread.entered = false;
    } else if (m.kind == WorkMark::Kind::region) {
      thread.entered = true;
      if (thread.fork != no_group) add_fork_point(thread, m);
    } else if (m.kind == WorkMark::Kind::join) {
      thread.in = thread.own = false;
    } else if (!(thread.own && thread.in && !thread.entered)) {
      thread.own = thread.entered = false, thread.in = true;
      thread.fork = no_group;
      if (inner_teams_.contains(m.team)) return;
      const auto of_comm = of_teams.find(m.team);
      const auto next = next_of_thread.try_emplace({m.location, m.team},
                                                   of_comm == of_teams.end() ? no_group : of_comm->second.first);
      thread.fork = fork_of_part(next.first->second, m.time);
      if (thread.fork == no_group) teams.has_others = true;
    }
  });
}

// The time from the first enter of the region on, and the first thread's point, are known only when all marks have been
// gone through: order_forks().
void ThreadPoints::add_fork_point(Teams::Thread& thread, const WorkMark& region) {
  const PointId id = to_.points.next(region.location);
  Point p;
  p.location = region.location, p.callpath = region.callpath, p.enter = p.record = region.time;
  p.kind = PointKind::fork;
  p.call = region.number;
  p.group = thread.fork;
  to_.teams.forks.change(thread.fork, [&](Teams::Fork& f) {
    p.total = ticks_from(f.time, region.time);
    f.first_enter = std::min(f.first_enter, region.time);
    if (thread.own) f.point = id;
  });
  to_.points.push_back(p);
}

void ThreadPoints::find_forks() {
  for (std::size_t l = 0; l < to_.locations(); ++l) others_.push_back(to_.points.size(LocationId{l}));
  add_fork_points(collect_forks());
}

// Points of a location's forks come in their order, so one pass over its points is enough.
void ThreadPoints::order_forks() {
  std::vector<PointOrder::Inserter> inserters(to_.locations(), PointOrder::Inserter(to_.order));
  to_.points.chunks_back(0, to_.locations(), [&](PointId first, PointId end) {
    const std::size_t l = first.location.index();
    for (PointId id = end; id.number-- > std::max(first.number, others_[l]);) {
      Point p = to_.points.at(id);
      const Teams::Fork fork = to_.teams.forks[p.group];
      p.completion = ticks_from(fork.first_enter, p.enter);
      p.culprit = fork.point;
      p.met = LocationId::none();
      inserters[l].insert(id, p);
    }
  });
}

void ThreadPoints::finish() {
  leave_out_inner_barriers();
  settle_tasks();
  order_forks();
}

}  // namespace waitstate::causes
