// The last releases of each lock, in the order of time: who had a conflicting lock while a call waited.
//
// A lock of SHMEM is known to recorders by its address, and symmetric memory lies elsewhere on each process: then only
// the offset in the page is the same everywhere, and two locks of a process with the same offset are not told apart.
// Nothing else in the records tells: neither where a process's symmetric memory begins nor the name of the variable.
// Where processes turn out to give the same numbers, because their memory lies at the same addresses or the recorder
// counts from its begin, the whole number is the lock. So a release is kept under both names.
//
// Cost: a few hash look-ups per use and per release. Memory: two releases per lock and kind, and the names of locks.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "link/calls.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

/// A lock of one target or, with `target` none, of all (also: a lock of SHMEM, which belongs to no target).
struct RmaLockRef {
  RmaWinId win;
  ProcessId target;
  std::uint64_t lock = 0;
  bool exclusive = true;
  auto operator<=>(const RmaLockRef&) const = default;
};

class LockReleases {
 public:
  struct Release {
    Time time = 0;
    CallRef call = CallState::none;  ///< held
  };

  LockReleases(const Definitions& definitions, Calls& calls) : definitions_(definitions), calls_(calls) {}

  /// A location has released the lock.
  void released(LocationId l, const RmaLockRef& lock, Time t, CallRef call);
  /// Replaces `latest` by the last release of another process that the location's call waited for, if that is later.
  /// False if it cannot be told which lock it is.
  bool find(LocationId l, const Call& call, RmaLockRef lock, Release& latest);

 private:
  struct LockOfWindow {
    std::uint64_t where = 0, lock = 0;  ///< where: window and process
    bool operator==(const LockOfWindow&) const = default;
    std::uint64_t hash() const { return util::mixed(where, lock); }
  };
  /// The last one, and the last one of another process than that: whoever asks is not kept by its own releases.
  using LastReleases = std::array<Release, 2>;
  struct Releases {
    LastReleases exclusive, shared;
  };
  struct Addresses {  ///< addresses of locks that have one name
    std::uint64_t lock = 0;
    bool seen = false;
  };
  struct Numbers {  ///< numbers of the locks of a window
    std::uint64_t distinct = 0, of_processes = 0;
    /// True if one number stands for several processes; that two agree by chance does not make it so.
    bool shared() const { return 2 * of_processes >= 3 * distinct && of_processes != distinct; }
  };

  static LockOfWindow key(const RmaLockRef& r) { return {std::uint64_t{r.win.value} << 32 | r.target.value, r.lock}; }
  /// Of a lock of SHMEM by its whole number, if `r` is that; see name().
  static constexpr ProcessId by_number{0xfffffffeu};
  ProcessId process(LocationId l) const { return definitions_[l].process; }
  bool name(LocationId l, RmaLockRef& lock);
  bool count_number(LocationId l, const RmaLockRef& lock);
  void keep(RmaLockRef lock, Time t, CallRef call);
  void replace(LastReleases& last, Time t, CallRef call);

  const Definitions& definitions_;
  Calls& calls_;
  util::FlatMap<LockOfWindow, Releases> releases_;
  util::FlatMap<LockOfWindow, Addresses> addresses_;  ///< by window, process and offset in the page
  util::FlatMap<LockOfWindow, bool> ambiguous_;       ///< by window and offset in the page
  util::FlatMap<LockOfWindow, bool> numbers_seen_;    ///< numbers of locks, by window and process, and by window
  util::FlatMap<LockOfWindow, Numbers> numbers_;      ///< by window
};

}  // namespace waitstate::link
