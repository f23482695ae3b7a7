// Loops of reads, as one location's records show them: which reads of a window may be polls (WindowPolls), and with
// which calls each begins.
//
// A read may be a poll if it reads the same few bytes of one process's memory in the same call path as the one before
// it, which is complete, and nothing else that is recorded lies between them.
//
// Cost: some comparisons a record. Memory: the calls since the last poll of each location.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

/// The memory that a loop reads, and where in the program.
struct ReadMemory {
  RmaWinId win;
  ProcessId owner;
  std::uint64_t bytes = 0;
  CallPathId callpath;
  bool operator==(const ReadMemory&) const = default;
};

/// A read that is complete, with the calls that belong to it.
struct Poll {
  ReadMemory memory;
  std::uint64_t loop = 0;      ///< number of the loop among the location's
  Time start = 0;              ///< when the read was started
  std::vector<CallRef> calls;  ///< held
};

class WindowReads {
 public:
  static constexpr std::uint64_t most_bytes = 16;  ///< size of a read that may be a poll: a flag, or a counter

  WindowReads(const Definitions& definitions, Calls& calls)
      : definitions_(definitions), calls_(calls), reading_(definitions.locations.size()) {}

  // These tell of a location, in the order of its records:
  /// The call starts a read. True if it goes on with a loop of reads: then it is no write either.
  bool reads(LocationId l, CallRef call, RmaWinId win, LocationId target, std::uint64_t bytes, Time start);
  /// The call completes something, or asks for or releases a lock.
  void assists(LocationId l, CallRef call);
  /// The read that was started in `started` is complete in `completed`: null if that is no poll. The caller takes the
  /// calls over; valid until the next call of this.
  Poll* completed(LocationId l, CallRef started, CallRef completed);
  /// The location does something that is no part of a loop.
  void breaks(LocationId l);
  /// No record follows.
  void finish();

 private:
  static constexpr std::uint32_t none = CallState::none;

  /// The loop of a location, as far as its records have been read.
  struct Reading {
    ReadMemory memory;
    std::uint64_t loop = 0;
    CallRef started = none;      ///< call of the read that is not complete; held
    Time start = 0;              ///< time of its record
    std::vector<CallRef> calls;  ///< calls since the last poll; held
    CallKey latest;
    bool any = false;
  };

  static bool is_latest(const Reading& r, const Call& call) { return r.any && CallKey(call) == r.latest; }
  static bool follows(const Reading& r, const Call& call);
  void add_call(Reading& r, CallRef call);
  void forget(Reading& r);

  const Definitions& definitions_;
  Calls& calls_;
  util::PagedTable<Reading> reading_;  ///< by location
  Poll poll_;                          ///< the last that completed() gave
};

}  // namespace waitstate::link
