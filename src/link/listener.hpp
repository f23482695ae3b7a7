// What linking tells whoever analyses: the compound events.
#pragma once

#include "replay/chunk.hpp"
#include "waitstate/collective.hpp"
#include "waitstate/device.hpp"
#include "waitstate/message.hpp"
#include "waitstate/rma.hpp"
#include "waitstate/team.hpp"

namespace waitstate::link {

/// A worker's part in a parallel region, in which it was from `enter` to `exit`. Without a join in the trace `join` is
/// `exit`.
struct ParallelRegion {
  LocationId location;
  CallPathId callpath;
  Time fork = 0, enter = 0, exit = 0, join = 0;
};

/// Receives the compound events, from one thread at a time.
class Listener {
 public:
  virtual ~Listener() = default;
  /// What of messages somebody wants to see. Messages are matched all the same.
  struct MessageInterests {
    bool receives = true, sends = true;
    bool late_receives_only = false;  ///< of sends only calls during which one of the receives was posted
    bool watermarks = false;          ///< watermark()
  };
  virtual MessageInterests message_interests() const { return {}; }
  /// `call` is a number of the call. If sends complete in it too, completed_sends() follows, with the same number.
  virtual void completed_receives(const CompletedReceives& receives, std::uint32_t call, bool sends_follow) {
    static_cast<void>(receives), static_cast<void>(call), static_cast<void>(sends_follow);
  }
  /// Whatever is asked for, if it was scanned by completed_receives(); without messages only then.
  virtual void completed_sends(const CompletedSends& sends, std::uint32_t call) {
    static_cast<void>(sends), static_cast<void>(call);
  }
  /// No message to the process - the one behind the last stands for all that belong to none - that is delivered from
  /// now on was sent before `bound`.
  virtual void watermark(ProcessId receiver, Time bound) { static_cast<void>(receiver), static_cast<void>(bound); }
  virtual void collective(const Collective&) {}
  virtual void completed_collectives(const CompletedCollectives&) {}
  /// A non-blocking collective has completed, by whatever call: what `started` moved.
  virtual void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                                      std::uint64_t bytes_received) {
    static_cast<void>(started), static_cast<void>(op), static_cast<void>(bytes_sent), static_cast<void>(bytes_received);
  }
  virtual void team_barrier(const TeamBarrier&) {}
  /// True if task_idle() is wanted.
  virtual bool watches_task_idle() const { return false; }
  virtual void task_idle(const TaskIdle&) {}
  virtual void lock_acquired(const LockAcquired&) {}
  virtual void unused_threads(const UnusedThreads&) {}
  /// What of one-sided communication somebody wants to see; nothing else is matched.
  struct RmaInterests {
    bool operations = false, epochs = false;  ///< epochs: collectives, access, exposure and lock epochs
    bool passive = false;                     ///< passive calls and waits for changes
    RmaModel model = RmaModel::automatic;     ///< of operations
    bool any() const { return operations || epochs || passive; }
  };
  virtual RmaInterests rma_interests() const { return {}; }
  /// An operation was started; all of them, complete or not, whatever the interests.
  virtual void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) {
    static_cast<void>(call), static_cast<void>(kind), static_cast<void>(bytes_put), static_cast<void>(bytes_got);
  }
  virtual void rma_operation(const RmaOperation&) {}
  virtual void rma_collective(const RmaCollective&) {}
  virtual void rma_access_epoch(const RmaAccessEpoch&) {}
  virtual void rma_exposure_epoch(const RmaExposureEpoch&) {}
  virtual void rma_lock_epoch(const RmaLockEpoch&) {}
  virtual void rma_passive_call(const RmaPassiveCall&) {}
  virtual void rma_wait_change(const RmaWaitChange&) {}
  /// True if device_wait() is wanted.
  virtual bool watches_devices() const { return false; }
  virtual void device_wait(const DeviceWait&) {}
  virtual void parallel_region(const ParallelRegion&) {}
  /// What a worker counted in a call path of a team, to be added to what is known of that call path already.
  virtual void profile(LocationId, CallPathId, const replay::Profile&) {}
  /// The same of a counter's values; PathCounter::callpath is the location's own number and of no use here.
  virtual void counter(CallPathId, const replay::PathCounter&) {}
};

}  // namespace waitstate::link
