// Passive target: who had a conflicting lock while a call waited, whether the target could make progress meanwhile, and
// (SHMEM) who changed the memory that a process waited for.
//
// None of that is told by numbers that could be matched, only by times: recorders write when a lock was asked for and
// when it was released, but not when it was granted. Of two conflicting owners one has released the lock before the
// other one gets it, so the releases put the owners in order; a call that waited for the lock contains the release that
// it waited for. So releases, operations on others' memory and the ends of calls are brought into one order of time
// over all locations, as soon as no location can bring an earlier one, and what happened last is at hand when a call
// ends.
//
// A lock of SHMEM is known to recorders by its address, and symmetric memory lies elsewhere on each process: then only
// the offset in the page is the same everywhere, and two locks of a process with the same offset are not told apart.
// Nothing else in the records tells: neither where a process's symmetric memory begins nor the name of the variable.
// Where processes turn out to give the same numbers, because their memory lies at the same addresses or the recorder
// counts from its begin, the whole number is the lock.
//
// Memory: what was read ahead of the location that is least far, the last release per lock, the last operation per
// window and target, and the calls of MPI since the earliest one that is open; of these at most `most_library` a
// location, older ones become one, so that a process which hangs in a call for the whole run costs no more (what it
// waited for before is then found too short). Cost: items of a location come nearly in order and wait in a queue of its
// own, so taking one costs a heap operation among as many heads as there are locations; looking at all locations once
// for each round of chunks; and of calls that end while their target is in MPI what the target called meanwhile.
#pragma once

#include <array>
#include <deque>
#include <queue>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "replay/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/front_queue.hpp"
#include "util/pool.hpp"
#include "waitstate/definitions.hpp"

namespace waitstate::link {

/// A lock of one target or, with `target` none, of all (also: a lock of SHMEM, which belongs to no target).
struct RmaLockRef {
  RmaWinId win;
  ProcessId target;
  std::uint64_t lock = 0;
  bool exclusive = true;
  auto operator<=>(const RmaLockRef&) const = default;
};

class RmaPassive {
 public:
  RmaPassive(const Definitions& definitions, Calls& calls, Listener& listener);

  // What a location did, in the order of its records; the calls are complete.
  /// The call has to do with that lock. `progress`: it needs the target to make progress.
  void uses(LocationId l, std::uint32_t call, const RmaLockRef& lock, bool progress);
  void released(LocationId l, Time t, std::uint32_t call, const RmaLockRef& lock);
  void written(LocationId l, std::uint32_t call, RmaWinId win, LocationId target);
  /// A notification that goes to the target's process.
  void notifies(LocationId l, std::uint32_t call, RmaWinId win, LocationId target);
  /// `origin`: whose notification it is that was waited for; none: any change of memory.
  void waits_for_change(LocationId l, std::uint32_t call, RmaWinId win, LocationId origin);

  /// A chunk of the location has been read, and all that it brings has been told. `enters`: calls of MPI entered in it,
  /// whose exits are unknown; `exits`: of those left in it. No later call was entered before `open_since`.
  void read(LocationId l, std::span<const Call> enters, std::span<const Time> exits, Time up_to, Time open_since,
            bool at_end);
  /// Records of the location before `bound` only have been told so far (see Rma), and the calls of the others were
  /// entered at `open` or later; ~0: all that has been read.
  void hold_back(LocationId l, Time bound, Time open) {
    locations_[l.index()].held_back = bound;
    locations_[l.index()].held_open = open;
  }
  void finish();

 private:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr unsigned most_moved = 16;  ///< turns of a location that one which comes late is put before
  static constexpr std::size_t most_library = std::size_t{1} << 16;

  enum class Kind : std::uint8_t { release, call, wait_change, write };  ///< in that order at the same time
  struct Use {
    RmaLockRef lock;
    bool progress = false;
  };
  struct Item {
    Kind kind{};
    LocationId location;
    std::uint32_t call = none;  ///< held
    Use first;                  ///< of write and wait_change the window, target and whose change it is (changes_of)
    std::vector<Use> more;      ///< in the order of their locks
  };
  struct Turn {
    Time time = 0;
    Kind kind{};
    LocationId location;
    std::uint64_t number = 0;  ///< of the location's items
    std::uint32_t item = none;
    bool operator>(const Turn& o) const {
      if (time != o.time) return time > o.time;
      if (kind != o.kind) return kind > o.kind;
      if (location != o.location) return location > o.location;
      return number > o.number;
    }
  };
  struct Key {
    std::uint64_t where = 0, lock = 0;  ///< where: window and process
    bool operator==(const Key&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t h = (where ^ lock * 0x9e3779b97f4a7c15u) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Release {
    Time time = 0;
    std::uint32_t call = none;  ///< held
  };
  /// The last one, and the last one of another process than that: whoever asks is not kept by its own releases.
  using LastReleases = std::array<Release, 2>;
  struct Releases {
    LastReleases exclusive, shared;
  };
  struct Addresses {  ///< of locks of one name
    std::uint64_t lock = 0;
    bool seen = false;
  };
  struct Numbers {  ///< of the locks of a window
    std::uint64_t distinct = 0, of_processes = 0;
    /// True if one number stands for several processes; that two agree by chance does not make it so.
    bool shared() const { return 2 * of_processes >= 3 * distinct && of_processes != distinct; }
  };
  struct Gap {  ///< as RmaProgressGap
    Time begin = 0, end = 0;
    const Call* next = nullptr;
  };
  struct LocationState {
    util::FrontQueue<Turn> turns;  ///< in order
    std::uint64_t items = 0;
    std::uint32_t last_item = none, last_call = none;  ///< of uses(); the item may be done with, its call tells
    Time read = 0, open_since = 0, held_back = ~Time{0}, held_open = ~Time{0};
    bool at_end = false;
    std::deque<Time> undelivered;    ///< enters of the calls of `uses` that are not delivered, ascending
    util::FrontQueue<Call> library;  ///< calls of MPI; the exit is ~0 while it is not known
    std::size_t left = 0;            ///< of `library`, those with an exit
  };

  static Key key(const RmaLockRef& r) { return {std::uint64_t{r.win.value} << 32 | r.target.value, r.lock}; }
  /// Of a lock of SHMEM by its whole number, if `r` is that; see known().
  static constexpr ProcessId by_number{0xfffffffeu};
  ProcessId process(LocationId l) const { return definitions_[l].process; }
  /// Names changes of memory: those of any process, or the notifications of one.
  std::uint64_t changes_of(LocationId origin) const {
    return origin.valid() && process(origin).valid() ? process(origin).index() + 1 : 0;
  }
  std::uint32_t add(Kind kind, LocationId l, Time t, std::uint32_t call, const Use& use);
  void place(const Turn& turn);
  void sweep(Time before);
  void take(const Turn& turn);
  void remember(const Item& item, Time t);
  void replace(LastReleases& last, Time t, std::uint32_t call);
  void deliver(const Item& item);
  void find_release(const Item& item, const RmaLockRef& lock, Release& latest);
  void find_gaps(const Item& item, Time from);
  void find_gaps(const Call& call, ProcessId target, Time from);
  bool known(const Item& item, RmaLockRef& lock);
  bool count_number(const Item& item, const RmaLockRef& lock);
  void deliver_change(const Item& item);
  void drop_library_before(Time t);
  bool of_mpi(RmaWinId win) const;

  const Definitions& definitions_;
  Calls& calls_;
  Listener& listener_;
  std::vector<LocationState> locations_;
  util::Pool<Item> items_;
  std::vector<Turn> heads_;  ///< scratch of sweep()
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>>
      strays_;  ///< that belong far before their location's last
  util::FlatMap<Key, Releases> releases_;
  util::FlatMap<Key, std::uint32_t> writes_;  ///< the call that started the last one, plus one; held
  util::FlatMap<Key, Addresses> addresses_;   ///< by window, process and offset in the page
  util::FlatMap<Key, bool> ambiguous_;        ///< by window and offset in the page
  util::FlatMap<Key, bool> numbers_seen_;     ///< of locks, by window and process; by window
  util::FlatMap<Key, Numbers> numbers_;       ///< by window
  std::vector<const Call*> inside_;           ///< scratch of deliver()
  std::vector<Gap> all_gaps_;
  std::vector<RmaProgressGap> gaps_;
  std::size_t until_sweep_ = 0;
};

}  // namespace waitstate::link
