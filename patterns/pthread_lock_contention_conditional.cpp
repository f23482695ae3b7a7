// pthread_lock_contention_conditional: a thread that waits for a condition gets the mutex back from another thread.
//
// severity    min(R, A) - E if > 0; R: last release of the lock by its previous owner; E: enter of the acquiring
//             call, A: when it acquires. Owners are in the order of the recorded acquisition counter
// charged to  the acquiring call and thread; the culprit is the previous owner
// unit        ticks
// state       per lock what has not met yet: an acquisition, or the release before it
// source      Scalasca 2.6
// differs     from Scalasca: never more than the time until the lock is acquired
// diagnosis   signal after the mutex has been released; wake one thread (signal) and not all (broadcast) where one is
// enough
#include "lock_wait.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class ConditionLockContentionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"pthread_lock_contention_conditional", "pthread_conditional", Unit::seconds, true,
                         "POSIX condition contention",
                         "Time in pthread_cond_wait until the previous owner has released the mutex."}},
            .severity =
                "min(R, A) - E; R: last release of the lock by its previous owner; E: enter of the call that acquires "
                "it, A: when it does",
            .charged_to = "the acquiring call and thread",
            .state = "per lock what has not met yet: an acquisition, or the release before it",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: never more than the time until the lock is acquired",
            .diagnosis =
                "signal after the mutex has been released; wake one thread (signal) and not all (broadcast) where one "
                "is enough"};
  }

  void lock_acquired_callback(const LockAcquired& a, Context& context) override {
    add_lock_wait(a, RegionClass::pthread_conditional, context);
  }
};

}  // namespace

PatternHandle pthread_lock_contention_conditional() { return make_pattern<ConditionLockContentionPattern>(); }

}  // namespace waitstate::patterns
