// LocationReplay: what concerns explicit tasks.
//
// A thread that switches to a task sets aside what it was doing - its implicit task, with the regions open in it - and
// takes that up again when the task completes or it switches back. What it executes of a task without a break is a
// segment, as a part in a team is: with call paths below a root that stands for where the task was, which only the
// linker knows, because the task may have been created, and executed so far, on other threads. So nothing is kept here
// of a task that is not being executed. A region of the task that was entered in an earlier segment is left by an exit
// while no region of this one is open: the call path goes one up from the root (LocalCallTree::up_frame), and the
// linker sees to what that is.
//
// What a created thread (POSIX threads) does from its begin to its end is such a segment too.
//
// A task may fork a team of its own, whose implicit task tasks then interrupt: Activities lie on a stack.
#include <algorithm>

#include "replay/location_replay.hpp"

namespace waitstate::replay {

namespace {
// Teams within tasks within teams; deeper ones, in traces that contradict themselves, are taken as left.
constexpr std::size_t most_aside = 64;
// Regions that a task leaves in one segment and entered in earlier ones; more are counted as never entered.
constexpr std::uint32_t most_exits = 256;
}  // namespace

TaskRecord& LocationReplay::add_task_record(TaskRecord::Kind kind, CommId team, std::uint64_t task) {
  TaskRecord& r = chunk_->task_records.emplace_back();
  r.kind = kind;
  r.team = team;
  r.task = task;
  r.time = last_time_;
  r.segment = segment_.number;
  r.callpath = current_;
  return r;
}

void LocationReplay::task_record(EventType type, CommId team, std::uint64_t task, bool implicit) {
  const bool executed = in_task() && !task_.thread && task_.team == team && task_.number == task;
  switch (type) {
    case EventType::thread_task_create:
    case EventType::omp_task_create:
      if (!implicit) add_task_record(TaskRecord::Kind::create, team, task);
      break;
    case EventType::thread_task_complete:
    case EventType::omp_task_complete:
      if (executed)
        end_task(true, true);
      else if (!implicit)
        add_task_record(TaskRecord::Kind::complete, team, task);
      break;
    default:
      if (implicit) {
        if (task_is_innermost()) end_task(false, true);
      } else if (!executed) {
        begin_task(team, task, false);
      }
  }
}

void LocationReplay::swap_activity(Activity& a) {
  std::swap(stack_, a.stack);
  std::swap(forks_, a.forks);
  std::swap(teams_, a.teams);
  std::swap(segment_, a.segment);
  std::swap(touched_, a.touched);
  std::swap(current_, a.current);
  std::swap(account_, a.account);
  std::swap(base_, a.base);
  std::swap(longest_path_, a.longest_path);
  std::swap(longest_, a.longest);
  std::swap(longest_end_, a.longest_end);
  std::swap(folded_, a.folded);
  std::swap(before_, a.before);
  std::swap(folded_before_, a.folded_before);
  std::swap(watched_depth_, a.watched_depth);
}

// A thread is called from where it was created, as a task is, and begins outside of every region.
void LocationReplay::thread_record(EventType type, CommId contingent, std::uint64_t sequence) {
  if (type == EventType::thread_create) {
    add_task_record(TaskRecord::Kind::create, contingent, sequence).thread = true;
  } else if (type == EventType::thread_begin) {
    if (stack_.empty() && forks_.empty() && teams_.empty() && aside_.empty()) begin_task(contingent, sequence, true);
  } else if (!aside_.empty()) {
    const auto is_thread = [&](const Task& t) { return t.thread && t.team == contingent && t.number == sequence; };
    if (!is_thread(task_) && std::none_of(tasks_aside_.begin(), tasks_aside_.end(), is_thread)) return;
    while (!is_thread(task_)) end_task(false, true);  // of tasks that are never completed
    end_task(true, true);
  }
}

void LocationReplay::begin_task(CommId team, std::uint64_t task, bool thread) {
  const bool replaces = task_is_innermost() || aside_.size() == most_aside;
  if (replaces) {
    end_task(false, false);
  } else {
    if (in_task()) {  // its call paths are used by the inner task too
      const std::uint32_t number = segment_.number;
      TaskRecord& part = add_task_record(TaskRecord::Kind::part, task_.team, task_.number);
      part.number = number;
      part.thread = task_.thread;
      part.profiles = take_profiles(chunk_->task_profiles);
      part.counters = take_counters(chunk_->task_counters);
    }
    swap_activity(aside_.emplace_back());
    tasks_aside_.push_back(task_);
  }
  TaskRecord& begun = add_task_record(TaskRecord::Kind::begin, team, task);
  begun.thread = thread;
  begun.segment = aside_.back().segment.number;
  begun.callpath = aside_.back().current;
  if (task_root_ == 0) {
    bool added = false;
    task_root_ = tree_.child(0, LocalCallTree::task_frame, added);
    add_call_path(LocalCallTree::task_frame);
  }
  task_ = {team, task, last_time_, thread};
  segment_ = Segment{};
  segment_.number = begun.number = ++task_segments_ | TaskRecord::task_segment;
  base_ = current_ = account_ = task_root_;
  longest_ = folded_ = 0;
  watched_depth_ = ~std::size_t{0};
  touch(base_);
  update_in_teams();
  if (options_.keep_events)
    chunk_->task_events.push_back(
        {static_cast<std::uint32_t>(chunk_->events.size()), true, !replaces, false, thread, team, task});
}

// `aside`: what was set aside is taken up again.
void LocationReplay::end_task(bool completed, bool aside) {
  if (completed)
    for (auto f = stack_.rbegin(); f != stack_.rend(); ++f)
      report(DiagnosticId::region_never_left, tree_.frame(f->callpath));
  for (const Frame& f : stack_)
    if (f.call != no_call) close_call(f);
  TaskRecord& r = add_task_record(TaskRecord::Kind::end, task_.team, task_.number);
  r.completed = completed;
  r.thread = task_.thread;
  r.number = segment_.number;
  r.base = base_;
  r.outermost = segment_.parallel;
  r.depth = static_cast<std::uint32_t>(stack_.size());
  r.profiles = take_profiles(chunk_->task_profiles);
  r.counters = take_counters(chunk_->task_counters);
  if (options_.keep_events)
    chunk_->task_events.push_back({static_cast<std::uint32_t>(chunk_->events.size()), false, aside, completed,
                                   task_.thread, task_.team, task_.number});
  if (last_time_ > task_.begin)
    for (const Frame& f : aside_.back().stack)
      if (f.call != no_call && (f.call & is_sync) != 0)
        chunk_->task_times.push_back({f.call & ~is_sync, task_.begin, last_time_});
  stack_.clear();
  forks_.clear();
  teams_.clear();
  segment_ = Segment{};
  if (!aside) return;
  swap_activity(aside_.back());
  aside_.pop_back();
  task_ = tasks_aside_.back();
  tasks_aside_.pop_back();
  if (in_task()) {
    touch(base_);
    for (const Frame& f : stack_) touch(f.callpath);
  }
  update_in_teams();
}

// Whatever tasks are being executed.
void LocationReplay::end_tasks() {
  while (!aside_.empty()) end_task(false, true);
}

// Of a region that the task entered before this segment. Returns what stands for the call path that is left.
std::uint32_t LocationReplay::exit_outside_segment(RegionId region) {
  if (++segment_.exits > most_exits) {
    report(DiagnosticId::exit_without_enter, region.value);
    return 0;
  }
  bool added = false;
  const std::uint64_t frame = LocalCallTree::up_frame(region);
  base_ = tree_.child(base_, frame, added);
  if (added) add_call_path(frame);
  touch(base_);
  ++profiles_[base_].visits;
  current_ = account_ = base_;
  return base_;
}

}  // namespace waitstate::replay
