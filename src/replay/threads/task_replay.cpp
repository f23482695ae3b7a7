#include "replay/threads/task_replay.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace waitstate::replay {
namespace {

// Teams within tasks within teams; deeper ones, in traces that contradict themselves, are taken as left.
constexpr std::size_t most_interrupted = 64;
// Regions that a task leaves in one segment and entered in earlier ones; more are counted as never entered.
constexpr std::uint32_t most_exits = 256;
// Regions of tasks that have gone on to other threads are never left here.
constexpr std::size_t most_left_open = 1024;

bool is(const Task& t, CommId team, std::uint64_t number, bool thread) {
  return t.thread == thread && t.team == team && t.number == number;
}

}  // namespace

TaskRecord& TaskReplay::add_record(TaskRecord::Kind kind, CommId team, std::uint64_t task) {
  TaskRecord& r = chunk().task_records.emplace_back();
  r.kind = kind;
  r.team = team;
  r.task = task;
  r.time = now();
  r.segment = stack_.activity.segment.number;
  r.callpath = stack_.activity.current;
  return r;
}

// Hands on the sums of counters in the task's segment, so far or in all.
void TaskReplay::take_sums(TaskRecord& r) {
  r.number = stack_.activity.segment.number;
  r.thread = stack_.activity.task.thread;
  r.profiles = stack_.profiles.take_touched(stack_.activity, chunk().task_profiles);
  r.counters = counters_.take_segment(chunk().task_counters);
}

void TaskReplay::add_event(const Task& task, bool begins, bool aside, bool completed) {
  if (!stack_.context.options.keep_events) return;
  chunk().task_events.push_back({static_cast<std::uint32_t>(chunk().events.size()), begins, aside, completed,
                                 task.thread, task.team, task.number});
}

void TaskReplay::task_record(EventType type, CommId team, std::uint64_t task, bool implicit) {
  const bool executed = stack_.activity.in_task() && is(stack_.activity.task, team, task, false);
  switch (type) {
    case EventType::thread_task_create:
    case EventType::omp_task_create:
      if (!implicit) add_record(TaskRecord::Kind::create, team, task);
      break;
    case EventType::thread_task_complete:
    case EventType::omp_task_complete:
      if (executed)
        end(true, true);
      else if (!implicit)
        add_record(TaskRecord::Kind::complete, team, task);
      break;
    default:
      if (implicit) {
        if (stack_.activity.task_is_innermost()) end(false, true);
      } else if (!executed) {
        begin(team, task, false);
      }
  }
}

// A thread is called from where it was created, as a task is, and begins outside of every region.
void TaskReplay::thread_record(EventType type, CommId contingent, std::uint64_t sequence) {
  const Activity& a = stack_.activity;
  if (type == EventType::thread_create) {
    add_record(TaskRecord::Kind::create, contingent, sequence).thread = true;
  } else if (type == EventType::thread_begin) {
    if (a.stack.empty() && a.forks.empty() && a.teams.empty() && interrupted_.empty())
      begin(contingent, sequence, true);
  } else if (!interrupted_.empty()) {
    const auto is_thread = [&](const Activity& activity) { return is(activity.task, contingent, sequence, true); };
    if (!is_thread(a) && std::none_of(interrupted_.begin(), interrupted_.end(), is_thread)) return;
    while (!is_thread(a)) give_up_task();
    end(true, true);
  }
}

void TaskReplay::begin(CommId team, std::uint64_t task, bool thread) {
  Activity& a = stack_.activity;
  const bool replaces = a.task_is_innermost() || interrupted_.size() == most_interrupted;
  if (replaces) {
    end(false, false);
  } else {
    if (a.in_task())  // its call paths are used by the inner task too
      take_sums(add_record(TaskRecord::Kind::part, a.task.team, a.task.number));
    std::swap(a, interrupted_.emplace_back());
  }
  const Activity& outer = interrupted_.back();
  TaskRecord& begun = add_record(TaskRecord::Kind::begin, team, task);
  begun.thread = thread;
  begun.segment = outer.segment.number;
  begun.callpath = outer.current;
  begun.number = ++segments_ | TaskRecord::task_segment;
  a.task = {team, task, now(), thread};
  a.segment = Segment{};
  a.segment.number = begun.number;
  stack_.set_base(stack_.make_task_root());
  a.longest.forget();
  a.longest_before_waits.forget();
  a.mpi_depth = Activity::no_depth;
  stack_.profiles.touch(a, a.base);
  stack_.update_in_threads();
  add_event(a.task, true, !replaces, false);
}

// The task that is executed may go on with the regions that are open in it, on this thread or on another one.
void TaskReplay::leave_open() {
  const Activity& a = stack_.activity;
  for (const Frame& f : a.stack)
    if (const std::uint64_t frame = stack_.tree().frame(f.callpath); frame < RegionId::none_value)
      left_open_.push_back({a.task, interrupted_.size(), stack_.region(f.callpath), f.enter});
  if (left_open_.size() > most_left_open)
    left_open_.erase(left_open_.begin(), left_open_.end() - static_cast<std::ptrdiff_t>(most_left_open));
}

void TaskReplay::forget_left_open() {
  const Task& t = stack_.activity.task;
  std::erase_if(left_open_, [&](const LeftOpen& l) { return is(l.task, t.team, t.number, t.thread); });
}

// `resumes`: what was interrupted goes on.
void TaskReplay::end(bool completed, bool resumes) {
  Activity& a = stack_.activity;
  if (completed)
    for (auto f = a.stack.rbegin(); f != a.stack.rend(); ++f)
      stack_.report(DiagnosticId::region_never_left, stack_.tree().frame(f->callpath));
  for (const Frame& f : a.stack)
    if (f.has_call()) calls_.close(f);
  TaskRecord& r = add_record(TaskRecord::Kind::end, a.task.team, a.task.number);
  r.completed = completed;
  r.base = a.base;
  r.outermost = a.segment.parallel;
  r.depth = static_cast<std::uint32_t>(a.stack.size());
  take_sums(r);
  add_event(a.task, false, resumes, completed);
  if (now() > a.task.begin)
    for (const Frame& f : interrupted_.back().stack)
      if (f.has_sync_call()) chunk().task_times.push_back({f.sync_call(), a.task.begin, now()});
  if (!completed)
    leave_open();
  else if (!left_open_.empty())
    forget_left_open();
  a.stack.clear();
  a.forks.clear();
  a.teams.clear();
  a.segment = Segment{};
  if (!resumes) return;
  std::swap(a, interrupted_.back());
  interrupted_.pop_back();
  if (a.in_task()) {
    stack_.profiles.touch(a, a.base);
    for (const Frame& f : a.stack) stack_.profiles.touch(a, f.callpath);
  }
  stack_.update_in_threads();
}

std::uint32_t TaskReplay::exit_outside_segment(RegionId region) {
  Activity& a = stack_.activity;
  const auto left = std::find_if(left_open_.rbegin(), left_open_.rend(), [&](const LeftOpen& l) {
    return is(l.task, a.task.team, a.task.number, a.task.thread);
  });
  if (left != left_open_.rend()) left_open_.erase(std::next(left).base());
  if (++a.segment.exits > most_exits) {
    stack_.report(DiagnosticId::exit_without_enter, region.value);
    return 0;
  }
  stack_.set_base(stack_.child_of(a.base, LocalCallTree::up_frame(region)));
  stack_.profiles.touch(a, a.base);
  ++stack_.profiles[a.base].visits;
  return a.base;
}

}  // namespace waitstate::replay
