// Finds out what a wait waited for - the message, the operation, the lock, and the culprit's call - in the compound
// event that patterns receive when they add the wait. Only the few most severe waits are looked up, so nothing is kept
// of the others; if the event does not contain the wait (patterns may judge later), nothing is found.
#pragma once

#include "analysis/metrics/wait_statistics.hpp"
#include "waitstate/pattern/compound_events.hpp"

namespace waitstate::analysis {

bool cause_in(const CompletedReceives& e, const Wait& wait, WaitCause& cause);
bool cause_in(const CompletedSends& e, const Wait& wait, WaitCause& cause);
bool cause_in(const Overtaken& e, const Wait& wait, WaitCause& cause);
bool cause_in(const Collective& e, const Wait& wait, WaitCause& cause);
bool cause_in(const CompletedCollectives& e, const Wait& wait, WaitCause& cause);
bool cause_in(const TeamBarrier& e, const Wait& wait, WaitCause& cause);
bool cause_in(const TaskIdle& e, const Wait& wait, WaitCause& cause);
bool cause_in(const DeviceWait& e, const Wait& wait, WaitCause& cause);
bool cause_in(const LockAcquired& e, const Wait& wait, WaitCause& cause);
bool cause_in(const RmaCollective& e, const Wait& wait, WaitCause& cause);
bool cause_in(const RmaAccessEpoch& e, const Wait& wait, WaitCause& cause);
bool cause_in(const RmaExposureEpoch& e, const Wait& wait, WaitCause& cause);
bool cause_in(const RmaPassiveCall& e, const Wait& wait, WaitCause& cause);
bool cause_in(const RmaWaitChange& e, const Wait& wait, WaitCause& cause);

class WaitCauses final : public CauseFinder {
 public:
  /// Sets the event that patterns receive from now on; it must live until another one, or none, replaces it.
  template <class E>
  void about(const E& event) {
    event_ = &event;
    find_ = &find_in<E>;
  }
  void about_nothing() { event_ = nullptr; }
  bool find(const Wait& wait, WaitCause& cause) const override {
    return event_ != nullptr && find_(event_, wait, cause);
  }

 private:
  template <class E>
  static bool find_in(const void* event, const Wait& wait, WaitCause& cause) {
    if constexpr (requires(const E& e) { cause_in(e, wait, cause); })
      return cause_in(*static_cast<const E*>(event), wait, cause);
    else
      return false;
  }

  const void* event_ = nullptr;
  bool (*find_)(const void* event, const Wait& wait, WaitCause& cause) = nullptr;
};

}  // namespace waitstate::analysis
