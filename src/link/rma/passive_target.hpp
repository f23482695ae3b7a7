// Passive target: who had a conflicting lock while a call waited, whether the target could make progress meanwhile, and
// who changed the memory that a process waited for, in one call (SHMEM) or by polling (MPI).
//
// No record has a number by which that could be matched; there are only times: recorders write when a lock was asked
// for and when it was released, but not when it was granted. Of two conflicting owners one has released the lock before
// the other one gets it, so the releases put the owners in order; a call that waited for the lock contains the release
// that it waited for, and, if it releases the lock itself, before that. So releases, operations on others' memory and
// the ends of calls are brought into one order of time over all locations, as soon as no location can bring an earlier
// one, and what happened last is at hand when a call ends. With several workers each has one of these, for what
// concerns the memory of its own processes (away/passive_door.hpp).
//
// Composes what remembers these: LockReleases, MemoryChanges, ProgressGaps, WindowPolls. Memory: what was read ahead of
// the location that is least far. Cost: steps of a location come nearly in order and wait in a queue of its own, so
// taking one costs a heap operation among as many heads as there are locations; looking at all locations that have had
// steps once for each promise of half of the workers.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/homes.hpp"
#include "link/listener.hpp"
#include "link/rma/lock_releases.hpp"
#include "link/rma/memory_changes.hpp"
#include "link/rma/passive_progress.hpp"
#include "link/rma/polls/window_polls.hpp"
#include "link/rma/progress_gaps.hpp"
#include "util/front_queue.hpp"
#include "util/paged_table.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

/// The way back to the worker of a call that needs several workers: see AskingCalls.
class WayToAskingCalls {
 public:
  virtual ~WayToAskingCalls() = default;
  /// `latest`: the release that the call waited for; no call: none.
  virtual void found(LocationId caller, std::uint32_t asking, const LockReleases::Release& latest, bool all_known) = 0;
};

/// Delivers the call: `released` may be null.
void deliver_passive_call(Listener& listener, const Definitions& definitions, const Call& call, RmaWinId win,
                          const Call* released, Time release_time, bool lock_known,
                          std::span<const RmaProgressGap> gaps);

class PassiveTarget {
 public:
  PassiveTarget(const Definitions& definitions, Calls& calls, Listener& listener, std::size_t workers = 1);

  // Actions of a location, in the order of its records; the calls are complete.
  /// The call has to do with that lock. `progress`: it needs the target to make progress.
  void uses(LocationId l, CallRef call, const RmaLockRef& lock, bool progress, std::uint32_t asking = none);
  void released(LocationId l, Time t, CallRef call, const RmaLockRef& lock);
  /// After both of the call and a lock: what others release later it does not wait for.
  void released_own(LocationId l, Time t, CallRef call);
  void written(LocationId l, CallRef call, RmaWinId win, LocationId target);
  /// A notification that goes to the target's process.
  void notifies(LocationId l, CallRef call, RmaWinId win, LocationId target);
  /// `origin`: whose notification it is that was waited for; none: any change of memory.
  void waits_for_change(LocationId l, CallRef call, RmaWinId win, LocationId origin);

  /// Calls that ask several workers have their answers there.
  void answer_to(WayToAskingCalls& asking) { asking_ = &asking; }

  // Polls, and writes that may end a loop of them (WindowPolls): only if somebody wants to know.
  /// The poll is complete in the call. Takes the poll's calls over.
  void polled(LocationId l, CallRef completed, Time t, Poll& poll);
  void write_started(LocationId l, CallRef call, RmaWinId win, LocationId target);
  void write_completed(LocationId l, CallRef call, RmaWinId win, LocationId target, Time t);

  /// MPI calls that the location has entered in its next chunk, whose exits are unknown, and exits of those that it has
  /// left: for calls that need its progress.
  void mpi_calls(LocationId l, std::span<const Call> enters, std::span<const Time> exits) {
    gaps_.read(l, enters, exits);
  }
  /// When the target was outside of MPI while a call needed it that asks: see ProgressGaps.
  std::span<const ProgressGap> gaps_of(ProcessId target, Time from, Time exit) {
    gaps_.begin(from, exit);
    gaps_.add_target(target);
    return gaps_.gaps();
  }
  /// All that the worker has read so far has been told; there is no more before that.
  void promised(WorkerId from, const PassiveProgress::Promise& promise);
  /// All workers have told all.
  void settle() { sweep(~Time{0}); }
  void finish();

 private:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr unsigned most_moved = 16;  ///< steps of a location that one which comes late is put before

  /// In that order at the same time.
  enum class Kind : std::uint8_t {
    release,
    own_release,
    call,
    wait_change,
    write,
    polled_write,
    polled_write_done,
    poll
  };
  struct Use {
    RmaLockRef lock;
    bool progress = false;
  };
  /// The latest release that a call waited for.
  struct Found {
    LockReleases::Release latest;  ///< held, if there is one
    bool all_known = true;
  };
  struct Item {
    Kind kind{};
    LocationId location;
    CallRef call = none;                  ///< held
    MemoryChanges::ChangedMemory memory;  ///< only in writes and wait_change
    Use first;                            ///< only in a release or call
    std::uint32_t waits =
        none;  ///< only in an own_release: the item of the call, which releases a lock that it has waited for
    std::uint32_t poll = none;    ///< only in a poll: its number
    std::vector<Use> more;        ///< only in a call, in the order of their locks
    std::optional<Found> found;   ///< only in a call that has released a lock: what it had waited for until then
    std::uint32_t asking = none;  ///< only in a call that asks others: its number
  };
  struct Step {
    Time time = 0;
    Kind kind{};
    LocationId location;
    std::uint64_t number = 0;  ///< number among the location's items
    std::uint32_t item = none;
    bool operator>(const Step& o) const {
      if (time != o.time) return time > o.time;
      if (kind != o.kind) return kind > o.kind;
      if (location != o.location) return location > o.location;
      return number > o.number;
    }
  };
  struct LocationState {
    util::FrontQueue<Step> steps;  ///< in order
    std::uint64_t items = 0;
    std::uint32_t last_item = none;  ///< item of the latest uses(); none: it is done with
    CallKey last_call;               ///< call of the latest uses()
    bool any = false;                ///< listed in acting_
    std::deque<Time> undelivered;    ///< enters of the calls of `uses` that are not delivered, ascending
  };

  ProcessId process(LocationId l) const { return definitions_[l].process; }
  /// A change of memory of that process; `origin` none: anybody's, else its notification.
  MemoryChanges::ChangedMemory change(RmaWinId win, ProcessId target, LocationId origin) const {
    const bool told = origin.valid() && process(origin).valid();
    return {win, target, told ? process(origin).value : MemoryChanges::ChangedMemory::any};
  }
  std::uint32_t add(Kind kind, LocationId l, Time t, CallRef call);
  void place(const Step& step);
  void sweep(Time before);
  void take(const Step& step);
  template <class F>
  static void for_each_use(const Item& item, F&& f) {
    f(item.first);
    for (const Use& u : item.more) f(u);
  }
  Found find(const Item& item);
  void forget(Item& item);
  void deliver(Item& item);

  const Definitions& definitions_;
  Calls& calls_;
  Listener& listener_;
  util::PagedTable<LocationState> locations_;
  std::vector<LocationId> acting_;                  ///< locations that have had steps
  std::vector<PassiveProgress::Promise> promises_;  ///< by worker
  util::Pool<Item> items_;
  std::vector<Step> heads_;  ///< scratch of sweep()
  std::priority_queue<Step, std::vector<Step>, std::greater<>>
      late_steps_;  ///< steps that belong far before their location's last one
  LockReleases releases_;
  MemoryChanges changes_;
  WindowPolls polls_;
  ProgressGaps gaps_;
  JoinedGaps joined_;
  WayToAskingCalls* asking_ = nullptr;  ///< null if there is only one worker
  std::size_t until_sweep_ = 0;         ///< promises that come before it
};

}  // namespace waitstate::link
