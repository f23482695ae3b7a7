// One-sided communication of MPI on an ideal machine, in the one stream: which records are steps of their locations,
// and what the epochs say of them. Puts and gets take no time, and nobody waits for a target that computes.
//
// A step stands only where linking will tell what it needs, so what linking takes for an epoch or a lock is followed
// here: whether an epoch is open, which locks a process has. A lock is waited for in MPI_Win_lock or, if other calls
// waited for it, in MPI_Win_unlock, each at its exit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/epochs.hpp"
#include "causes/ideal/operations.hpp"
#include "merge/event_store.hpp"
#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::causes {

class IdealOneSided {
 public:
  /// Called with a step of the record's location.
  using PushStep = std::function<void(IdealStep::Kind, std::uint32_t)>;

  /// `events`: of the one stream; looked at while records and exits are told.
  IdealOneSided(const Definitions& definitions, const merge::EventStore& events, IdealClocks& clocks,
                IdealOperations& operations);

  // ---- records ----

  /// Pushes each step. True if the exit of the record's call may be one.
  bool record(const Event& e, const PushStep& push);
  /// The exit of a call that record() said so of; false if it is the exit of another one.
  bool exit(const Event& e, const PushStep& push);

  // ---- epochs ----

  bool meets(RmaWinId win) const { return win.index() < windows_.size() && windows_[win.index()].meets; }

  void access(const RmaAccessEpoch& e);
  void exposure(const RmaExposureEpoch& e);
  void passive(const RmaPassiveCall& r);

  IdealEpochs& epochs() { return epochs_; }
  const IdealEpochs& epochs() const { return epochs_; }
  bool has_windows() const;
  /// Epochs of which the trace does not tell which functions opened and closed them.
  std::int64_t without_function() const { return without_function_; }

 private:
  struct Window {
    bool of_mpi, meets;  ///< meets: it has several members
  };
  struct Lock {
    std::uint64_t target, number;
    waitstate::Position call;
    bool is_acquired;
  };
  /// The epochs and locks that a process has on a window.
  struct State {
    bool access = false, exposure = false;
    std::vector<Lock> locks{};
  };
  struct LockCall {
    waitstate::Position pos = waitstate::no_position;
    Time enter = 0;
    bool unlocks = false, releases = false;
    Time release_time = 0;
  };
  static constexpr std::size_t most_locks = std::size_t{1} << 14;

  bool of_mpi(RmaWinId win) const { return win.index() < windows_.size() && windows_[win.index()].of_mpi; }
  static bool is(const std::vector<bool>& regions, const Call& call);
  static bool is_of_window(CollectiveOp op);
  State& state(const Event& e, RmaWinId win);

  void group_sync(const Event& e, RmaWinId win, const PushStep& push);
  bool lock(const Event& e, RmaWinId win);

  const Definitions& definitions_;
  const merge::EventStore& events_;
  IdealOperations& operations_;
  IdealEpochs epochs_;
  std::vector<Window> windows_;
  std::vector<bool> unlocks_, locks_;                    ///< by region: true for calls that unlock; that lock or unlock
  std::unordered_map<std::uint64_t, State> states_;      ///< by process and window
  std::unordered_map<LocationId, LockCall> lock_calls_;  ///< calls that are open
  std::int64_t without_function_ = 0;
};

}  // namespace waitstate::causes
