// What replaying a stretch of one location's events leaves for the stages that look at several locations: the calls in
// which something was communicated, the records in them, the call paths met for the first time and, only if somebody
// wants every event, the events themselves in columns.
//
// A chunk always ends outside of calls with communication records, so that every call in it has its exit time. Chunks
// are recycled: clear() keeps the memory.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/call_tree.hpp"
#include "waitstate/event_type.hpp"
#include "waitstate/ids.hpp"
#include "waitstate/region_class.hpp"

namespace waitstate::trace {

/// A region instance with communication records. Call paths are numbers of the location's own tree.
struct CallRecord {
  Time enter = 0;
  Time exit = 0;
  std::uint32_t callpath = 0;
  RegionId region;
  MpiFunction function{};
  std::uint32_t records = 0;       ///< number of CommRecords that belong to it
  std::uint32_t before = 0;        ///< call path of the longest stretch since the previous call with records
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
  std::uint32_t call = 0;   ///< index into Chunk::calls
  std::uint32_t event = 0;  ///< number of the event in the chunk, if events are kept
  EventType type{};
};

/// A call path that the location met for the first time; numbers of the location's own tree, 0 is "outside everything".
struct NewCallPath {
  std::uint32_t number = 0;
  std::uint32_t parent = 0;
  RegionId region;
  StringId program;
};

/// Events in columns. `arg` is, by type: of enter, exit and program_begin/_end the location's own call path number in
/// the first four bytes of the record; else the offset of the attribute record in `bytes`.
struct EventColumns {
  std::vector<Time> time;
  std::vector<EventType> type;
  std::vector<std::uint32_t> arg;
  std::vector<std::uint8_t> bytes;

  std::size_t size() const { return time.size(); }
  void clear() { time.clear(), type.clear(), arg.clear(), bytes.clear(); }
};

struct Chunk {
  LocationId location;
  Time last_time = 0;   ///< of the last event in it (never decreasing over the chunks of a location)
  Time first_time = 0;  ///< of the location's first event
  std::size_t event_count = 0;
  bool last = false;  ///< nothing follows
  std::vector<CallRecord> calls;
  std::vector<CommRecord> records;
  std::vector<CallRecord> world_calls;  ///< MPI_Init and MPI_Finalize, with or without records
  std::vector<NewCallPath> call_paths;
  EventColumns events;

  void clear() {
    event_count = 0;
    last = false;
    calls.clear(), records.clear(), world_calls.clear(), call_paths.clear(), events.clear();
  }
};

}  // namespace waitstate::trace
