// pthread_lock_contention_mutex_lock: a thread waits in pthread_mutex_lock for the thread that holds the mutex.
//
// severity    min(R, A) - E if > 0; R: last release of the lock by its previous owner; E: enter of the acquiring
//             call, A: when it acquires. Owners are in the order of the recorded acquisition counter
// charged to  the acquiring call and thread; the culprit is the previous owner
// unit        ticks
// state       per lock what has not met yet: an acquisition, or the release before it
// source      Scalasca 2.6
// differs     from Scalasca: never more than the time until the lock is acquired
// diagnosis   hold the mutex for less time, or use several for data that are independent
#include "lock_wait.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class MutexLockContentionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"pthread_lock_contention_mutex_lock", "pthread_lock_api", Unit::seconds, true,
                         "POSIX mutex contention",
                         "Time in mutex functions until the previous owner has released the mutex."}},
            .severity =
                "min(R, A) - E; R: last release of the lock by its previous owner; E: enter of the call that acquires "
                "it, A: when it does",
            .charged_to = "the acquiring call and thread",
            .state = "per lock what has not met yet: an acquisition, or the release before it",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: never more than the time until the lock is acquired",
            .diagnosis = "hold the mutex for less time, or use several for data that are independent"};
  }

  void lock_acquired_callback(const LockAcquired& a, Context& context) override {
    add_lock_wait(a, RegionClass::pthread_lock_api, context);
  }
};

}  // namespace

PatternHandle pthread_lock_contention_mutex_lock() { return make_pattern<MutexLockContentionPattern>(); }

}  // namespace waitstate::patterns
