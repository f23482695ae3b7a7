// Loops in which a process reads a window of MPI again and again until another process has written to it, as
// shmem_wait_until does in one call.
//
// No record says that a call polls. It is told by what the process does: it reads the same few bytes of one process's
// memory in one call path, completes each read before the next one, does nothing else that is recorded, and spends most
// of the time in these calls. It waited for the write, of another process, of which these reads show that it came
// between the last two: started before the last one was complete, and not complete when the one before it was started.
//
//   0 Fetch_and_op 100..110  Win_flush 111..129            the value is old
//   0 Fetch_and_op 130..140  Win_flush 141..159            the value is old
//   0 Fetch_and_op 160..170  Win_flush 171..189            the value is new: 0 waited for 1, until 165
//   1 Accumulate   165..167  Win_flush 167..175
//
// A loop that reads the process's own memory, and no such write is known, waited for something that the trace does not
// tell. One that reads another process's memory may be no poll at all: of that nothing is said.
//
// Records come in the order of each location, and make polls; polls and writes then come in one order of time over all
// locations (PassiveTarget). Cost: some comparisons a record, a hash look-up a write and poll. Memory: the calls of one
// loop a location, of more than most_calls of which neighbours are joined; the last writes to each process's memory.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class WindowPolls {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr std::uint64_t most_bytes = 16;  ///< size of a read that may be a poll: a flag, or a counter
  static constexpr std::size_t least_reads = 3;    ///< reads of a loop
  static constexpr std::size_t most_calls = 512;   ///< calls of a loop that are kept; of more, neighbours are joined

  WindowPolls(const Definitions& definitions, Calls& calls, Listener& listener);

  // These tell of a location, in the order of its records:
  /// The call starts a read. True if it goes on with a loop of reads: then it is no write either.
  bool reads(LocationId l, CallRef call, RmaWinId win, LocationId target, std::uint64_t bytes, Time start);
  /// The call completes something, or asks for or releases a lock.
  void assists(LocationId l, CallRef call);
  /// The read that was started in `started` is complete in `completed`: the number of a poll, none if there is none.
  std::uint32_t completed(LocationId l, CallRef started, CallRef completed);
  /// The location does something that is no part of a loop.
  void breaks(LocationId l);

  // In one order of time:
  /// An operation that may change the owner's memory.
  void write_started(RmaWinId win, ProcessId owner, CallRef call);
  void write_completed(RmaWinId win, ProcessId owner, CallRef call, Time t);
  /// A poll is complete, and forgotten.
  void polled(LocationId l, std::uint32_t poll, Time t);
  /// No poll follows.
  void finish();

 private:
  struct ReadMemory {
    RmaWinId win;
    ProcessId owner;
    std::uint64_t bytes = 0;
    CallPathId callpath;
    bool operator==(const ReadMemory&) const = default;
  };
  /// The loop of a location, as far as its records have been read.
  struct Reading {
    ReadMemory memory;
    std::uint64_t loop = 0;              ///< number of the loop
    CallRef started = none;              ///< call of the read that is not complete; held
    Time start = 0;                      ///< time of its record
    std::vector<CallRef> calls;          ///< calls since the last poll; held
    Time last_enter = 0, last_exit = 0;  ///< the latest call
    std::uint16_t last_number = 0;
    bool any = false;
  };
  /// A read that is complete, with the calls that belong to it.
  struct Poll {
    ReadMemory memory;
    std::uint64_t loop = 0;
    Time start = 0;
    std::vector<CallRef> calls;  ///< held
  };
  struct Write {
    CallRef call = none;  ///< held
    Time completed = ~Time{0};
  };
  struct Memory {
    std::uint32_t win = 0, owner = 0;
    bool operator==(const Memory&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(win, owner)); }
  };
  struct Writes {
    Write latest;  ///< started last
    Write done;    ///< completed last, if it is another one
    std::uint64_t number = 0;
  };
  /// The loop of a location, as far as it has come in the order of time.
  struct Loop {
    ReadMemory memory;
    std::uint64_t number = 0;
    std::size_t reads = 0;
    Time start = 0;            ///< time of the latest read
    Time first = 0, last = 0;  ///< enter of the first call, exit of the last one
    Ticks inside = 0;          ///< time in the calls
    CallRef write = none;      ///< write that the latest read may have seen first; held
    std::uint64_t writes = 0, writes_before = 0;
    std::vector<Call> calls;
  };

  ProcessId process(LocationId l) const { return definitions_[l].process; }
  static bool is_latest(const Reading& r, const Call& call);
  static bool follows(const Reading& r, const Call& call);
  void add_call(Reading& r, CallRef call);
  void forget(Reading& r);
  void keep(Write& place, CallRef call);
  CallRef write_seen(LocationId l, const Writes& writes, Time before, Time after) const;
  void add_call(Loop& loop, const Call& call);
  void end(LocationId l, Loop& loop);

  const Definitions& definitions_;
  Calls& calls_;
  Listener& listener_;
  std::vector<Reading> reading_;  ///< by location
  std::vector<Loop> loops_;       ///< by location
  util::Pool<Poll> polls_;
  util::FlatMap<Memory, Writes> writes_;
};

}  // namespace waitstate::link
