// The activity of a thread between two task switches, to which it comes back after them: its region stack, and all
// known about the time since. This is the only home of these members, so that switching to a task is one std::swap of
// Activities.
//
// It holds state and no rules. Who changes what: Profiles the longest interval and the touched call paths; CallStack
// stack, current, account and base; ExitPairing the identities; OpenCalls the intervals before calls and the depth of
// the MPI call; the parts in threads/ forks, teams, segment and task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/chunk/records.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

/// An open region.
struct Frame {
  static constexpr std::uint32_t no_call = ~std::uint32_t{0}, is_sync = std::uint32_t{1} << 31;

  bool has_call() const { return call != no_call; }
  bool has_sync_call() const { return has_call() && (call & is_sync) != 0; }
  std::uint32_t sync_call() const { return call & ~is_sync; }

  Time enter = 0;
  std::uint32_t callpath = 0;
  std::uint32_t call = no_call;  ///< index into the chunk's calls, no_call if nothing was communicated yet; with
                                 ///< is_sync, into its sync_calls
  Ticks charged = 0;             ///< in an MPI call: ticks that its call path had been charged when it was entered
};

/// The number that the recorder gives to a visit of a region; see ExitPairing.
struct FrameIdentity {
  std::size_t place = 0;  ///< in the stack
  Time enter = 0;         ///< enter of that region; another one in its place has another
  std::uint64_t identity = 0;
};

/// A time that was spent in one call path.
struct PathInterval {
  std::uint32_t callpath = 0;
  Time begin = 0, end = 0;

  Time length() const { return end - begin; }
};

/// The longest of the intervals since it was last forgotten.
struct LongestInterval {
  Time length = 0, end = 0;
  std::uint32_t callpath = 0;

  void forget() { length = 0; }
  PathInterval interval() const { return {callpath, end - length, end}; }
};

/// A recorded fork of this thread that is not joined. A parallel region's time runs from fork to join: what the master
/// spends in between outside of the region itself is the region's, not its caller's.
struct Fork {
  std::size_t depth;       ///< depth of the stack at the fork
  std::uint32_t callpath;  ///< call path of the fork
  std::uint32_t requested = 0;
  Time time = 0;
  Time since = 0;              ///< since when the master has been outside of the parallel region
  std::uint32_t parallel = 0;  ///< call path of the parallel region, 0 before it is entered
  std::size_t teams = 0;       ///< open at the fork
  bool outside = true;         ///< time is not charged to anything for the moment
  bool recorded = false;       ///< the parallel region was: `parallel` is its call path and not the caller's
  bool begun = false;          ///< the master has begun its part in the team
};

/// A parallel region that this thread has entered and not left, if regions are known by OMPT parallel ids.
struct ForkById {
  std::uint64_t id;
  std::size_t depth;           ///< depth of the stack before the region was entered
  Time since = 0;              ///< it was entered, or its implicit task left
  std::uint64_t events = 0;    ///< enters and exits until then
  std::uint32_t callpath = 0;  ///< 0 before the implicit task
  bool begun = false;          ///< its implicit task has
};

/// An implicit task in such a region that is not left.
struct PartById {
  std::uint64_t id;
  std::size_t depth;  ///< depth of the stack before it was entered
};

/// A segment: the part of a team or a task that a thread executes without a break.
struct Segment {
  std::uint32_t number = 0;    ///< 0 if there is none
  std::uint32_t parallel = 0;  ///< region entered first: of a task any, else if it is a parallel region
  bool entered = false;
  std::uint32_t exits = 0;   ///< in a task: number of exits of regions that were entered before it
  Time enter = 0, exit = 0;  ///< first enter and latest exit of the regions that were outermost in it

  bool is_open() const { return number != 0; }
  bool is_task() const { return (number & TaskRecord::task_segment) != 0; }
};

/// A task that is executed.
struct Task {
  CommId team;
  std::uint64_t number = 0;
  Time begin = 0;
  bool thread = false;  ///< it is what a created thread does, all of it
};

struct Activity {
  static constexpr std::size_t no_depth = ~std::size_t{0};

  bool in_segment() const { return segment.is_open(); }
  bool in_task() const { return segment.is_task(); }
  /// In a task, and not in a team that it has forked.
  bool task_is_innermost() const { return in_task() && !task.thread && forks.empty() && teams.empty(); }
  /// In no team, task or created thread, as far as events have told.
  bool outside_parallel_regions() const { return forks.empty() && forks_by_id.empty() && !in_segment(); }

  std::vector<Frame> stack;
  std::vector<FrameIdentity>
      identities;             ///< identities of regions in the stack and of some that were left, outermost first
  std::uint32_t current = 0;  ///< call path of the innermost open region
  std::uint32_t account = 0;  ///< call path that time is charged to: `current`, but for fork and join
  std::uint32_t base = 0;     ///< call path where the stack is empty: 0, in a segment the root of its call paths
  LongestInterval longest;    ///< since the last call with records (or barrier, …) ended
  LongestInterval longest_before_waits;  ///< since the last MPI call, as far as it was before barriers and lock calls
  PathInterval before;                   ///< the longest interval at the enter of the current call
  std::size_t mpi_depth = no_depth;  ///< depth of the stack within MPI_Init or MPI_Finalize; if intervals of MPI calls
                                     ///< are asked for, within the outermost MPI call
  std::vector<Fork> forks;
  std::vector<ForkById> forks_by_id;
  std::vector<PartById> parts_by_id;
  std::vector<bool> teams;             ///< begun and not ended; true: as a segment
  Segment segment;                     ///< the open one
  Task task;                           ///< task that `segment` belongs to, if it is a task's
  std::vector<std::uint32_t> touched;  ///< call paths of the open segment
};

}  // namespace waitstate::replay
