// Single operations, from their start to the record, or the end of their epoch, that completes them.
//
// By the extended model an operation is complete with the first record that says so by its matching id (puts of SHMEM,
// which are complete at the origin at once: with that of the completion at the target); recorders give one id to many
// operations, all of which it then completes. Where there is no such record, the collective, complete or release that
// ends its epoch completes it; outside of MPI also a synchronisation of memory (RmaSync), while MPI_Win_sync completes
// nothing. By the basic model it is complete in its own call, at the record that says so if that lies in the call, else
// when the call is left; without a call, when the record says so. An RmaOpTest is a test that was not successful and so
// tells nothing.
//
// Memory: operations until they are complete. Cost: a hash look-up per start and per completion.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/away/passive_door.hpp"
#include "link/rma/pending_operations.hpp"
#include "replay/chunk/records.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class Operations {
 public:
  struct StartedOperation {
    RmaStart start;  ///< its call is held
    LocationId origin;
    Time time = 0;
    std::uint64_t lock = 0;  ///< number of the lock that it is under
    bool exclusive = false;  ///< true if that lock is exclusive
    bool writes = false;     ///< somebody may poll for it (PassiveTarget::write_started)
  };
  /// Operations of a process on a window that wait for their completion.
  using Pending = PendingOperations<StartedOperation>::Window;

  /// Pending operations beyond this number are taken as never completed.
  static constexpr std::size_t most_pending = std::size_t{1} << 20;

  Operations(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
             PassiveDoor& passive);

  /// True if anybody wants to know when operations, under a lock or not, are complete.
  bool wanted(bool locked) const { return wanted_.operations() || (wanted_.passive() && locked); }
  /// An operation has started.
  void start(Pending& pending, std::uint64_t match, bool locked, const StartedOperation& operation);
  /// A record says by an id that operations are complete. An id that nothing waits for is of one that is complete
  /// already: a second record says that it is so at the target too.
  void complete_matching(Pending& pending, LocationId l, const replay::RmaRecord& r, CallRef call);
  /// Completes what no record has completed, by what ends its epoch: of what was started under a lock, or of what was
  /// not, all on targets for which `which` holds. Gives their number.
  template <class Which>
  std::size_t complete_rest(Pending& pending, LocationId l, const replay::RmaRecord& r, CallRef call, bool locked,
                            Which&& which) {
    std::size_t completed = 0;
    operations_.take_all(
        pending, locked, [&](const StartedOperation& o) { return which(o.start.target); },
        [&](const StartedOperation& o, bool) {
          complete(o, locked, l, r, call);
          calls_.release(o.start.call);
          ++completed;
        });
    return completed;
  }

  bool of_mpi(RmaWinId win) const { return passive_.of_mpi(win); }
  /// A lock's name for PassiveTarget.
  RmaLockRef lock_ref(RmaWinId win, LocationId target, std::uint64_t number, bool exclusive) const {
    return {win, target.valid() ? definitions_[target].process : ProcessId::none(), number, exclusive};
  }

 private:
  bool basic(RmaWinId win) const {
    return wanted_.rma_model == RmaModel::basic || (wanted_.rma_model == RmaModel::automatic && !of_mpi(win));
  }
  /// True if a record that the operation is complete at its origin is not enough.
  bool needs_target(RmaWinId win, RmaOperationKind kind) const {
    return !of_mpi(win) && !basic(win) && kind != RmaOperationKind::get;
  }
  void complete(const StartedOperation& o, bool locked, LocationId l, const replay::RmaRecord& r, CallRef call);
  void deliver(const StartedOperation& o, RmaWinId win, CallRef call, Time t);
  void forget(Pending& pending);

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  PassiveDoor& passive_;
  const Wanted wanted_;
  PendingOperations<StartedOperation> operations_;
};

}  // namespace waitstate::link
