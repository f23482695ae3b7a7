// The threads of a process: teams and what their members have to do with each other, tasks, locks. This is the one
// place that linking calls; it owns the parts and keeps their order.
//
// The records of a worker or of a task cannot be used before it is known where their segments are attached: only then
// do they have call paths. So a chunk is dealt with in two steps. It is scanned at once: forks, joins, the segments
// and task records it has. It is processed once all its segments are attached: everything else.
//
// What holds back a segment may be any number of steps away, on any thread: a task waits for the team that its creator
// is in, that team's fork for the task that it lies in. Where these are attached and who waits is in attachments.hpp,
// and resolve() is the one loop over all of it: tasks first, then the forks in them, until nothing changes. A master
// that is itself a worker of another team (nested teams) shows its forks before it knows its own call path, and both
// are resolved as soon as the outermost fork has been scanned.
//
// Where tasks or damage make chunks wait for each other in a circle, they are scanned further (see pass.hpp), and at
// last given up. What is found does not depend on that, nor on which threads have been read first where more come to a
// barrier than were asked for.
//
// Cost: constant per record; the parts say what they add. Memory: what is open.
//
//   scanned:    Teams -> ParallelIds -> Tasks -> resolve()      with Attachments and TeamTable
//   processed:  TeamParts -> TeamBarriers, UnusedThreadFinder;  Locks;  Tasks -> IdleThreads
#pragma once

#include <span>
#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/threads/attachments.hpp"
#include "link/threads/idle_threads.hpp"
#include "link/threads/locks.hpp"
#include "link/threads/parallel_ids.hpp"
#include "link/threads/tasks.hpp"
#include "link/threads/team_barriers.hpp"
#include "link/threads/team_parts.hpp"
#include "link/threads/team_table.hpp"
#include "link/threads/teams.hpp"
#include "link/threads/unused_threads.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Threads {
 public:
  /// With `links`, attachments of all segments are kept for the merge until they are taken.
  Threads(const Definitions& definitions, const Processes& processes, CallPaths& paths, Calls& calls,
          Diagnostics& diagnostics, Listener* listener, bool links);

  /// First step; the chunk's call paths have been added.
  void scan(const replay::Chunk& chunk);
  /// True if all segments that the location has scanned are attached: its chunk may be processed.
  bool resolved(LocationId l) const { return attachments_.all_attached(l) && tasks_.resolved(l); }
  /// Leaves the first of the location's segments that are not attached without a caller; if it has none, the first
  /// record of a task in its process does not wait for what may be before it.
  void give_up(LocationId l);
  /// The location whose fork that segment waits for, as far as is known.
  LocationId awaited(LocationId l);
  /// Second step, after everything else in the chunk: its segments are forgotten then.
  void process(const replay::Chunk& chunk);
  /// Everything has been processed.
  void finish() {
    tasks_.finish();
    locks_.finish();
  }

  std::vector<HeldThreadLock> held_locks() const { return locks_.held(); }

  /// For CallPaths::at(); `segment` 0 is none. Of chunks that are being processed.
  std::uint32_t attachment(LocationId l, std::uint32_t segment) const { return attachments_.of(l, segment); }
  /// Attachment of the location's next segment of a team, or of a task, in the order of its events.
  std::uint32_t take_attachment(LocationId l) { return attachments_.take(l); }
  std::uint32_t take_task_attachment(LocationId l) { return attachments_.take_task(l); }

 private:
  static constexpr std::uint32_t none = CallState::none;

  void resolve(LocationId l);
  void begin_part(LocationId l, const replay::TeamRecord& r);
  void end_segment(LocationId l, const replay::TeamRecord& r, std::span<const replay::PathProfile> profiles,
                   std::span<const replay::PathCounter> counters);
  void come_to_barrier(LocationId l, std::uint32_t call, std::vector<TimeSpan> tasks);
  void prepare_sync_calls(const replay::Chunk& chunk);
  std::uint32_t sync_call(const replay::Chunk& chunk, std::uint32_t index);
  std::vector<TimeSpan> task_times(std::uint32_t call) const;

  CallPaths& paths_;
  Calls& calls_;
  Listener* listener_;
  Attachments attachments_;
  TeamTable table_;
  UnusedThreadFinder unused_;
  TeamBarriers barriers_;
  TeamParts parts_;
  ParallelIds parallel_ids_;
  Teams teams_;
  IdleThreads idle_;
  Tasks tasks_;
  Locks locks_;
  util::PagedTable<Interval> last_calls_;     ///< by location: the latest sync call
  std::vector<std::uint32_t> call_ids_;       ///< for the chunk that is being processed, by its sync calls
  std::vector<replay::TaskTime> task_times_;  ///< task times of that chunk, by call and time
};

}  // namespace waitstate::link
