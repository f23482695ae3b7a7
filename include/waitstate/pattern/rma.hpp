// The compound events of one-sided communication (MPI windows, SHMEM), as patterns' callbacks receive them.
//
// An epoch is the time in which a process may access other processes' parts of a window: from a fence to the next one,
// from MPI_Win_start to MPI_Win_complete (for the target: from MPI_Win_post to MPI_Win_wait), from MPI_Win_lock to
// MPI_Win_unlock. Collectives on a window are matched by their number, access and exposure epochs one to one by origin
// and target, first come first served; locks are put in order by the times of their releases. Each kind of event says
// below what it waits for before it is delivered; events that are never complete are counted in Diagnostics.
//
// All views are valid during the callback only, those of EventTrace::epochs() as long as the trace. Times are timer
// ticks.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

/// When a transfer ends (Hermanns, Mohr and Wolf, Euro-Par 2005, section 3: Event-Based Measurement and Analysis of
/// One-Sided Communication).
enum class RmaModel : std::uint8_t {
  automatic,  ///< extended for windows of MPI, basic for all others
  basic,      ///< in the call that starts the transfer
  extended,  ///< in the call that completes it at origin and target: fence, complete, unlock, flush, …; SHMEM: barrier,
             ///< quiet
};

WAITSTATE_ENUM(RmaOperationKind, put, get, atomic);

/// A put, get or atomic operation, delivered when the origin's trace shows that it is complete; see RmaModel. In the
/// extended model this is the call that completes it by the rules of MPI (fence, complete, unlock, flush, or the wait
/// for its request). Operations that are completed by one record, or by the end of one epoch, come in the order in
/// which they were started; operations that nothing completes are not delivered.
struct RmaOperation {
  RmaOperationKind kind{};
  RmaWinId win;
  LocationId origin, target;    ///< target is none if the recorder named a process that the window does not have
  std::uint64_t bytes_put = 0;  ///< from the origin to the target
  std::uint64_t bytes_got = 0;  ///< from the target to the origin
  const Call& call;             ///< the call that started it
  Time start = 0;               ///< time of its record
  const Call& completed;        ///< the call in which it became complete; may be `call`
  Time completion = 0;          ///< time of the record of its completion

  static auto fields(auto& e, auto&& f) {
    return f(Field{"kind", e.kind}, Field{"win", e.win}, Field{"origin", e.origin}, Field{"target", e.target},
             Field{"bytes_put", e.bytes_put}, Field{"bytes_got", e.bytes_got}, Field{"call", e.call},
             Field{"start", e.start}, Field{"completed", e.completed}, Field{"completion", e.completion});
  }
  SourceLocation where() const { return {origin, start}; }
};

/// All accesses of one process to another one's part of a window within an epoch.
struct RmaAccess {
  LocationId origin, target;
  std::uint64_t puts = 0, gets = 0, atomics = 0;       ///< numbers of operations
  std::uint64_t bytes_put = 0, bytes_got = 0;          ///< bytes of all operations
  const Call* last = nullptr;                          ///< the call of the operation that was left last; null if there
                                                       ///< is none
  std::uint32_t origin_member = 0, target_member = 0;  ///< for a collective: indices into its members
  std::uint64_t operations() const { return puts + gets + atomics; }

  static auto fields(auto& e, auto&& f) {
    return f(Field{"origin", e.origin}, Field{"target", e.target}, Field{"puts", e.puts}, Field{"gets", e.gets},
             Field{"atomics", e.atomics}, Field{"bytes_put", e.bytes_put}, Field{"bytes_got", e.bytes_got},
             Field{"last", e.last}, Field{"origin_member", e.origin_member}, Field{"target_member", e.target_member});
  }
};

enum class RmaCollectiveKind : std::uint8_t {
  create,  ///< MPI_Win_create, allocate, …; SHMEM: allocation
  free,    ///< MPI_Win_free; SHMEM: deallocation
  fence,   ///< MPI_Win_fence
  other,   ///< SHMEM: barriers, broadcasts, … as `collective.kind` says
};

/// A collective operation on a window in which all members of the window took part. `collective.comm` is the window's.
struct RmaCollective {
  RmaCollectiveKind kind{};
  RmaWinId win;
  Paradigm paradigm{};  ///< paradigm of the window: mpi, shmem, …
  const Collective& collective;
  /// The accesses since the previous collective on the window, outside of all other epochs, for all members, by origin
  /// and target. For a fence, they are the epoch that it ends.
  std::span<const RmaAccess> accesses;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"kind", e.kind}, Field{"win", e.win}, Field{"paradigm", e.paradigm},
             Field{"collective", e.collective}, Field{"accesses", e.accesses});
  }
  SourceLocation where() const { return collective.where(); }
  std::size_t operation_size() const { return collective.operation_size(); }
};

/// A target of an access epoch.
struct RmaAccessTarget {
  LocationId target;
  const Call& post;  ///< MPI_Win_post of the exposure epoch that this one accesses
  RmaAccess access;  ///< without operations if `operations()` is 0

  static auto fields(auto& e, auto&& f) {
    return f(Field{"target", e.target}, Field{"post", e.post}, Field{"access", e.access});
  }
};
/// An operation within an access epoch.
struct RmaEpochOperation {
  const Call& call;
  std::uint32_t target = 0;  ///< index into RmaAccessEpoch::targets

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"target", e.target}); }
};
/// The accesses of an origin from MPI_Win_start to MPI_Win_complete. Delivered once all targets' posts are known.
struct RmaAccessEpoch {
  RmaWinId win;
  const Call& start;
  const Call& complete;
  std::span<const RmaAccessTarget> targets;  ///< in the order of the group given to MPI_Win_start
  std::span<const RmaEpochOperation> operations;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"win", e.win}, Field{"start", e.start}, Field{"complete", e.complete}, Field{"targets", e.targets},
             Field{"operations", e.operations});
  }
  SourceLocation where() const { return {start.location, start.enter}; }
};

/// An origin of an exposure epoch.
struct RmaExposureOrigin {
  LocationId origin;
  const Call& start;
  const Call& complete;
  RmaAccess access;  ///< accesses to this target

  static auto fields(auto& e, auto&& f) {
    return f(Field{"origin", e.origin}, Field{"start", e.start}, Field{"complete", e.complete},
             Field{"access", e.access});
  }
};
/// The exposure of a target's memory from MPI_Win_post to MPI_Win_wait (or the successful MPI_Win_test). Delivered once
/// all origins' epochs are known.
struct RmaExposureEpoch {
  RmaWinId win;
  const Call& post;
  const Call& wait;
  std::span<const RmaExposureOrigin> origins;  ///< in the order of the group given to MPI_Win_post

  static auto fields(auto& e, auto&& f) {
    return f(Field{"win", e.win}, Field{"post", e.post}, Field{"wait", e.wait}, Field{"origins", e.origins});
  }
  SourceLocation where() const { return {post.location, post.enter}; }
};

/// A lock that was held and released. Delivered in the order of each origin's releases.
struct RmaLockEpoch {
  RmaWinId win;
  LocationId target;  ///< none for all processes of the window (MPI_Win_lock_all), or for a lock of SHMEM
  std::uint64_t lock = 0;
  LockType type{};
  const Call& locked;    ///< the call in which the lock was requested
  const Call& unlocked;  ///< the call in which it was released
  Time release_time = 0;
  std::span<const RmaAccess> accesses;  ///< by target

  static auto fields(auto& e, auto&& f) {
    return f(Field{"win", e.win}, Field{"target", e.target}, Field{"lock", e.lock}, Field{"type", e.type},
             Field{"locked", e.locked}, Field{"unlocked", e.unlocked}, Field{"release_time", e.release_time},
             Field{"accesses", e.accesses});
  }
  SourceLocation where() const { return {locked.location, locked.enter}; }
};

/// A time within a call in which the call's target was outside of MPI and so could make no progress.
struct RmaProgressGap {
  Time begin = 0, end = 0;
  const Call& next;  ///< the next MPI call of the target, entered at `end`; its exit is ~0 if later than that of the
                     ///< call that waited

  static auto fields(auto& e, auto&& f) {
    return f(Field{"begin", e.begin}, Field{"end", e.end}, Field{"next", e.next});
  }
};

/// A call that requests a lock, accesses a window under it, completes such accesses or releases it (SHMEM: only a call
/// that requests one). Delivered in the order of their exits.
struct RmaPassiveCall {
  const Call& call;
  RmaWinId win;
  Paradigm paradigm{};  ///< paradigm of the window
  /// The call that released a conflicting lock of another process while this one was in its call and had not released
  /// its own lock; the last one if there are several, null if there is none. Two shared locks do not conflict.
  const Call* released = nullptr;
  Time release_time = 0;
  /// False if it is not certain which lock this is: in SHMEM, recorders name a lock by its address on each process. It
  /// is then identified by the offset in its page; two locks with one offset can be told apart if addresses are the
  /// same on all processes.
  bool lock_known = true;
  /// MPI: the times in which the targets of the call were outside of MPI, from the enter of the call (or release_time)
  /// on. A target that was in MPI when the call was left had to enter MPI for the last time, too: all its times until
  /// then count. For any other target, only the time until it first entered MPI counts, if it was outside before.
  /// Ascending, without overlaps.
  std::span<const RmaProgressGap> gaps;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"win", e.win}, Field{"paradigm", e.paradigm}, Field{"released", e.released},
             Field{"release_time", e.release_time}, Field{"lock_known", e.lock_known}, Field{"gaps", e.gaps});
  }
  SourceLocation where() const { return {call.location, call.enter}; }
};

/// A process that waited for its memory to be changed (shmem_wait_until) or for a notification.
struct RmaWaitChange {
  const Call& call;
  RmaWinId win;
  /// The operation of another process on this one's memory that was started last before the call was left, if the two
  /// overlap; for a notification the last operation of the process that it came from. Null if there is none.
  const Call* changed = nullptr;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"win", e.win}, Field{"changed", e.changed});
  }
  SourceLocation where() const { return {call.location, call.enter}; }
};

/// Any epoch or operation, as EventTrace::epochs() lists them.
using OneSided = std::variant<RmaCollective, RmaAccessEpoch, RmaExposureEpoch, RmaLockEpoch, RmaOperation>;

RmaWinId window(const OneSided& o);
/// First time in ticks: the first enter of a collective's members, the enter of MPI_Win_start, MPI_Win_post or of the
/// lock, the start of an operation.
Time first_time(const OneSided& o);
/// Last time in ticks: the last exit of a collective's members, the exit of MPI_Win_complete, MPI_Win_wait or of the
/// unlock, the completion of an operation.
Time last_time(const OneSided& o);
/// True if the location took part: as a member of a collective, or as origin or target of an epoch or operation. The
/// targets of a lock of all processes are those that were accessed.
bool takes_part(const OneSided& o, LocationId location);

}  // namespace waitstate
