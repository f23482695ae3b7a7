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
// A location's records make polls (WindowReads); polls and writes then come in one order of time over all locations
// (PassiveTarget). Cost: a hash look-up a write and poll. Memory: the calls of one loop a location, of more than
// most_calls of which neighbours are joined; the last writes to each process's memory.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/rma/polls/window_reads.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class WindowPolls {
 public:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr std::size_t least_reads = 3;   ///< reads of a loop
  static constexpr std::size_t most_calls = 512;  ///< calls of a loop that are kept; of more, neighbours are joined

  WindowPolls(const Definitions& definitions, Calls& calls, Listener& listener);

  /// A poll that is to come: its number for polled(). Takes the calls over.
  std::uint32_t add(Poll& poll);

  // In one order of time:
  /// An operation that may change the owner's memory.
  void write_started(RmaWinId win, ProcessId owner, CallRef call);
  void write_completed(RmaWinId win, ProcessId owner, CallRef call, Time t);
  /// A poll is complete, and forgotten.
  void polled(LocationId l, std::uint32_t poll, Time t);
  /// No poll follows.
  void finish();

 private:
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
  void keep(Write& place, CallRef call);
  CallRef write_seen(LocationId l, const Writes& writes, Time before, Time after) const;
  void add_call(Loop& loop, const Call& call);
  void end(LocationId l, Loop& loop);

  const Definitions& definitions_;
  Calls& calls_;
  Listener& listener_;
  std::vector<Loop> loops_;  ///< by location
  util::Pool<Poll> polls_;
  util::FlatMap<Memory, Writes> writes_;
};

}  // namespace waitstate::link
