#include "library_account.hpp"

namespace waitstate::patterns {

PatternHandle threads_accounted() {
  return make_pattern<LibraryAccount>(LibraryAccount::Library{
      .times = {"omp_time", "pthread_time"},
      .management = {RegionClass::omp_management, RegionClass::pthread_management},
      .id = "threads_accounted",
      .title = "Thread libraries accounted for",
      .prefix = "threads_accounted",
      .calls = "OpenMP and POSIX threads",
      .needs = {"omp_ebarrier_wait", "omp_ibarrier_wait", "omp_lock_contention_critical", "omp_lock_contention_api",
                "pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional", "omp_task_starvation"}});
}

}  // namespace waitstate::patterns
