// Time per call path of one location between its cuts, if somebody asks: see causes/work_log.hpp.
//
// Cost: some ten instructions an enter or exit; nothing unless asked for. At a cut the call paths that were used since
// the last one go into the chunk. A worker's time after the enter of its last barrier does not count unless asked for,
// so what follows a barrier is kept back until the next one, until it executes a task there, or until the parallel
// region is left.
//
// Invariant: what has been told of a segment is told with the chunk in which the segment ends.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/call_stack.hpp"

namespace waitstate::replay {

class WorkReplay {
 public:
  explicit WorkReplay(CallStack& stack) : stack_(stack) {}

  bool is_on() const { return on_; }
  /// `to_end_of_team`: with what follows the last barrier.
  void turn_on(bool to_end_of_team = false) { on_ = true, to_end_of_team_ = to_end_of_team; }

  /// Before the call path is pushed, and after that of a region has been popped.
  void enter(std::uint32_t callpath);
  void exit(std::uint32_t callpath);
  /// A task leaves a region that it entered in an earlier segment.
  void exit_outside_segment();
  /// A lock is released: others may wait for what was done until here.
  void release() {
    change(current_);
    cut();
  }
  /// An explicit task is created: others may wait for it.
  void create_task();
  /// Around what may switch to a task, or back. Each end of what is executed without a break is a cut.
  void before_switch();
  void after_switch();
  void fork();
  void join();
  void begin_part(CommId team);
  /// From now on, it is not known to whom time belongs.
  void give_up();
  /// Puts what is known into the chunk that ends.
  void end(bool last);

 private:
  struct OfPath {
    std::uint32_t cut = 0;  ///< number of the latest cut before it was used
    std::uint32_t segment = 0;
    Ticks ticks = 0;
  };

  Time now() const { return stack_.profiles.now(); }
  void change(std::uint32_t callpath);
  void cut();
  void put_open();
  void keep_back();
  void note_tasks() {
    if (!has_tasks_) has_tasks_ = true, mark(WorkMarkRecord::Kind::tasks);
  }
  void mark(WorkMarkRecord::Kind kind, std::uint32_t callpath = 0, CommId team = {}) {
    stack_.context.chunk->work_marks.push_back(
        {kind, stack_.context.next_number(), callpath, stack_.activity.segment.number, team, now()});
  }

  CallStack& stack_;
  bool on_ = false;
  bool to_end_of_team_ = false;
  bool started_ = false;
  bool pending_ = false;           ///< it is about to enter a parallel region
  bool in_region_ = false;         ///< from there to its exit, or to the join of an own team
  bool own_ = false;               ///< it has forked the team itself
  std::uint32_t inner_forks_ = 0;  ///< teams within this one that are not joined
  bool kept_back_ = false;         ///< true if something follows the first `known_…` of the following
  bool has_tasks_ = false, in_task_ = false, has_nested_ = false;
  bool keeps_back_again_ = false;  ///< when the task is left
  std::size_t known_cuts_ = 0, known_shares_ = 0;
  std::uint32_t call_ = 0;                 ///< call path of the MPI or SHMEM call that it is in
  std::uint32_t region_ = 0, caller_ = 0;  ///< call paths of the parallel region, and of the fork
  std::uint32_t current_ = 0;              ///< call path that time is charged to, 0: none
  std::uint32_t outside_task_ = 0;         ///< charged call paths of the activities that tasks interrupt
  Time last_ = 0;
  std::uint32_t cut_number_ = 1;
  std::vector<OfPath> of_paths_;
  std::vector<std::uint32_t> open_;  ///< call paths used since the last cut
  std::vector<WorkCutRecord> cuts_;
  std::vector<WorkShareRecord> shares_;
};

}  // namespace waitstate::replay
