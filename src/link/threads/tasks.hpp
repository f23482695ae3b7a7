// Explicit tasks: where what a thread executes of a task belongs in the call tree. Threads that another thread created
// are dealt with as tasks are.
//
// A task is called from where it was created, perhaps on another thread, and perhaps it has been executed on a third
// one before. So the task records of all threads of a process are put into one order, by time and then by location:
// each is dealt with once no thread can bring an earlier one any more. A creation in a segment that is not attached
// holds back the order, until Threads::resolve() comes again. Where one task creates the next without end, the call
// path would grow with it: the region of the creation is looked for further out, and its outermost instance taken.
//
// A chunk with task records is processed once they have all been ordered (resolved()). Whoever has been read the least
// can always be: what is earlier than its records has been scanned. A team whose fork is missing is given up as
// before.
//
// Cost: per record of a task a look at each thread of the process. Memory: tasks that are not completed.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "link/call_paths.hpp"
#include "link/listener.hpp"
#include "link/processes.hpp"
#include "link/threads/attachments.hpp"
#include "link/threads/idle_threads.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/front_queue.hpp"
#include "util/hash.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Tasks {
 public:
  Tasks(const Processes& processes, CallPaths& paths, Attachments& attachments, IdleThreads& idle,
        Diagnostics& diagnostics, Listener* listener);

  /// Takes note of a chunk's task records.
  void scan(const replay::Chunk& chunk);
  /// Orders the records of the location's process as far as possible; with `force` the first one even if it waits for
  /// something.
  void order(LocationId l, bool force = false) { order(processes_.of(l), force); }
  /// True if all records that the location has scanned are ordered.
  bool resolved(LocationId l) const { return locations_[l.index()].pending.empty(); }
  /// Which location of the process holds back the order: by its own part in a team, or because it has not been read far
  /// enough.
  LocationId awaited(LocationId l);

  /// Delivers what was counted in the chunk's segments. After this they are forgotten, if they have ended.
  void process(const replay::Chunk& chunk);
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
      return static_cast<std::size_t>(util::mixed(k.task, util::joined(k.process, k.team)));
    }
  };
  struct Task {
    CallPathId callpath;     ///< where it is
    std::uint32_t open = 0;  ///< regions that it has entered and not left: the innermost ones of `callpath`
    bool begun = false;
    LocationId creator;
    Time created = 0;
  };
  struct LocationState {
    util::FrontQueue<replay::TaskRecord> pending;
    Time scanned = 0;
    bool ended = false;  ///< scanned to its end
  };

  LocationState& state(LocationId l) { return locations_[l.index()]; }
  TaskKey key(LocationId l, const replay::TaskRecord& r) {
    return {processes_.of(l).value, r.team.value, r.task, r.thread};
  }

  LocationId first_pending(ProcessId process, std::pair<Time, LocationId>& bound) const;
  void order(ProcessId p, bool force);
  bool order(LocationId l, const replay::TaskRecord& r, bool force);
  bool create(LocationId l, const replay::TaskRecord& r, bool force);
  bool begin(LocationId l, const replay::TaskRecord& r, bool force);
  void end(LocationId l, const replay::TaskRecord& r);
  bool callpath(LocationId l, const replay::TaskRecord& r, CallPathId& path, bool force);
  void never_completed(const TaskKey& key, const Task& task);
  void deliver_profile(LocationId l, std::uint32_t attachment, const replay::TaskRecord& r,
                       const replay::PathProfile& p);

  const Processes& processes_;
  CallPaths& paths_;
  Attachments& attachments_;
  IdleThreads& idle_;
  Diagnostics& diagnostics_;
  Listener* listener_;
  util::PagedTable<LocationState> locations_;
  util::PagedTable<std::size_t> pending_;              ///< by process: records that are not ordered
  std::unordered_map<TaskKey, Task, TaskHash> tasks_;  ///< tasks that are not completed
};

}  // namespace waitstate::link
