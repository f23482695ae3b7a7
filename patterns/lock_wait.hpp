// The wait for a lock that another thread holds. It is the same for all kinds of locks, which differ in the class of
// the functions that take them.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class LockWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  struct LockKind {
    RegionClass region_class;
    NamesWith waits_in;  ///< the functions of this class that wait for a lock
    MetricSpec metric;
    std::string diagnosis;
  };
  explicit LockWait(LockKind kind) : kind_(std::move(kind)) {}

  PatternInfo info() const override {
    return {.metrics = {kind_.metric},
            .severity =
                "min(R, A) - E if > 0; R: last release of the lock by its previous owner; E: enter of the acquiring "
                "call; A: time at which it acquires the lock. Owners are in the order of the recorded acquisition "
                "counter",
            .charged_to = "the acquiring call and thread; the culprit is the previous owner",
            .state = "for each lock, an acquisition whose preceding release has not been read yet, or the reverse",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: the wait is at most the time until the lock is acquired",
            .diagnosis = kind_.diagnosis};
  }

  // The call path of the previous owner during the wait: the call that released the lock, if it lasted all the time (a
  // critical section), else the one in which it spent most of the time before.
  void lock_acquired_callback(const LockAcquired& a, Context& context) override {
    if (!a.call.region.valid() || context.definitions()[a.call.region].region_class != kind_.region_class) return;
    const Time until = std::min(a.release_time, a.acquire_time);
    if (until <= a.call.enter) return;
    Wait wait = make_wait(a.call, static_cast<Ticks>(until - a.call.enter), a.released);
    if (a.released.enter <= a.call.enter) wait.culprit_callpath = a.released.callpath;
    context.add_wait(wait);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    lock_reasons(e, u, first_metric, kind_.region_class, kind_.waits_in);
  }

 private:
  const LockKind kind_;
};

}  // namespace waitstate::patterns
