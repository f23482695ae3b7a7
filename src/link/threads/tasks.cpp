#include "link/threads/tasks.hpp"

#include <algorithm>

namespace waitstate::link {

namespace {
bool may_have_tasks(const Definitions& definitions) {
  return std::any_of(definitions.regions.begin(), definitions.regions.end(), [](const Region& r) {
    return r.role == RegionRole::task || r.role == RegionRole::task_untied || r.role == RegionRole::task_create;
  });
}
}  // namespace

Tasks::Tasks(const Definitions& definitions, CallPaths& paths, Calls& calls, Diagnostics& diagnostics,
             Listener* listener, bool links, FindGraft find_graft)
    : definitions_(definitions),
      paths_(paths),
      calls_(calls),
      diagnostics_(diagnostics),
      listener_(listener),
      keep_links_(links),
      find_graft_(std::move(find_graft)),
      watches_idle_(listener != nullptr && listener->wanted().any(interest_task_idle) && may_have_tasks(definitions)),
      locations_(definitions.locations.size()),
      processes_(definitions.processes.size() + 1) {
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    const ProcessId p = definitions.locations[i].process;
    locations_[i].process = p.valid() ? p : ProcessId{definitions.processes.size()};
    processes_[locations_[i].process.index()].locations.push_back(LocationId{i});
  }
}

// --- the order -------------------------------------------------------------------------------------------------------

void Tasks::scan(const replay::Chunk& chunk) {
  LocationState& location = state(chunk.location);
  location.scanned = chunk.last_time;
  location.ended = chunk.last;
  location.pending.append(chunk.task_records);
  process_of(chunk.location).pending += chunk.task_records.size();
}

// Of all that is pending the first; none if nothing is. What lies before the bound cannot be preceded by what is still
// to be read.
LocationId Tasks::first_pending(const ProcessState& process, std::pair<Time, LocationId>& bound) const {
  LocationId first;
  bound = {~Time{0}, LocationId::none()};
  for (LocationId l : process.locations) {
    const LocationState& location = locations_[l.index()];
    if (location.pending.empty()) {
      if (!location.ended) bound = std::min(bound, {location.scanned, l});
    } else if (!first.valid() || location.pending.front().time < locations_[first.index()].pending.front().time) {
      first = l;
    }
  }
  return first;
}

void Tasks::order(ProcessState& process, bool force) {
  std::pair<Time, LocationId> bound;
  while (process.pending != 0) {
    const LocationId l = first_pending(process, bound);
    util::FrontQueue<replay::TaskRecord>& pending = state(l).pending;
    if (!force && bound <= std::pair{pending.front().time, l}) break;
    if (!order(l, pending.front(), force)) break;
    pending.pop_front();
    --process.pending;
    force = false;
  }
  if (process.idle.empty()) return;
  const LocationId l = first_pending(process, bound);
  deliver_idle(process, l.valid() ? std::min(bound.first, state(l).pending.front().time) : bound.first);
}

LocationId Tasks::awaited(LocationId l) {
  std::pair<Time, LocationId> bound;
  const LocationId first = first_pending(process_of(l), bound);
  if (!first.valid()) return LocationId::none();
  return bound <= std::pair{state(first).pending.front().time, first} ? bound.second : first;
}

// False if the record's segment has no caller yet.
bool Tasks::callpath(LocationId l, const replay::TaskRecord& r, CallPathId& path, bool force) {
  std::uint32_t g = CallPaths::no_graft;
  if ((r.segment & replay::TaskRecord::task_segment) != 0)
    g = graft(l, r.segment);
  else if (r.segment != 0 && !find_graft_(l, r.segment, g) && !force)
    return false;
  path = paths_.at(l, g, r.callpath);
  return true;
}

bool Tasks::order(LocationId l, const replay::TaskRecord& r, bool force) {
  Team* const team = team_of(l, r);
  switch (r.kind) {
    case replay::TaskRecord::Kind::create: {
      CallPathId path;
      if (!callpath(l, r, path, force)) return false;
      Task& task = tasks_[key(l, r)];
      if (task.creator.valid()) never_completed(key(l, r), task);
      task = {paths_.outermost(path), 0, false, l, r.time};
      if (team == nullptr) break;
      if (team->ready++ == 0) lacked(*team, r.time, true, l, path);
      break;
    }
    case replay::TaskRecord::Kind::begin: {
      auto it = tasks_.find(key(l, r));
      if (it == tasks_.end()) {
        CallPathId path;
        if (!callpath(l, r, path, force)) return false;
        if (r.thread)
          diagnostics_.add(DiagnosticId::thread_unknown, {l, r.time, {}});
        else
          diagnostics_.add(DiagnosticId::task_unknown, {l, r.time, "switch"});
        it = tasks_.emplace(key(l, r), Task{path, 0, true, l, r.time}).first;
        if (team != nullptr && team->running++ == 0 && team->ready == 0) {  // from now on tasks are running
          team->running = 0;
          lacked(*team, r.time, false, LocationId::none(), CallPathId::none());
          team->running = 1;
        }
      }
      Task& task = it->second;
      state(l).grafts[r.number] = paths_.graft(l, task.callpath, task.open);
      if (task.begun) break;
      task.begun = true;
      if (team == nullptr) break;
      ++team->running;
      if (team->ready != 0 && --team->ready == 0) team->since = r.time;
      break;
    }
    case replay::TaskRecord::Kind::part:
      break;
    case replay::TaskRecord::Kind::end:
      end(l, r);
      break;
    case replay::TaskRecord::Kind::complete:
      if (tasks_.erase(key(l, r)) == 0)
        diagnostics_.add(DiagnosticId::task_unknown, {l, r.time, "completion"});
      else if (team != nullptr)
        ended(*team, r.time, l, CallPathId::none());
      break;
  }
  return true;
}

// Threads often do not end before the program does.
void Tasks::never_completed(const TaskKey& key, const Task& task) {
  if (!key.thread)
    diagnostics_.add(DiagnosticId::task_never_completed, {task.creator, task.created, {}});
  else if (!task.begun)
    diagnostics_.add(DiagnosticId::thread_never_begun, {task.creator, task.created, {}});
}

// The task stays where it is, or is done.
void Tasks::end(LocationId l, const replay::TaskRecord& r) {
  const auto it = tasks_.find(key(l, r));
  if (it == tasks_.end()) return;
  Task& task = it->second;
  const std::uint32_t g = graft(l, r.number);
  const std::uint32_t still_open = paths_.left(l, g, r.base).open;
  task.callpath = paths_.at(l, g, r.callpath);
  task.open = still_open + r.depth;
  if (!r.completed) return;
  if (still_open != 0) diagnostics_.add(DiagnosticId::region_never_left, {l, r.time, {}}, 0, still_open);
  if (Team* const team = team_of(l, r))
    ended(*team, r.time, l, r.outermost == 0 ? task.callpath : paths_.at(l, g, r.outermost));
  tasks_.erase(it);
}

// --- processed
// --------------------------------------------------------------------------------------------------------

void Tasks::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  LocationState& location = state(l);
  location.processed = std::min(chunk.last_time, chunk.sync_since);
  location.gone = chunk.last;
  std::size_t next = 0, next_counter = 0;
  for (const replay::TaskRecord& r : chunk.task_records) {
    if (r.kind == replay::TaskRecord::Kind::begin && keep_links_) location.merge_grafts.push_back(graft(l, r.number));
    if (r.kind != replay::TaskRecord::Kind::part && r.kind != replay::TaskRecord::Kind::end) continue;
    const std::uint32_t g = graft(l, r.number);
    for (const std::size_t last = next + r.profiles; next < last; ++next) {
      const replay::PathProfile& p = chunk.task_profiles[next];
      replay::Profile profile = p.profile;
      if (paths_.is_up(l, p.callpath)) {  // its visits are exits
        const CallPaths::Left left = paths_.left(l, g, p.callpath);
        if (!left.matched) diagnostics_.add(DiagnosticId::exit_without_enter, {l, r.time, {}}, 0, profile.visits);
        diagnostics_.add(DiagnosticId::exit_of_other_region, {l, r.time, {}}, 0, profile.visits * left.inside);
        profile.visits = 0;
      }
      const CallPathId path = paths_.at(l, g, p.callpath);
      if (listener_ != nullptr && path.valid()) listener_->profile(l, path, profile);
    }
    for (const std::size_t last = next_counter + r.counters; next_counter < last; ++next_counter) {
      const replay::PathCounter& c = chunk.task_counters[next_counter];
      const CallPathId path = paths_.at(l, g, c.callpath);
      if (listener_ != nullptr && path.valid()) listener_->counter(path, c);
    }
    if (r.kind == replay::TaskRecord::Kind::end) location.grafts.erase(r.number);
  }
  if (watches_idle_) order(process_of(l), false);
}

std::uint32_t Tasks::take_graft(LocationId l) {
  util::FrontQueue<std::uint32_t>& grafts = state(l).merge_grafts;
  const std::uint32_t graft = grafts.front();
  grafts.pop_front();
  return graft;
}

void Tasks::finish() {
  for (ProcessState& process : processes_) {
    while (process.pending != 0) order(process, true);
    deliver_idle(process, ~Time{0});
  }
  for (const auto& [key, task] : tasks_) never_completed(key, task);
  tasks_.clear();
}

// --- idle threads ----------------------------------------------------------------------------------------------------

Tasks::Team* Tasks::team_of(LocationId l, const replay::TaskRecord& r) {
  return watches_idle_ && r.team.valid() && !r.thread ? &teams_[{state(l).process, r.team}] : nullptr;
}

void Tasks::lacked(Team& team, Time until, bool created, LocationId culprit, CallPathId callpath) {
  if (until > team.since) team.lacks.push_back({team.since, until, created, team.running != 0, culprit, callpath});
  team.since = until;
}

// A running task.
void Tasks::ended(Team& team, Time t, LocationId culprit, CallPathId callpath) {
  if (team.running > 1 || team.ready != 0) {
    team.running -= team.running != 0;
    return;
  }
  team.running = 1;  // until now
  lacked(team, t, false, culprit, callpath);
  team.running = 0;
}

void Tasks::idle(CommId team, std::uint32_t call, std::vector<TimeSpan> tasks) {
  if (!team.valid()) return;
  calls_.hold(call);
  process_of(calls_[call].call.location).idle.push_back({team, call, std::move(tasks)});
}

// Of the calls that end before the bound.
void Tasks::deliver_idle(ProcessState& process, Time bound) {
  std::size_t left = 0;
  for (IdleCall& i : process.idle) {
    if (calls_[i.call].call.exit < bound || bound == ~Time{0}) {
      deliver_idle(i);
      calls_.drop(i.call);
    } else {
      if (&process.idle[left] != &i) process.idle[left] = std::move(i);
      ++left;
    }
  }
  if (left == process.idle.size()) return;
  process.idle.resize(left);
  forget_lacks(process);
}

void Tasks::deliver_idle(const IdleCall& idle) {
  const Call& call = calls_[idle.call].call;
  const auto it = teams_.find({state(call.location).process, idle.team});
  if (it == teams_.end()) return;
  const Team& team = it->second;
  parts_.clear();
  auto task = idle.tasks.begin();
  const auto add = [&](const Lack& lack, const Lack& over) {
    const bool ended = over.end <= call.exit;  // while the thread was in the call
    if (!lack.running && !(ended && over.created)) return;
    const auto part = [&](Time from, Time to) {
      if (to <= from) return;
      if (ended)
        parts_.push_back({from, to, over.created, over.culprit, over.culprit_callpath});
      else
        parts_.push_back({from, to, false, LocationId::none(), CallPathId::none()});
    };
    Time from = std::max(call.enter, lack.begin);
    const Time to = std::min(call.exit, lack.end);
    for (; task != idle.tasks.end() && task->begin < to; ++task) {
      part(from, task->begin);
      from = std::max(from, task->end);
      if (task->end > to) break;  // goes on in the next one
    }
    part(from, to);
  };
  auto lack =
      std::partition_point(team.lacks.begin(), team.lacks.end(), [&](const Lack& k) { return k.end <= call.enter; });
  // When the last running task ends, the lack goes on until one is created; if that comes too late for the call, it was
  // over with that end.
  const auto over = [&](auto k) {
    const auto first = k;
    while (!k->created && k + 1 != team.lacks.end() && (k + 1)->begin == k->end) ++k;
    return k->created && k->end <= call.exit ? k : first;
  };
  for (; lack != team.lacks.end() && lack->begin < call.exit; ++lack) add(*lack, *over(lack));
  if (team.ready == 0 && team.running != 0 && team.since < call.exit) {
    const Lack open{team.since, ~Time{0}, false, true, LocationId::none(), CallPathId::none()};
    add(open, open);
  }
  if (!parts_.empty()) listener_->task_idle({call, parts_});
}

// What no call that is still to come can reach into.
void Tasks::forget_lacks(const ProcessState& process) {
  if (process.locations.empty()) return;
  Time needed = ~Time{0};
  for (LocationId l : process.locations)
    if (!state(l).gone) needed = std::min(needed, state(l).processed);
  for (const IdleCall& i : process.idle) needed = std::min(needed, calls_[i.call].call.enter);
  const ProcessId id = state(process.locations.front()).process;
  for (auto it = teams_.lower_bound({id, CommId{0}}); it != teams_.end() && it->first.first == id; ++it) {
    std::deque<Lack>& lacks = it->second.lacks;
    while (!lacks.empty() && lacks.front().end <= needed) lacks.pop_front();
  }
}

}  // namespace waitstate::link
