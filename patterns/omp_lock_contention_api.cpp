#include "lock_wait.hpp"

namespace waitstate::patterns {

PatternHandle omp_lock_contention_api() {
  return make_pattern<LockWait>(
      LockWait::LockKind{.region_class = RegionClass::omp_lock_api,
                         .waits_in = {.has = {"set_"}, .has_not = {"unset_"}},
                         .metric = {.id = "omp_lock_contention_api",
                                    .parent = "omp_lock_api",
                                    .title = "OpenMP lock contention",
                                    .summary = "Time in lock functions until the previous owner has released the lock.",
                                    .kind = MetricKind::wait},
                         .diagnosis = "hold the lock for less time, or use several locks for independent data"});
}

}  // namespace waitstate::patterns
