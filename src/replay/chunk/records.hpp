// The records that go from a location's replay to linking: calls in which something was communicated and their records,
// what threads of a team have to do with each other, call paths met for the first time.
//
// What a worker thread does in a team is called from where the team was forked, and that is on another location. Such a
// segment - from thread_team_begin to thread_team_end on a location outside of every region - has call paths of its
// own, below a team root; its calls carry its number, and its profile goes with it. See link/threads/threads.hpp.
#pragma once

#include <cstdint>

#include "replay/chunk/work_mark.hpp"
#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::replay {

/// A region instance with communication records. Call paths are numbers of the location's own tree.
struct CallRecord {
  Time enter = 0;
  Time exit = 0;
  std::uint32_t callpath = 0;
  RegionId region;
  MpiFunction function{};
  std::uint16_t number = 0;   ///< as in Call
  std::uint32_t records = 0;  ///< number of CommRecords that belong to it; 0 if it has one-sided records only
  std::uint32_t before = 0;   ///< call path of the longest interval since the previous call with records
  std::uint32_t segment = 0;  ///< number of the segment that it lies in, 0 if in none
  Time before_begin = 0, before_end = 0;
  Ticks exclusive = 0;  ///< time in the call without callees, as far as it was chosen
};

/// A communication event that takes part in matching, with its attributes unpacked.
struct CommRecord {
  Time time = 0;
  std::uint64_t bytes = 0;     ///< length of a message; bytes sent of a collective
  std::uint64_t request = 0;   ///< request number
  std::uint64_t received = 0;  ///< bytes received of a collective
  LocationId peer;             ///< dest, src; of a collective: the root (root_none, root_this_group)
  std::uint32_t tag = 0;       ///< tag of a message; operation of a collective
  CommId comm;
  std::uint32_t call = 0;  ///< index into Chunk::calls
  std::uint32_t step = 0;  ///< number of its step, if it has one and somebody asks: among Chunk::steps; where records
                           ///< are linked, what Listener::steps() has made of it
  EventType type{};
  bool matched = false;  ///< a probe, or a receive of what one has found: `received` is the number of the message
  bool search = false;   ///< no record of the trace: the call looks for a message; all else but the time means nothing
};

/// The call that waits for others and that a location ends in.
struct OpenCallRecord {
  CallRecord call;
  LocationId receiver;  ///< receiver of a message that is sent in it; none if none is
  CommId comm;
  std::uint32_t tag = 0;
};

/// A call path that the location met for the first time; numbers of the location's own tree, 0 is "outside everything".
struct NewCallPath {
  std::uint32_t number = 0;
  std::uint32_t parent = 0;
  RegionId region;
  StringId program;
  bool team_root = false;  ///< stands for the call path of the fork, or where a task was, whichever that is
  bool up = false;         ///< in a task: its parent less that region, entered on another thread or earlier
};

/// An action of a thread that concerns the other threads of its team.
struct TeamRecord {
  enum class Kind : std::uint8_t { begin, end, join, barrier, taskwait, acquire, release, serial };

  Kind kind{};
  bool master = false;           ///< begin: it forked the team
  bool segment = false;          ///< begin, end: of a segment
  bool forked = false;           ///< begin of a master: the fork was recorded
  bool by_number = false;        ///< begin, join: the team is known by its number, `to`, and not by a communicator
  bool outermost = false;        ///< begin of a master, by number: the team is in no other one
  Paradigm paradigm{};           ///< acquire, release
  CommId team;                   ///< begin
  std::uint32_t in_segment = 0;  ///< begin of a master: number of the segment that it lies in, 0 if in none
  std::uint32_t callpath = 0;  ///< begin of a master: of the fork; join, end of a segment: parallel region, 0 if none;
                               ///< serial: of the longest interval
  std::uint32_t call = 0;      ///< barrier, taskwait, acquire, release: index into Chunk::sync_calls
  std::uint32_t count = 0;     ///< begin of a master: threads asked for; end of a segment: number of its profiles
  std::uint32_t counters = 0;  ///< end of a segment: number of its counter sums, of Chunk::segment_counters
  std::uint32_t lock = 0, order = 0;  ///< acquire, release
  Time time = 0;                      ///< time of the event
  Time from = 0;  ///< begin of a master: of the fork; end of a segment: enter of the parallel region;
                  ///< serial: of the join before
  Time to = 0;    ///< end of a segment: exit of the parallel region; serial: of the fork; see by_number
};

/// An event in the life of an explicit task, or of a thread that another one created, whose life is a task's. What a
/// thread executes of a task without a break is a segment of its own, with a number that has `task_segment` set; see
/// tasks.hpp.
struct TaskRecord {
  enum class Kind : std::uint8_t { create, begin, part, end, complete };  ///< part: of a segment that goes on

  Kind kind{};
  bool thread = false;     ///< it is a thread: `team` and `task` are its contingent and sequence number
  bool completed = false;  ///< end: the task has completed
  CommId team;             ///< none for records that do not say
  std::uint64_t task = 0;  ///< number in the team
  Time time = 0;
  std::uint32_t number = 0;     ///< begin, part, end: of the task's segment
  std::uint32_t segment = 0;    ///< segment that `callpath` lies in
  std::uint32_t callpath = 0;   ///< create: where; begin: where the thread was; end: where the task was
  std::uint32_t base = 0;       ///< end: call path below which the regions are that were entered in the segment
  std::uint32_t depth = 0;      ///< end: how many of these are open
  std::uint32_t outermost = 0;  ///< end: call path of the region entered first in the segment, 0 if none was
  std::uint32_t profiles = 0;   ///< part, end: number of profiles, of Chunk::task_profiles
  std::uint32_t counters = 0;   ///< part, end: number of counter sums, of Chunk::task_counters
  static constexpr std::uint32_t task_segment = std::uint32_t{1} << 31;
};

/// An interval of time in which tasks were executed inside a call.
struct TaskTime {
  std::uint32_t call = 0;  ///< index into Chunk::sync_calls
  Time begin = 0, end = 0;
};

/// For the merge: an event with which a task's segment begins or ends.
struct TaskEvent {
  std::uint32_t event = 0;  ///< its number
  bool begins = false;
  bool aside = false;      ///< begins: what the thread did goes on later; ends: it goes on now
  bool completed = false;  ///< ends: the task has completed
  bool thread = false;     ///< it is a thread
  CommId team;
  std::uint64_t task = 0;
};

/// A one-sided event, with its attributes unpacked. What a field means depends on the type; see rma.hpp.
struct RmaRecord {
  Time time = 0;
  std::uint64_t bytes = 0;     ///< bytes of a put; bytes sent of an atomic and a collective
  std::uint64_t received = 0;  ///< bytes of a get; of an atomic and a collective: bytes received
  std::uint64_t match = 0;  ///< matching id of operations and their completions; number of a lock; level of group_sync
  LocationId remote;        ///< target; of a collective: the root; none of a lock: all targets
  RmaWinId win;
  GroupId group;           ///< group_sync
  std::uint32_t call = 0;  ///< index into Chunk::calls
  EventType type{};
  CollectiveOp op{};   ///< collective_end
  LockType lock{};     ///< request_lock, acquire_lock
  RmaSyncType sync{};  ///< sync
};

/// A mark that ends some WorkShareRecords and begins the next ones: see causes/work_log.hpp.
struct WorkCutRecord {
  Time time = 0;
  std::size_t shares = 0;  ///< number of the chunk's WorkShareRecords that lie before it
};

/// Time in a call path of the location between two cuts.
struct WorkShareRecord {
  std::uint32_t callpath = 0;
  std::uint32_t segment = 0;  ///< segment that it lies in
  Ticks ticks = 0;
};

/// Like WorkMark, with the number that the call path has in its location.
struct WorkMarkRecord {
  using Kind = WorkMark::Kind;
  Kind kind{};
  std::uint16_t number = 0;  ///< among the location's calls
  std::uint32_t callpath = 0;
  std::uint32_t segment = 0;  ///< segment that `callpath` lies in
  CommId team{};
  Time time = 0;
};

/// A call that waits for a device, a kernel of a stream, or a copy by one.
struct DeviceRecord {
  static constexpr std::uint32_t no_call = ~std::uint32_t{0};
  std::uint32_t call = 0;  ///< index into Chunk::sync_calls; no_call of a copy, which has what follows
  std::uint32_t callpath = 0;
  Time begin = 0, end = 0;
};

}  // namespace waitstate::replay
