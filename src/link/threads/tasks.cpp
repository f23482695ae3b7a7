#include "link/threads/tasks.hpp"

#include <algorithm>

namespace waitstate::link {

Tasks::Tasks(const Processes& processes, CallPaths& paths, Attachments& attachments, IdleThreads& idle,
             Diagnostics& diagnostics, Listener* listener)
    : processes_(processes),
      paths_(paths),
      attachments_(attachments),
      idle_(idle),
      diagnostics_(diagnostics),
      listener_(listener),
      locations_(processes.locations()),
      pending_(processes.size()) {}

// --- the order -------------------------------------------------------------------------------------------------------

void Tasks::scan(const replay::Chunk& chunk) {
  LocationState& location = state(chunk.location);
  location.scanned = chunk.last_time;
  location.ended = chunk.last;
  location.pending.append(chunk.task_records);
  if (!chunk.task_records.empty()) pending_[processes_.of(chunk.location).index()] += chunk.task_records.size();
}

// The first of all that is pending; none if nothing is. What lies before the bound cannot be preceded by what is still
// to be read.
LocationId Tasks::first_pending(ProcessId process, std::pair<Time, LocationId>& bound) const {
  LocationId first;
  bound = {~Time{0}, LocationId::none()};
  for (LocationId l : processes_.all(process)) {
    const LocationState& location = locations_[l.index()];
    if (location.pending.empty()) {
      if (!location.ended) bound = std::min(bound, {location.scanned, l});
    } else if (!first.valid() || location.pending.front().time < locations_[first.index()].pending.front().time) {
      first = l;
    }
  }
  return first;
}

void Tasks::order(ProcessId p, bool force) {
  std::size_t& all_pending = pending_[p.index()];
  std::pair<Time, LocationId> bound;
  while (all_pending != 0) {
    const LocationId l = first_pending(p, bound);
    util::FrontQueue<replay::TaskRecord>& pending = state(l).pending;
    if (!force && bound <= std::pair{pending.front().time, l}) break;
    if (!order(l, pending.front(), force)) break;
    pending.pop_front();
    --all_pending;
    force = false;
  }
  if (!idle_.calls_wait(p)) return;
  const LocationId l = first_pending(p, bound);
  idle_.deliver(p, l.valid() ? std::min(bound.first, state(l).pending.front().time) : bound.first);
}

LocationId Tasks::awaited(LocationId l) {
  std::pair<Time, LocationId> bound;
  const LocationId first = first_pending(processes_.of(l), bound);
  if (!first.valid()) return LocationId::none();
  return bound <= std::pair{state(first).pending.front().time, first} ? bound.second : first;
}

// False if it cannot be dealt with yet.
bool Tasks::order(LocationId l, const replay::TaskRecord& r, bool force) {
  switch (r.kind) {
    case replay::TaskRecord::Kind::create:
      return create(l, r, force);
    case replay::TaskRecord::Kind::begin:
      return begin(l, r, force);
    case replay::TaskRecord::Kind::part:
      break;
    case replay::TaskRecord::Kind::end:
      end(l, r);
      break;
    case replay::TaskRecord::Kind::complete:
      if (tasks_.erase(key(l, r)) == 0)
        diagnostics_.add(DiagnosticId::task_unknown, {l, r.time, "completion"});
      else
        idle_.ended(l, r, CallPathId::none());
      break;
  }
  return true;
}

// False if the record's segment is not attached yet. Segments of tasks that are not attached will not be.
bool Tasks::callpath(LocationId l, const replay::TaskRecord& r, CallPathId& path, bool force) {
  const SegmentRef segment{l, r.segment};
  if (!segment.of_task() && !force && !attachments_.attached(segment)) return false;
  path = attachments_.call_path(segment, r.callpath);
  return true;
}

bool Tasks::create(LocationId l, const replay::TaskRecord& r, bool force) {
  CallPathId path;
  if (!callpath(l, r, path, force)) return false;
  Task& task = tasks_[key(l, r)];
  if (task.creator.valid()) never_completed(key(l, r), task);
  task = {paths_.outermost(path), 0, false, l, r.time};
  idle_.created(l, r, path);
  return true;
}

bool Tasks::begin(LocationId l, const replay::TaskRecord& r, bool force) {
  auto it = tasks_.find(key(l, r));
  if (it == tasks_.end()) {
    CallPathId path;
    if (!callpath(l, r, path, force)) return false;
    if (r.thread)
      diagnostics_.add(DiagnosticId::thread_unknown, {l, r.time, {}});
    else
      diagnostics_.add(DiagnosticId::task_unknown, {l, r.time, "switch"});
    it = tasks_.emplace(key(l, r), Task{path, 0, true, l, r.time}).first;
    idle_.begun_unknown(l, r);
  }
  Task& task = it->second;
  attachments_.attach({l, r.number}, task.callpath, task.open);
  if (task.begun) return true;
  task.begun = true;
  idle_.begun(l, r);
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
  const std::uint32_t attachment = attachments_.of(l, r.number);
  const std::uint32_t still_open = paths_.left(l, attachment, r.base).open;
  task.callpath = paths_.at(l, attachment, r.callpath);
  task.open = still_open + r.depth;
  if (!r.completed) return;
  if (still_open != 0) diagnostics_.add(DiagnosticId::region_never_left, {l, r.time, {}}, 0, still_open);
  if (idle_.counts(r)) idle_.ended(l, r, r.outermost == 0 ? task.callpath : paths_.at(l, attachment, r.outermost));
  tasks_.erase(it);
}

// --- processed -------------------------------------------------------------------------------------------------------

void Tasks::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  idle_.processed(l, std::min(chunk.last_time, chunk.sync_since), chunk.last);
  std::size_t next = 0, next_counter = 0;
  for (const replay::TaskRecord& r : chunk.task_records) {
    const SegmentRef segment{l, r.number};
    if (r.kind == replay::TaskRecord::Kind::begin) attachments_.process_task(segment);
    if (r.kind != replay::TaskRecord::Kind::part && r.kind != replay::TaskRecord::Kind::end) continue;
    const std::uint32_t attachment = attachments_.of(l, r.number);
    for (const std::size_t last = next + r.profiles; next < last; ++next)
      deliver_profile(l, attachment, r, chunk.task_profiles[next]);
    for (const std::size_t last = next_counter + r.counters; next_counter < last; ++next_counter) {
      const replay::PathCounter& c = chunk.task_counters[next_counter];
      const CallPathId path = paths_.at(l, attachment, c.callpath);
      if (listener_ != nullptr && path.valid()) listener_->counter(path, c);
    }
    if (r.kind == replay::TaskRecord::Kind::end) attachments_.forget_task(segment);
  }
  if (idle_.wanted()) order(l);
}

// `r` tells a part of a task's segment, or its end.
void Tasks::deliver_profile(LocationId l, std::uint32_t attachment, const replay::TaskRecord& r,
                            const replay::PathProfile& p) {
  replay::Profile profile = p.profile;
  profile.outside = r.thread && paths_.is_root(l, p.callpath);
  if (paths_.is_up(l, p.callpath)) {  // its visits are exits
    const CallPaths::Left left = paths_.left(l, attachment, p.callpath);
    if (!left.matched) diagnostics_.add(DiagnosticId::exit_without_enter, {l, r.time, {}}, 0, profile.visits);
    diagnostics_.add(DiagnosticId::exit_of_other_region, {l, r.time, {}}, 0, profile.visits * left.inside);
    profile.visits = 0;
  }
  const CallPathId path = paths_.at(l, attachment, p.callpath);
  if (listener_ != nullptr && path.valid()) listener_->profile(l, path, profile);
}

void Tasks::finish() {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    while (std::as_const(pending_)[i] != 0) order(ProcessId{i}, true);
    idle_.deliver(ProcessId{i}, ~Time{0});
  }
  for (const auto& [key, task] : tasks_) never_completed(key, task);
  tasks_.clear();
}

}  // namespace waitstate::link
