#include "lock_wait.hpp"

namespace waitstate::patterns {

PatternHandle omp_lock_contention_critical() {
  return make_pattern<LockWait>(LockWait::LockKind{
      .region_class = RegionClass::omp_critical,
      .waits_in = {.has_not = {"atomic"}},
      .metric = {.id = "omp_lock_contention_critical",
                 .parent = "omp_critical",
                 .title = "OpenMP critical contention",
                 .summary = "Time before critical sections until the previous thread has left them.",
                 .kind = MetricKind::wait},
      .diagnosis =
          "do less in the critical section, give unrelated sections different names, or use atomics or a reduction"});
}

}  // namespace waitstate::patterns
