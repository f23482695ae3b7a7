// Explicit tasks: where what a thread executes of a task belongs in the call tree, and when threads were idle for want
// of a task that was ready. Threads that another thread created are dealt with as tasks are.
//
// A task is called from where it was created, perhaps on another thread, and perhaps it has been executed on a third
// one before. So the task records of all threads of a process are put into one order, by time and then by location:
// each is dealt with once no thread can bring an earlier one any more. Where one task creates the next without end, the
// call path would grow with it: the region of the creation is looked for further out, and its outermost instance taken.
//
// A chunk with task records is processed once they have all been ordered (resolved()). Whoever has been read the least
// can always be: what is earlier than its records has been scanned. A team whose fork is missing is given up as
// before.
//
// Idle threads: per team it is noted in which intervals no task was ready, which is when none was created and
// not begun; a barrier or taskwait is looked at when the order has come to its end.
//
// Cost: per record of a task a look at each thread of the process. Memory: tasks that are not completed, calls that the
// order has not come to, and the intervals since the call that is furthest behind.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/listener.hpp"
#include "replay/chunk.hpp"
#include "util/front_queue.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"

namespace waitstate::link {

class Tasks {
 public:
  /// Gives the graft of a location's part in a team; false if it is not known yet.
  using FindGraft = std::function<bool(LocationId, std::uint32_t segment, std::uint32_t& graft)>;

  /// With `links`, grafts of all segments are kept for the merge until take_graft().
  Tasks(const Definitions& definitions, CallPaths& paths, Calls& calls, Diagnostics& diagnostics, Listener* listener,
        bool links, FindGraft find_graft);

  /// Takes note of a chunk's task records.
  void scan(const replay::Chunk& chunk);
  /// Orders the records of the location's process as far as possible.
  void run(LocationId l) { order(process_of(l), false); }
  /// The same, and the first record even if it waits for something.
  void give_up(LocationId l) { order(process_of(l), true); }
  /// True if all records that the location has scanned are ordered.
  bool resolved(LocationId l) const { return locations_[l.index()].pending.empty(); }
  /// Which location of the process holds back the order: by its own part in a team, or because it has not been read far
  /// enough.
  LocationId awaited(LocationId l);

  /// Delivers what was counted in the chunk's segments. After this they are forgotten, if they have ended.
  void process(const replay::Chunk& chunk);
  /// Of a segment of a task, of a chunk that is being processed.
  std::uint32_t graft(LocationId l, std::uint32_t segment) const {
    const auto& grafts = locations_[l.index()].grafts;
    const auto it = grafts.find(segment);
    return it == grafts.end() ? CallPaths::no_graft : it->second;
  }
  /// Graft of the location's next segment of a task in the order of its events.
  std::uint32_t take_graft(LocationId l);

  /// True if somebody wants to know of idle threads, and the trace may have tasks.
  bool watches_idle() const { return watches_idle_; }
  /// A barrier or taskwait in a team, in which the thread executed tasks at those times.
  void idle(CommId team, std::uint32_t call, std::vector<TimeSpan> tasks);
  /// Everything has been processed.
  void finish();

 private:
  struct TaskKey {
    std::uint32_t process = 0, team = 0;
    std::uint64_t task = 0;
    bool thread = false;
    bool operator==(const TaskKey&) const = default;
  };
  struct TaskHash {
    std::size_t operator()(const TaskKey& k) const {
      const std::uint64_t h = (k.task ^ (std::uint64_t{k.process} << 32 | k.team) * 0x9e3779b97f4a7c15u);
      return static_cast<std::size_t>((h ^ h >> 29) * 0xc2b2ae3d27d4eb4fu);
    }
  };
  struct Task {
    CallPathId callpath;     ///< where it is
    std::uint32_t open = 0;  ///< regions that it has entered and not left: the innermost ones of `callpath`
    bool begun = false;
    LocationId creator;
    Time created = 0;
  };
  /// No task was ready.
  struct Lack {
    Time begin = 0, end = 0;
    bool created = false;  ///< it ended with the creation of a task, else with the end of the last running one
    bool running = false;  ///< tasks were running
    LocationId culprit;
    CallPathId culprit_callpath;
  };
  struct Team {
    std::uint64_t ready = 0, running = 0;
    Time since = 0;  ///< if none is ready
    std::deque<Lack> lacks;
  };
  struct IdleCall {
    CommId team;
    std::uint32_t call;
    std::vector<TimeSpan> tasks;
  };
  struct LocationState {
    ProcessId process;
    util::FrontQueue<replay::TaskRecord> pending;
    std::unordered_map<std::uint32_t, std::uint32_t> grafts;  ///< by segment
    util::FrontQueue<std::uint32_t> merge_grafts;
    Time scanned = 0, processed = 0;  ///< processed: what has been told of it in full
    bool ended = false, gone = false;
  };
  struct ProcessState {
    std::vector<LocationId> locations;
    std::size_t pending = 0;
    std::vector<IdleCall> idle;
  };

  LocationState& state(LocationId l) { return locations_[l.index()]; }
  ProcessState& process_of(LocationId l) { return processes_[state(l).process.index()]; }
  void never_completed(const TaskKey& key, const Task& task);
  TaskKey key(LocationId l, const replay::TaskRecord& r) {
    return {state(l).process.value, r.team.value, r.task, r.thread};
  }
  Team* team_of(LocationId l, const replay::TaskRecord& r);

  LocationId first_pending(const ProcessState& process, std::pair<Time, LocationId>& bound) const;
  void order(ProcessState& process, bool force);
  bool order(LocationId l, const replay::TaskRecord& r, bool force);
  bool callpath(LocationId l, const replay::TaskRecord& r, CallPathId& path, bool force);
  void end(LocationId l, const replay::TaskRecord& r);
  void ended(Team& team, Time t, LocationId culprit, CallPathId callpath);
  void lacked(Team& team, Time until, bool created, LocationId culprit, CallPathId callpath);
  void deliver_idle(ProcessState& process, Time bound);
  void deliver_idle(const IdleCall& idle);
  void forget_lacks(const ProcessState& process);

  const Definitions& definitions_;
  CallPaths& paths_;
  Calls& calls_;
  Diagnostics& diagnostics_;
  Listener* listener_;
  const bool keep_links_;
  const FindGraft find_graft_;
  bool watches_idle_ = false;
  std::vector<LocationState> locations_;
  std::vector<ProcessState> processes_;
  std::unordered_map<TaskKey, Task, TaskHash> tasks_;  ///< that are not completed
  std::map<std::pair<ProcessId, CommId>, Team> teams_;
  std::vector<TaskIdle::Part> parts_;  ///< scratch of deliver_idle()
};

}  // namespace waitstate::link
