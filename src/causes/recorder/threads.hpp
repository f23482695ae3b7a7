// Points of threads: at forks of teams, at their barriers, and with all_waits where a thread waits for a lock, or is
// idle for want of a task.
//
// A thread is done with a barrier when it has entered it, or has ended the last task that it executes there: so the
// last one to be done is whom the others wait for, and the path goes on over the last task. Before that, and in a
// taskwait, a thread without a task waits for whoever creates the next one, or ends the one that is missing.
//
// Only forks, barriers and idle threads of outermost teams are looked at: the work of threads in a team within a team
// is their own work, as elsewhere.
//
// Invariant: for the time in which a thread is idle without a break, one point waits for all up to its last cause.
// Forks are known at the end only, as marks of locations: WorkLog::each_mark(). Cost: a few steps a mark or thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "causes/recorded.hpp"
#include "waitstate/pattern/team.hpp"

namespace waitstate::causes {

class ThreadPoints {
 public:
  explicit ThreadPoints(Recorded& to) : to_(to) {}

  void add(const TeamBarrier& b);
  void add(const TaskIdle& t);
  void add(const LockAcquired& a);
  void join(const ThreadPoints& other) { has_task_points_ = has_task_points_ || other.has_task_points_; }
  template <class Archive>
  void travel(Archive& archive) {
    archive(has_task_points_);
  }

  /// When the trace has been read: finds forks, and adds their points to the logs. If something can be told then
  /// (Recorded::left_out()), finish() settles what was added before, and puts the points of forks in order.
  void find_forks();
  void finish();

 private:
  /// The first and the last fork of teams of each communicator.
  using ForksOfTeams = std::map<CommId, std::pair<std::uint32_t, std::uint32_t>>;

  ForksOfTeams collect_forks();
  std::uint32_t fork_of_part(std::uint32_t& next, Time begin) const;
  void add_fork_points(const ForksOfTeams& of_teams);
  void add_fork_point(Teams::Thread& thread, const replay::WorkMark& region);
  void leave_out_inner_barriers();
  void settle_tasks();
  void order_forks();

  Recorded& to_;
  std::set<CommId> inner_teams_;       ///< communicators of teams within teams
  std::vector<std::uint32_t> others_;  ///< by location: the number of its points before those of forks
  bool has_task_points_ = false;
};

}  // namespace waitstate::causes
