// One-sided communication: takes the records of each process in their order and gives them to who can tell what they
// mean to others: collectives on windows (window_collectives.hpp), access and exposure epochs (epochs.hpp), locks and
// progress (passive_target.hpp). What one process alone can tell is done here: which epoch an operation belongs to, its
// completion, and lock epochs.
//
// An operation belongs to the lock that the process holds on its target (or on all), else to the access epoch that
// names the target, else to the epoch between two collectives on the window. By the extended model it is complete with
// the first record that says so by its matching id (puts of SHMEM, which are complete at the origin at once: with that
// of the completion at the target); recorders give one id to many operations, all of which it then completes. Where
// there is no such record, the collective, complete or release that ends its epoch completes it; outside of MPI also a
// synchronisation of memory (RmaSync), while MPI_Win_sync completes nothing. By the basic model it is complete in its
// own call, at the record that says so if that lies in the call, else when the call is left; without a call, when the
// record says so. An RmaOpTest is a test that was not successful and so tells nothing; an RmaTryLock is an attempt that
// failed and takes back the request of its call.
//
// Cost: a hash lookup per record; nothing at all in traces without windows, and only what somebody wants is done.
// Memory: open epochs, and of operations in them one entry a target; every single operation only of access epochs, of
// locks, or where operations are wanted, until it is complete.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/epochs.hpp"
#include "link/rma/group_sync.hpp"
#include "link/rma/groups.hpp"
#include "link/rma/passive_target.hpp"
#include "link/rma/pending_operations.hpp"
#include "link/rma/read_progress.hpp"
#include "link/rma/window_collectives.hpp"
#include "replay/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/pool.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"

namespace waitstate::link {

class Rma {
 public:
  Rma(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener);

  /// True if chunks have to bring library_enters and library_exits.
  bool wants_library_calls() const { return wanted_.passive(); }
  /// `calls`: numbers of the chunk's calls. `library_enters`: those of the chunk, filled in.
  void process(const replay::Chunk& chunk, std::span<const std::uint32_t> calls, std::span<const Call> library_enters);
  void end_process(ProcessId process);
  void finish();

 private:
  static constexpr std::uint32_t none = CallState::none;
  /// Operations of a process on a window that may wait for their completion; more are taken as never completed.
  static constexpr std::size_t most_pending = std::size_t{1} << 20;
  /// Locks of a process on a window; of more the oldest are taken as never released.
  static constexpr std::size_t most_locks = std::size_t{1} << 14;

  struct Lock {
    LocationId target;  ///< none: all
    std::uint64_t number = 0;
    LockType type{};
    bool acquired = false;      ///< by a record of its own
    std::uint32_t call = none;  ///< held
    RmaAccesses accesses;
  };
  struct Pending {
    RmaStart start;  ///< its call is held
    LocationId origin;
    Time time = 0;
    std::uint64_t lock = 0;  ///< number of the lock that it is under
    bool exclusive = false;
  };
  /// What a process does with a window.
  struct WindowState {
    RmaAccesses accesses;                          ///< since the last collective, outside of all other epochs
    std::uint32_t access = none, exposure = none;  ///< that are open
    RmaUnnamed unnamed;                            ///< its calls are held
    std::vector<Lock> locks;
    RmaPending<Pending>::Window pending;
  };
  struct WindowKey {
    std::uint32_t win = 0, process = 0;
    bool operator==(const WindowKey&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t h = (std::uint64_t{win} << 32 | process) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
  };
  struct Waiting {
    replay::RmaRecord record;
    std::uint32_t call;  ///< held
  };

  // One record after the other is of the same process and, mostly, window.
  WindowState& window(LocationId l, RmaWinId win) {
    const WindowKey key{win.value, definitions_[l].process.value};
    if (latest_ != nullptr && key == latest_key_) return *latest_;
    latest_key_ = key;
    return *(latest_ = &windows_.find_or_insert(key));
  }
  bool of_mpi(RmaWinId win) const { return of_mpi_[win.index()]; }
  bool basic(RmaWinId win) const {
    return wanted_.rma_model == RmaModel::basic || (wanted_.rma_model == RmaModel::automatic && !of_mpi(win));
  }
  /// True if a record that the operation is complete at its origin is not enough.
  bool needs_target(RmaWinId win, RmaOperationKind kind) const {
    return !of_mpi(win) && !basic(win) && kind != RmaOperationKind::get;
  }
  RmaLockRef lock_ref(RmaWinId win, LocationId target, std::uint64_t number, bool exclusive) const;
  void record_in_time_order(const std::vector<LocationId>& threads);
  void record(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void collective(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void group_sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void unnamed_group_sync(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void start_access(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call);
  void post_exposure(WindowState& w, LocationId l, RmaWinId win, GroupId group, std::uint32_t call);
  void ask_for_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void try_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void release_lock(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void forget_lock(WindowState& w, std::vector<Lock>::iterator lock);
  void sync(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void unplaced(LocationId l, const replay::RmaRecord& r);

  // operations.cpp
  void start(LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void complete_matching(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  /// Completes what no record has completed, by what ends its epoch: what was started under a lock or what was not.
  template <class Which>
  std::size_t complete_rest(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call, bool locked,
                            Which&& which);
  void complete(const Pending& p, bool locked, LocationId l, const replay::RmaRecord& r, std::uint32_t call);
  void deliver(const Pending& p, RmaWinId win, std::uint32_t call, Time t);
  void forget_pending(WindowState& w);

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const Wanted wanted_;
  std::vector<bool> of_mpi_;  ///< by window
  RmaReading reading_;
  RmaGroups groups_;
  std::vector<std::deque<Waiting>>
      waiting_;  ///< by location: records of a process with several threads, not in order yet
  util::FlatMap<WindowKey, WindowState> windows_;  ///< looked into by window() alone
  WindowKey latest_key_;                           ///< that window() was asked for
  WindowState* latest_ = nullptr;                  ///< null: look it up
  RmaPending<Pending> pending_;
  RmaCollectives collectives_;
  RmaEpochs epochs_;
  RmaPassive passive_;
  std::vector<RmaAccess> accesses_view_;  ///< scratch of release_lock()
};

template <class Which>
std::size_t Rma::complete_rest(WindowState& w, LocationId l, const replay::RmaRecord& r, std::uint32_t call,
                               bool locked, Which&& which) {
  std::size_t completed = 0;
  pending_.take_all(
      w.pending, locked, [&](const Pending& p) { return which(p.start.target); },
      [&](const Pending& p, bool) {
        complete(p, locked, l, r, call);
        calls_.drop(p.start.call);
        ++completed;
      });
  return completed;
}

}  // namespace waitstate::link
