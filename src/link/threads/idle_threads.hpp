// When threads were idle for want of a task that was ready. Per team it is noted in which intervals no task was ready,
// which is when none was created and not begun; a barrier or taskwait is compared with these when all task records up
// to its end have been put in order (tasks.hpp).
//
// An interval without tasks that are ready ends when a task is created, or when the last running task ends: who did
// that, and where, is whom the idle thread waited for.
//
// Cost: a look-up in a map per record of a task. Memory: calls that the order of records has not come to, and the
// intervals since the call that is furthest behind.
#pragma once

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class IdleThreads {
 public:
  IdleThreads(const Definitions& definitions, const Processes& processes, Calls& calls, Listener* listener);

  /// True if somebody wants to know, and the trace may have tasks: else nothing is noted.
  bool wanted() const { return wanted_; }

  /// Records that name no team do not count, nor those of threads that were created.
  bool counts(const replay::TaskRecord& r) const { return wanted_ && r.team.valid() && !r.thread; }
  // Tasks, in order of time.
  void created(LocationId l, const replay::TaskRecord& r, CallPathId where);
  void begun(LocationId l, const replay::TaskRecord& r);
  /// A task has begun whose creation is not in the trace.
  void begun_unknown(LocationId l, const replay::TaskRecord& r);
  /// A running one; `where`: as it ended.
  void ended(LocationId l, const replay::TaskRecord& r, CallPathId where);

  /// A barrier or taskwait in a team, in which the thread executed tasks at those times.
  void add(CommId team, std::uint32_t call, std::vector<TimeSpan> tasks);
  /// Calls of the location that are still to come begin at that time or later; none does if it has `ended`.
  void processed(LocationId l, Time until, bool ended);
  /// Of a process, or, behind the last one, of the locations without one: true if calls wait for deliver().
  bool calls_wait(ProcessId p) const { return !calls_of_[p.index()].empty(); }
  /// All tasks before that time have been told: calls that end before it are delivered, at ~0 all of them.
  void deliver(ProcessId p, Time bound);

 private:
  struct NoTaskInterval {
    Time begin = 0, end = 0;
    bool created = false;  ///< it ended with the creation of a task, else with the end of the last running one
    bool running = false;  ///< tasks were running
    LocationId culprit;
    CallPathId culprit_callpath;
  };
  struct Team {
    std::uint64_t ready = 0, running = 0;
    Time since = 0;  ///< if none is ready
    std::deque<NoTaskInterval> intervals;
  };
  struct IdleCall {
    CommId team;
    std::uint32_t call;
    std::vector<TimeSpan> tasks;
  };
  struct Thread {
    Time processed = 0;
    bool ended = false;
  };

  Team* team_of(LocationId l, const replay::TaskRecord& r);
  static void end_interval(Team& team, Time until, bool created, LocationId culprit, CallPathId callpath);
  void deliver(ProcessId p, const IdleCall& idle);
  void forget_intervals(ProcessId p);

  const Processes& processes_;
  Calls& calls_;
  Listener* listener_;
  const bool wanted_;
  util::PagedTable<Thread> threads_;                  ///< by location
  util::PagedTable<std::vector<IdleCall>> calls_of_;  ///< by process
  std::map<std::pair<ProcessId, CommId>, Team> teams_;
  std::vector<TaskIdle::IdleStretch> parts_;  ///< scratch of deliver()
};

}  // namespace waitstate::link
