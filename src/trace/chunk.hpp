// What replaying a stretch of one location's events leaves for the stages that look at several locations: the calls in
// which something was communicated (messages, collectives, one-sided operations), the records in them, the call paths
// met for the first time, what threads of a team have to do with each other and, only if somebody wants every event, the
// events themselves in columns.
//
// A chunk always ends outside of calls with communication records, and outside of barriers and lock calls of thread
// teams, so that every call in it has its exit time. If it gets too long in a barrier, a taskwait or a lock call - a
// thread may execute any number of tasks there -, that is told in the next one. Chunks are recycled: clear() keeps the memory.
//
// What a worker thread does in a team is called from where the team was forked, and that is on another location. Such a
// segment - from thread_team_begin to thread_team_end on a location outside of every region - has call paths of its own,
// below a team root; its calls carry its number, and its profile goes with it. See teams.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/counters.hpp"
#include "waitstate/call_tree.hpp"
#include "waitstate/event_type.hpp"
#include "waitstate/ids.hpp"
#include "waitstate/otf2_enums.hpp"
#include "waitstate/region_class.hpp"

namespace waitstate::trace {

/// A region instance with communication records. Call paths are numbers of the location's own tree.
struct CallRecord {
  Time enter = 0;
  Time exit = 0;
  std::uint32_t callpath = 0;
  RegionId region;
  MpiFunction function{};
  std::uint32_t records = 0;       ///< number of CommRecords that belong to it; 0 if it has one-sided records only
  std::uint32_t before = 0;        ///< call path of the longest stretch since the previous call with records
  std::uint32_t segment = 0;       ///< number of the segment that it lies in, 0 if in none
  Time before_begin = 0, before_end = 0;
};

/// A communication event that takes part in matching, with its attributes unpacked.
struct CommRecord {
  Time time = 0;
  std::uint64_t bytes = 0;     ///< length of a message; bytes sent of a collective
  std::uint64_t request = 0;   ///< request number
  std::uint64_t received = 0;  ///< bytes received of a collective
  LocationId peer;             ///< dest, src; of a collective: the root (root_none, root_this_group)
  std::uint32_t tag = 0;       ///< of a collective: its operation
  CommId comm;
  std::uint32_t call = 0;  ///< index into Chunk::calls
  EventType type{};
};

/// A call path that the location met for the first time; numbers of the location's own tree, 0 is "outside everything".
struct NewCallPath {
  std::uint32_t number = 0;
  std::uint32_t parent = 0;
  RegionId region;
  StringId program;
  bool team_root = false;  ///< stands for the call path of the fork, or where a task was, whichever that is
  bool up = false;         ///< of a task: its parent less that region, entered on another thread or earlier
};

/// What one location alone tells about a call path.
struct Profile {
  /// mpi_world: MPI_Init, MPI_Finalize; shmem_world: shmem_init, shmem_finalize, …
  enum class Kind : std::uint8_t { plain, mpi, mpi_world, shmem, shmem_world, omp_barrier, omp_taskwait, lock, device_sync, kernel };

  Ticks time = 0;  ///< exclusive of callees
  std::uint64_t visits = 0;
  Kind kind{};                    ///< what its region is to the stages that look at several locations
  MpiFunction function{};         ///< of its region
  std::uint64_t sends = 0;        ///< messages sent with at least one byte
  std::uint64_t empty_sends = 0;  ///< messages sent with zero bytes
  std::uint64_t bytes_sent = 0;
  std::uint64_t collectives[4] = {};  ///< blocking, by bytes: none, sent only, received only, both
  std::uint64_t collective_bytes_sent = 0, collective_bytes_received = 0;
  std::uint64_t file_bytes = 0;  ///< read and written by operations on files of MPI
  Ticks fork = 0;  ///< of a parallel region: from the fork to its enter; not in `time`
  Ticks join = 0;  ///< of a parallel region: from its exit to the join; not in `time`
};

struct PathProfile {
  std::uint32_t callpath = 0;
  Profile profile;
};

/// What a thread of a team did that concerns the others.
struct TeamRecord {
  enum class Kind : std::uint8_t { begin, end, join, barrier, taskwait, acquire, release, serial };

  Kind kind{};
  bool master = false;        ///< begin: it forked the team
  bool segment = false;       ///< begin, end: of a segment
  bool forked = false;        ///< begin of a master: the fork was recorded
  bool by_number = false;     ///< begin, join: the team is known by its number, `to`, and not by a communicator
  bool outermost = false;     ///< begin of a master, by number: the team is in no other one
  Paradigm paradigm{};        ///< acquire, release
  CommId team;                ///< begin
  std::uint32_t in_segment = 0;  ///< begin of a master: number of the segment that it lies in, 0 if in none
  std::uint32_t callpath = 0; ///< begin of a master: of the fork; join, end of a segment: parallel region, 0 if none;
                              ///< serial: of the longest stretch
  std::uint32_t call = 0;     ///< barrier, taskwait, acquire, release: index into Chunk::sync_calls
  std::uint32_t count = 0;    ///< begin of a master: threads asked for; end of a segment: number of its profiles
  std::uint32_t counters = 0; ///< end of a segment: number of its counter sums, of Chunk::segment_counters
  std::uint32_t lock = 0, order = 0;  ///< acquire, release
  Time time = 0;              ///< of the event
  Time from = 0;              ///< begin of a master: of the fork; end of a segment: enter of the parallel region;
                              ///< serial: of the join before
  Time to = 0;                ///< end of a segment: exit of the parallel region; serial: of the fork; see by_number
};

/// What happened to an explicit task, or to a thread that another one created, whose life is a task's. What a thread
/// executes of a task without a break is a segment of its own, with a number that has `task_segment` set; see tasks.hpp.
struct TaskRecord {
  enum class Kind : std::uint8_t { create, begin, part, end, complete };  ///< part: of a segment that goes on

  Kind kind{};
  bool thread = false;         ///< it is a thread: `team` and `task` are its contingent and sequence number
  bool completed = false;      ///< end: the task has completed
  CommId team;                 ///< none for records that do not say
  std::uint64_t task = 0;      ///< number in the team
  Time time = 0;
  std::uint32_t number = 0;    ///< begin, part, end: of the task's segment
  std::uint32_t segment = 0;   ///< that `callpath` lies in
  std::uint32_t callpath = 0;  ///< create: where; begin: where the thread was; end: where the task was
  std::uint32_t base = 0;      ///< end: call path below which the regions are that were entered in the segment
  std::uint32_t depth = 0;     ///< end: how many of these are open
  std::uint32_t outermost = 0; ///< end: call path of the region entered first in the segment, 0 if none was
  std::uint32_t profiles = 0;  ///< part, end: number of profiles, of Chunk::task_profiles
  std::uint32_t counters = 0;  ///< part, end: number of counter sums, of Chunk::task_counters
  static constexpr std::uint32_t task_segment = std::uint32_t{1} << 31;
};

/// A stretch of time in which tasks were executed inside a call.
struct TaskTime {
  std::uint32_t call = 0;  ///< index into Chunk::sync_calls
  Time begin = 0, end = 0;
};

/// For the merge: an event with which a task's segment begins or ends.
struct TaskEvent {
  std::uint32_t event = 0;  ///< its number
  bool begins = false;
  bool aside = false;       ///< begins: what the thread did goes on later; ends: it goes on now
  bool completed = false;   ///< ends: the task has completed
  bool thread = false;      ///< it is a thread
  CommId team;
  std::uint64_t task = 0;
};

/// A one-sided event, with its attributes unpacked. What a field means depends on the type; see rma.hpp.
struct RmaRecord {
  Time time = 0;
  std::uint64_t bytes = 0;     ///< of a put; of an atomic and a collective: bytes sent
  std::uint64_t received = 0;  ///< bytes of a get; of an atomic and a collective: bytes received
  std::uint64_t match = 0;     ///< of operations and their completions; of locks: their number; of group_sync: the level
  LocationId remote;           ///< target; of a collective: the root; none of a lock: all targets
  RmaWinId win;
  GroupId group;           ///< group_sync
  std::uint32_t call = 0;  ///< index into Chunk::calls
  EventType type{};
  CollectiveOp op{};   ///< collective_end
  LockType lock{};     ///< request_lock, acquire_lock
  RmaSyncType sync{};  ///< sync
};

/// A call that waits for a device, a kernel of a stream, or a copy by one.
struct DeviceRecord {
  static constexpr std::uint32_t no_call = ~std::uint32_t{0};
  std::uint32_t call = 0;      ///< index into Chunk::sync_calls; no_call of a copy, which has what follows
  std::uint32_t callpath = 0;
  Time begin = 0, end = 0;
};

/// One event. `arg` is, by type: of enter and exit without attribute list the location's own call path number; else the
/// offset of its attribute record, which begins with that number (four bytes) if the event changes the region stack.
/// Linking puts call paths of the whole trace in the place of these numbers.
struct EventRow {
  Time time = 0;
  std::uint32_t arg = 0;
  EventType type{};       ///< possibly with_list()
  bool linked = false;    ///< it has a CommRecord
  bool switches = false;  ///< it has a TaskEvent; set when it goes to the merge
};

/// Events in their order. All that the merge needs of most of them lies side by side: with many locations it is at
/// another place for each event, and each place is another page of memory.
struct EventRows {
  std::vector<EventRow> rows;
  std::vector<std::uint8_t> bytes;  ///< attribute records

  std::size_t size() const { return rows.size(); }
  void clear() { rows.clear(), bytes.clear(); }
};

struct Chunk {
  LocationId location;
  Time last_time = 0;   ///< of the last event in it (never decreasing over the chunks of a location)
  Time first_time = 0;  ///< of the location's first event
  std::size_t event_count = 0;
  bool last = false;  ///< nothing follows
  Time initialised = ~Time{0};  ///< exit of the first call of MPI_Init, shmem_init or the like that is left in it
  std::vector<CallRecord> calls;
  std::vector<CommRecord> records;
  std::vector<CallRecord> world_calls;  ///< MPI_Init and MPI_Finalize, with or without records
  std::vector<NewCallPath> call_paths;
  std::vector<TeamRecord> team_records;
  std::vector<CallRecord> sync_calls;         ///< barriers of teams, calls that acquire or release locks
  Time sync_since = ~Time{0};                 ///< enter of the first of them that is told in the next chunk
  std::vector<RmaRecord> rma_records;         ///< their calls are among `calls`
  std::vector<CallRecord> library_enters;     ///< if asked for: outermost calls of MPI entered in it (no exit)
  std::vector<Time> library_exits;            ///< and the exits of those left in it, entered in it or before
  Time open_since = 0;                        ///< enter of the outermost call of MPI or SHMEM open at the end, else
                                              ///< last_time
  std::vector<PathProfile> segment_profiles;  ///< of the segments that end in it, one after the other
  std::uint32_t open_segment = 0;             ///< number of the segment that is open where the chunk begins
  std::vector<std::uint32_t> segment_events;  ///< if events are kept: numbers of those that begin a segment
  std::vector<TaskRecord> task_records;
  std::vector<PathProfile> task_profiles;  ///< of the segments of tasks that end in it, one after the other
  std::vector<TaskTime> task_times;        ///< by their ends
  std::vector<TaskEvent> task_events;      ///< if events are kept
  std::vector<DeviceRecord> device_records;  ///< if asked for
  std::vector<PathCounter> segment_counters, task_counters;  ///< as segment_profiles and task_profiles
  EventRows events;

  void clear() {
    event_count = 0;
    last = false;
    initialised = sync_since = ~Time{0};
    calls.clear(), records.clear(), world_calls.clear(), call_paths.clear(), events.clear();
    rma_records.clear(), library_enters.clear(), library_exits.clear();
    team_records.clear(), sync_calls.clear(), segment_profiles.clear(), segment_events.clear();
    task_records.clear(), task_profiles.clear(), task_times.clear(), task_events.clear();
    device_records.clear(), segment_counters.clear(), task_counters.clear();
  }
};

}  // namespace waitstate::trace
