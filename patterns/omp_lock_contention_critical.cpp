// omp_lock_contention_critical: a thread waits at a critical section (or an atomic that takes a lock) for the thread
// that is in it.
//
// severity    min(R, A) - E if > 0; R: last release of the lock by its previous owner; E: enter of the acquiring
//             call, A: when it acquires. Owners are in the order of the recorded acquisition counter
// charged to  the acquiring call and thread; the culprit is the previous owner
// unit        ticks
// state       per lock what has not met yet: an acquisition, or the release before it
// source      Scalasca 2.6
// differs     from Scalasca: never more than the time until the lock is acquired
// diagnosis   do less in the critical section, give unrelated sections different names, or use atomics or a reduction
#include "lock_wait.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class LockContentionCriticalPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"omp_lock_contention_critical", "omp_critical", Unit::seconds, true, "OpenMP critical contention",
                     "Time before critical sections until the previous thread has left them."}},
        .severity =
            "min(R, A) - E; R: last release of the lock by its previous owner; E: enter of the call that acquires "
            "it, A: when it does",
        .charged_to = "the acquiring call and thread",
        .state = "per lock what has not met yet: an acquisition, or the release before it",
        .source = "Scalasca 2.6",
        .differs = "from Scalasca: never more than the time until the lock is acquired",
        .diagnosis =
            "do less in the critical section, give unrelated sections different names, or use atomics or a reduction"};
  }

  void lock_acquired_callback(const LockAcquired& a, Context& context) override {
    add_lock_wait(a, RegionClass::omp_critical, context);
  }
};

}  // namespace

PatternHandle omp_lock_contention_critical() { return make_pattern<LockContentionCriticalPattern>(); }

}  // namespace waitstate::patterns
