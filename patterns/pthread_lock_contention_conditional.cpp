#include "lock_wait.hpp"

namespace waitstate::patterns {

PatternHandle pthread_lock_contention_conditional() {
  return make_pattern<LockWait>(LockWait::LockKind{
      .region_class = RegionClass::pthread_conditional,
      .waits_in = {.has = {"wait"}},
      .metric = {.id = "pthread_lock_contention_conditional",
                 .parent = "pthread_conditional",
                 .title = "POSIX condition contention",
                 .summary = "Time in pthread_cond_wait until the previous owner has released the mutex.",
                 .kind = MetricKind::wait},
      .diagnosis = "signal after the mutex has been released; wake one thread (signal) instead of all (broadcast) if "
                   "one is enough"});
}

}  // namespace waitstate::patterns
