// One-sided communication of MPI on an ideal machine: which records are steps of their locations. Puts and gets take no
// time, and nobody waits for a target that computes.
//
// A step stands only where linking will tell what it needs, so what linking takes for an epoch or a lock is followed
// here: whether an epoch is open, which locks a process has. A lock is waited for in MPI_Win_lock or, if other calls
// waited for it, in MPI_Win_unlock, each at its exit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "causes/ideal/epochs.hpp"
#include "causes/ideal/windows.hpp"
#include "replay/chunk/step_record.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::causes {

class IdealOneSided {
 public:
  IdealOneSided(const Definitions& definitions, const IdealWindows& windows, IdealClocks& clocks)
      : definitions_(definitions), windows_(windows), epochs_(clocks) {}

  /// True of an operation on a window that its members meet in.
  bool meets(const replay::StepRecord& window) const;
  // Each does what the record gives to others, and pushes the step that it is.
  void call(LocationId l, const replay::StepRecord& r) {
    calls_[l] = {r.other, RegionId{r.on}, static_cast<std::uint16_t>(r.number)};
  }
  void sync(LocationId l, const replay::StepRecord& r, IdealClocks& clocks);
  void lock(LocationId l, const replay::StepRecord& r);
  void exit_lock(LocationId l, const replay::StepRecord& r, IdealClocks& clocks);

  IdealEpochs& epochs() { return epochs_; }
  const IdealEpochs& epochs() const { return epochs_; }
  /// Epochs of which the trace does not tell which functions opened and closed them.
  std::int64_t without_function() const { return without_function_; }

 private:
  struct OpenCall {
    Time enter = 0;
    RegionId region{};
    std::uint16_t number = 0;  ///< as in Call
  };
  struct Lock {
    std::uint64_t target, number;
    LocationId location;
    Time enter;  ///< enter of the call that asks for it
    bool is_acquired;
  };
  /// The epochs and locks that a process has on a window.
  struct State {
    bool access = false, exposure = false;
    std::vector<Lock> locks{};
  };
  struct LockCall {
    Time enter = 0;
    std::uint16_t number = 0;  ///< as in Call
    CallPathId callpath{};
    bool unlocks = false, releases = false;
    Time release_time = 0;
  };
  static constexpr std::size_t most_locks = std::size_t{1} << 14;

  State& state(LocationId l, const replay::StepRecord& r) {
    return states_[std::uint64_t{definitions_[l].process.value} << 32 | r.on];
  }

  const Definitions& definitions_;
  const IdealWindows& windows_;
  IdealEpochs epochs_;
  std::unordered_map<LocationId, OpenCall> calls_;       ///< the call that the next record lies in
  std::unordered_map<std::uint64_t, State> states_;      ///< by process and window
  std::unordered_map<LocationId, LockCall> lock_calls_;  ///< calls that are open
  std::int64_t without_function_ = 0;
};

}  // namespace waitstate::causes
