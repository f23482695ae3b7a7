// The chunk that replaying an interval of one location's events leaves for the stages that look at several locations:
// the calls in which something was communicated (messages, collectives, one-sided operations), the records in them, the
// call paths met for the first time, what threads of a team have to do with each other and, only if somebody wants
// every event, the events themselves in columns.
//
// A chunk always ends outside of calls with communication records, and outside of barriers and lock calls of thread
// teams, so that every call in it has its exit time. If it gets too long in a barrier, a taskwait or a lock call - a
// thread may execute any number of tasks there -, its record is in the next one. Chunks are recycled: clear() keeps the
// memory.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/chunk/event_rows.hpp"
#include "replay/chunk/profile.hpp"
#include "replay/chunk/records.hpp"
#include "replay/chunk/step_record.hpp"
#include "replay/counters/counters.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

struct Chunk {
  LocationId location;
  Time last_time = 0;   ///< time of the last event in it (never decreasing over the chunks of a location)
  Time first_time = 0;  ///< time of the location's first event
  std::size_t event_count = 0;
  bool last = false;            ///< nothing follows
  Time initialised = ~Time{0};  ///< exit of the first call of MPI_Init, shmem_init or the like that is left in it
  std::vector<CallRecord> calls;
  std::vector<CommRecord> records;
  std::vector<CallRecord> init_finalize_calls;  ///< MPI_Init and MPI_Finalize, with or without records
  std::vector<OpenCallRecord> open_calls;  ///< at the end of the location: the innermost one, if it waits for others
  std::vector<NewCallPath> call_paths;
  std::vector<TeamRecord> team_records;
  std::vector<CallRecord> sync_calls;         ///< barriers of teams, calls that acquire or release locks
  Time sync_since = ~Time{0};                 ///< enter of the first of them whose record is in the next chunk
  std::vector<RmaRecord> rma_records;         ///< their calls are among `calls`
  std::vector<CallRecord> mpi_enters;         ///< if asked for: outermost MPI calls entered in it (no exit)
  std::vector<Time> mpi_exits;                ///< exits of MPI calls left in it, entered in it or before
  Time open_since = 0;                        ///< enter of the outermost MPI or SHMEM call open at the end, else
                                              ///< last_time
  std::vector<PathProfile> segment_profiles;  ///< profiles of the segments that end in it, one after the other
  std::uint32_t open_segment = 0;             ///< number of the segment that is open where the chunk begins
  std::vector<std::uint32_t> segment_events;  ///< if events are kept: numbers of those that begin a segment
  std::vector<TaskRecord> task_records;
  std::vector<PathProfile> task_profiles;    ///< profiles of the segments of tasks that end in it, one after the other
  std::vector<TaskTime> task_times;          ///< by their ends
  std::vector<TaskEvent> task_events;        ///< if events are kept
  std::vector<DeviceRecord> device_records;  ///< if asked for
  std::vector<PathCounter> segment_counters, task_counters;  ///< as segment_profiles and task_profiles
  std::vector<WorkCutRecord> work_cuts;                      ///< if asked for: in order
  std::vector<WorkShareRecord> work_shares;                  ///< shares behind the last cut go on in the next chunk
  std::vector<WorkMarkRecord> work_marks;
  std::vector<StepRecord> steps;  ///< if asked for
  EventRows events;

  TeamRecord& add_team_record(TeamRecord::Kind kind, Time time) {
    TeamRecord& r = team_records.emplace_back();
    r.kind = kind;
    r.time = time;
    return r;
  }

  void clear() {
    event_count = 0;
    last = false;
    initialised = sync_since = ~Time{0};
    calls.clear(), records.clear(), init_finalize_calls.clear(), open_calls.clear(), call_paths.clear();
    events.clear();
    rma_records.clear(), mpi_enters.clear(), mpi_exits.clear();
    team_records.clear(), sync_calls.clear(), segment_profiles.clear(), segment_events.clear();
    task_records.clear(), task_profiles.clear(), task_times.clear(), task_events.clear();
    device_records.clear(), segment_counters.clear(), task_counters.clear();
    work_cuts.clear(), work_shares.clear(), work_marks.clear(), steps.clear();
  }
};

}  // namespace waitstate::replay
