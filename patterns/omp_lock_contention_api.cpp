// omp_lock_contention_api: a thread waits in omp_set_lock for the thread that holds the lock.
//
// severity    min(R, A) - E if > 0; R: last release of the lock by its previous owner; E: enter of the acquiring
//             call, A: when it acquires. Owners are in the order of the recorded acquisition counter
// charged to  the acquiring call and thread; the culprit is the previous owner
// unit        ticks
// state       per lock what has not met yet: an acquisition, or the release before it
// source      Scalasca 2.6
// differs     from Scalasca: never more than the time until the lock is acquired
// diagnosis   hold the lock for less time, or use several locks for data that are independent
#include "lock_wait.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class LockContentionApiPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"omp_lock_contention_api", "omp_lock_api", Unit::seconds, true, "OpenMP lock contention",
                         "Time in lock functions until the previous owner has released the lock."}},
            .severity =
                "min(R, A) - E; R: last release of the lock by its previous owner; E: enter of the call that acquires "
                "it, A: when it does",
            .charged_to = "the acquiring call and thread",
            .state = "per lock what has not met yet: an acquisition, or the release before it",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: never more than the time until the lock is acquired",
            .diagnosis = "hold the lock for less time, or use several locks for data that are independent"};
  }

  void lock_acquired_callback(const LockAcquired& a, Context& context) override {
    add_lock_wait(a, RegionClass::omp_lock_api, context);
  }
};

}  // namespace

PatternHandle omp_lock_contention_api() { return make_pattern<LockContentionApiPattern>(); }

}  // namespace waitstate::patterns
