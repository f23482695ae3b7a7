// Explicit tasks and created threads in the replay of one location.
//
// A thread that switches to a task interrupts what it was doing - its implicit task, with the regions open in it - and
// goes on with that when the task completes or it switches back. What it executes of a task without a break is a
// segment, as a part in a team is: with call paths below a root that stands for where the task was, which only linking
// knows, because the task may have been created, and executed so far, on other threads. So nothing is kept here of a
// task that is not being executed. A region of the task that was entered in an earlier segment is left by an exit while
// no region of this one is open: the call path goes one up from the root (LocalCallTree::up_frame), and linking sees to
// what that is. Which regions such a task has left open is known only to show what the thread was in at some time.
//
// What a created thread (POSIX threads) does from its begin to its end is such a segment too.
//
// A task may fork a team of its own, whose implicit task other tasks then interrupt: Activities lie on a stack.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/counters/counter_replay.hpp"
#include "replay/open_calls.hpp"

namespace waitstate::replay {

class TaskReplay {
 public:
  TaskReplay(CallStack& stack, OpenCalls& calls, CounterReplay& counters)
      : stack_(stack), calls_(calls), counters_(counters) {}

  /// A task is created, switched to or completed. `implicit`: it is the thread's implicit one.
  void task_record(EventType type, CommId team, std::uint64_t task, bool implicit);
  /// A thread is created, begins or ends.
  void thread_record(EventType type, CommId contingent, std::uint64_t sequence);

  /// Activities that tasks interrupt, the innermost last. Some task is executed if there is any.
  std::vector<Activity>& interrupted() { return interrupted_; }
  /// A region that a task is in while other tasks are executed, or after it has gone on: its exit is still to come.
  struct LeftOpen {
    Task task;
    std::size_t depth;  ///< number of interrupted activities then
    RegionId region;
    Time enter = 0;
  };
  /// Such regions of all tasks, in the order in which the tasks were interrupted.
  const std::vector<LeftOpen>& left_open() const { return left_open_; }
  const std::vector<Activity>& interrupted() const { return interrupted_; }
  /// The task that is executed is never completed; the thread goes on with what that interrupts.
  void give_up_task() { end(false, true); }
  /// An exit while no region of the task's segment is open: of one that the task entered before it. Returns what stands
  /// for the call path that is left.
  std::uint32_t exit_outside_segment(RegionId region);

 private:
  void begin(CommId team, std::uint64_t task, bool thread);
  void end(bool completed, bool resumes);
  void take_sums(TaskRecord& record);
  void leave_open();
  void forget_left_open();
  void add_event(const Task& task, bool begins, bool aside, bool completed);
  TaskRecord& add_record(TaskRecord::Kind kind, CommId team, std::uint64_t task);
  Chunk& chunk() const { return *stack_.context.chunk; }
  Time now() const { return stack_.profiles.now(); }

  CallStack& stack_;
  OpenCalls& calls_;
  CounterReplay& counters_;
  std::vector<Activity> interrupted_;
  std::vector<LeftOpen> left_open_;
  std::uint32_t segments_ = 0;  ///< begun so far
};

}  // namespace waitstate::replay
