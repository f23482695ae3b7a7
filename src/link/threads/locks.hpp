// Matches each acquisition of a lock with the release before it: every acquisition of a lock carries a number, and its
// release the same one, so that owners can be put in order without comparing clocks. An acquisition matches the release
// with the number before its own; a thread that acquires a lock several times (nested) is one owner from its first
// number to its last.
//
// A number may come twice: the counter has started again, e.g. with a new lock of the same name. So that each matches
// the nearest one in time, however far who has been read, records wait until all threads of their process have been
// processed as far, and are then dealt with in the order of time.
//
// Cost: two hash lookups and an entry in a heap per record. Memory: locks that are held; records of threads that are
// ahead of others of their process; and per lock what has no match: normally its first acquisition and its last
// release.
#pragma once

#include <queue>
#include <tuple>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/processes.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

/// A lock of threads that is not released.
struct HeldThreadLock {
  LocationId location;
  Paradigm paradigm{};
  std::uint32_t lock = 0;
  friend auto operator<=>(const HeldThreadLock&, const HeldThreadLock&) = default;
};

class Locks {
 public:
  Locks(const Definitions& definitions, const Processes& processes, Calls& calls, Listener* listener);

  /// A record of kind acquire or release of that location, in the call.
  void add(LocationId l, const replay::TeamRecord& r, std::uint32_t call);
  /// The location has been processed up to that time, or (`last`) to its end.
  void processed(LocationId l, Time until, bool last);
  /// Everything has been processed.
  void finish();
  /// Ascending by location; none if nobody wants lock_acquired().
  std::vector<HeldThreadLock> held() const;

 private:
  static constexpr std::uint32_t none = CallState::none;

  struct LockKey {
    std::uint64_t lock = 0, who = 0;  ///< `who` is the location in held_, and the process and the number in pairs_
    bool operator==(const LockKey&) const = default;
    std::uint64_t hash() const { return util::mixed(lock, who); }
  };
  struct Held {
    std::uint32_t depth = 0, last = 0;  ///< acquisitions not released yet, number of the latest one
  };
  /// A release, and the acquisition with the number after it: the one that came first is an unmatched half.
  struct Pair {
    std::uint32_t acquired = none, released = none;  ///< calls
    Time acquire_time = 0, release_time = 0;
  };
  /// A record that begins or ends an ownership, to be dealt with in time order; the call is held.
  struct Step {
    Time time = 0;
    bool acquires = false;
    LocationId location;
    std::uint64_t sequence = 0;
    LockKey key;
    std::uint32_t call = none;
    /// For std::priority_queue: the first one is the largest. Of the same time releases come first.
    bool operator<(const Step& o) const {
      return std::tie(time, acquires, location, sequence) > std::tie(o.time, o.acquires, o.location, o.sequence);
    }
  };
  struct Thread {
    Time processed = 0;
    bool ended = false;
  };

  void add_step(LocationId l, bool acquires, const LockKey& key, std::uint32_t call, Time t);
  /// Deals with the steps before that time, or with all.
  void take_steps(ProcessId process, Time before, bool all);
  void match(const Step& step);

  const Definitions& definitions_;
  const Processes& processes_;
  Calls& calls_;
  Listener* listener_;
  util::FlatMap<LockKey, Held> held_;
  util::FlatMap<LockKey, Pair> pairs_;
  util::PagedTable<std::priority_queue<Step>> steps_;  ///< by process
  util::PagedTable<Thread> threads_;                   ///< by location
  std::uint64_t sequence_ = 0;
};

}  // namespace waitstate::link
