#include "library_account.hpp"

namespace waitstate::patterns {

PatternHandle shmem_accounted() {
  return make_pattern<LibraryAccount>(
      LibraryAccount::Library{.times = {"shmem_time"},
                              .management = {RegionClass::shmem_init_exit, RegionClass::shmem_memory_management},
                              .id = "shmem_accounted",
                              .title = "SHMEM accounted for",
                              .prefix = "shmem_accounted",
                              .calls = "functions of SHMEM",
                              .needs = {"shmem_barrier_wait", "shmem_latebroadcast", "shmem_wait_nxn",
                                        "shmem_lock_completion", "shmem_wait_until"}});
}

}  // namespace waitstate::patterns
