#include "lock_wait.hpp"

namespace waitstate::patterns {

PatternHandle pthread_lock_contention_mutex_lock() {
  return make_pattern<LockWait>(LockWait::LockKind{
      .region_class = RegionClass::pthread_lock_api,
      .waits_in = {.has = {"_lock", "timedlock", "clocklock", "rdlock", "wrlock"}, .has_not = {"_try"}},
      .metric = {.id = "pthread_lock_contention_mutex_lock",
                 .parent = "pthread_lock_api",
                 .title = "POSIX mutex contention",
                 .summary = "Time in mutex functions until the previous owner has released the mutex.",
                 .kind = MetricKind::wait},
      .diagnosis = "hold the mutex for less time, or use several mutexes for independent data"});
}

}  // namespace waitstate::patterns
