#include "link/threads/idle_threads.hpp"

#include <algorithm>

namespace waitstate::link {

namespace {
bool may_have_tasks(const Definitions& definitions) {
  return std::any_of(definitions.regions.begin(), definitions.regions.end(), [](const Region& r) {
    return r.role == RegionRole::task || r.role == RegionRole::task_untied || r.role == RegionRole::task_create;
  });
}
}  // namespace

IdleThreads::IdleThreads(const Definitions& definitions, const Processes& processes, Calls& calls, Listener* listener)
    : processes_(processes),
      calls_(calls),
      listener_(listener),
      wanted_(listener != nullptr && listener->wanted().any(interest_task_idle) && may_have_tasks(definitions)),
      threads_(processes.locations()),
      calls_of_(processes.size()) {}

// --- tasks -----------------------------------------------------------------------------------------------------------

IdleThreads::Team* IdleThreads::team_of(LocationId l, const replay::TaskRecord& r) {
  return counts(r) ? &teams_[{processes_.of(l), r.team}] : nullptr;
}

void IdleThreads::created(LocationId l, const replay::TaskRecord& r, CallPathId where) {
  Team* const team = team_of(l, r);
  if (team != nullptr && team->ready++ == 0) end_interval(*team, r.time, true, l, where);
}

void IdleThreads::begun(LocationId l, const replay::TaskRecord& r) {
  Team* const team = team_of(l, r);
  if (team == nullptr) return;
  ++team->running;
  if (team->ready != 0 && --team->ready == 0) team->since = r.time;
}

void IdleThreads::begun_unknown(LocationId l, const replay::TaskRecord& r) {
  Team* const team = team_of(l, r);
  if (team == nullptr) return;
  if (team->running == 0 && team->ready == 0)  // from now on tasks are running
    end_interval(*team, r.time, false, LocationId::none(), CallPathId::none());
  ++team->running;
}

void IdleThreads::ended(LocationId l, const replay::TaskRecord& r, CallPathId where) {
  Team* const team = team_of(l, r);
  if (team == nullptr) return;
  if (team->running > 1 || team->ready != 0) {
    team->running -= team->running != 0;
    return;
  }
  team->running = 1;  // until now
  end_interval(*team, r.time, false, l, where);
  team->running = 0;
}

// The next one begins at once; if a task was created, not before it is begun.
void IdleThreads::end_interval(Team& team, Time until, bool created, LocationId culprit, CallPathId callpath) {
  if (until > team.since) team.intervals.push_back({team.since, until, created, team.running != 0, culprit, callpath});
  team.since = until;
}

// --- calls -----------------------------------------------------------------------------------------------------------

void IdleThreads::add(CommId team, std::uint32_t call, std::vector<TimeSpan> tasks) {
  if (!team.valid()) return;
  calls_.keep(call);
  calls_of_[processes_.of(calls_[call].call.location).index()].push_back({team, call, std::move(tasks)});
}

void IdleThreads::processed(LocationId l, Time until, bool ended) { threads_[l.index()] = {until, ended}; }

void IdleThreads::deliver(ProcessId p, Time bound) {
  if (!calls_wait(p)) return;
  std::vector<IdleCall>& calls = calls_of_[p.index()];
  std::size_t left = 0;
  for (IdleCall& i : calls) {
    if (calls_[i.call].call.exit < bound || bound == ~Time{0}) {
      deliver(p, i);
      calls_.release(i.call);
    } else {
      if (&calls[left] != &i) calls[left] = std::move(i);
      ++left;
    }
  }
  if (left == calls.size()) return;
  calls.resize(left);
  forget_intervals(p);
}

void IdleThreads::deliver(ProcessId p, const IdleCall& idle) {
  const Call& call = calls_[idle.call].call;
  const auto it = teams_.find({p, idle.team});
  if (it == teams_.end()) return;
  const Team& team = it->second;
  parts_.clear();
  Time idle_since = call.enter;
  auto task = idle.tasks.begin();
  const auto add = [&](const NoTaskInterval& interval, const NoTaskInterval& last) {
    const bool ended = last.end <= call.exit;  // while the thread was in the call
    if (!interval.running && !(ended && last.created)) return;
    const auto part = [&](Time from, Time to) {
      if (to <= from) return;
      if (ended && last.culprit.valid())
        parts_.push_back({from, to, last.created, last.culprit, last.culprit_callpath, last.end, idle_since});
      else
        parts_.push_back({from, to, false, LocationId::none(), CallPathId::none(), 0, idle_since});
    };
    Time from = std::max(call.enter, interval.begin);
    const Time to = std::min(call.exit, interval.end);
    for (; task != idle.tasks.end() && task->begin < to; ++task) {
      part(from, task->begin);
      from = std::max(from, task->end);
      idle_since = std::max(idle_since, task->end);
      if (task->end > to) break;  // goes on in the next one
    }
    part(from, to);
  };
  auto interval = std::partition_point(team.intervals.begin(), team.intervals.end(),
                                       [&](const NoTaskInterval& n) { return n.end <= call.enter; });
  // When the last running task ends, no task is ready until one is created; if that comes too late for the call, the
  // wait was over with that end.
  const auto last = [&](auto n) {
    const auto first = n;
    while (!n->created && n + 1 != team.intervals.end() && (n + 1)->begin == n->end) ++n;
    return n->created && n->end <= call.exit ? n : first;
  };
  for (; interval != team.intervals.end() && interval->begin < call.exit; ++interval) add(*interval, *last(interval));
  if (team.ready == 0 && team.running != 0 && team.since < call.exit) {
    const NoTaskInterval open{team.since, ~Time{0}, false, true, LocationId::none(), CallPathId::none()};
    add(open, open);
  }
  if (!parts_.empty()) listener_->task_idle({call, parts_});
}

// Forgets intervals that no call can reach into any more.
void IdleThreads::forget_intervals(ProcessId p) {
  Time needed = ~Time{0};
  for (LocationId l : processes_.all(p))
    if (const Thread& thread = std::as_const(threads_)[l.index()]; !thread.ended)
      needed = std::min(needed, thread.processed);
  for (const IdleCall& i : calls_of_[p.index()]) needed = std::min(needed, calls_[i.call].call.enter);
  for (auto it = teams_.lower_bound({p, CommId{0}}); it != teams_.end() && it->first.first == p; ++it) {
    std::deque<NoTaskInterval>& intervals = it->second.intervals;
    while (!intervals.empty() && intervals.front().end <= needed) intervals.pop_front();
  }
}

}  // namespace waitstate::link
