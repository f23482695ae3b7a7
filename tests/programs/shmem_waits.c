/* OpenSHMEM wait states with chosen delays, one a function, for four processing elements. Usage: shmem_waits REPEATS USEC */
#include <shmem.h>
#include <stdlib.h>
#include <time.h>

static int me, n;
static long cell[1024], source[1024], flag, flags, lock_a, lock_b;
static long sync_array[SHMEM_REDUCE_SYNC_SIZE > SHMEM_COLLECT_SYNC_SIZE ? SHMEM_REDUCE_SYNC_SIZE : SHMEM_COLLECT_SYNC_SIZE];
static long work_array[SHMEM_REDUCE_MIN_WRKDATA_SIZE > 128 ? SHMEM_REDUCE_MIN_WRKDATA_SIZE : 128];

static void nap(long us) {
  struct timespec t = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&t, 0);
}

/* PE p comes after p x USEC. */
static void barrier(long us) { nap(us * me); shmem_barrier_all(); }
/* The root comes after USEC, PE 3 even later: it does not wait. */
static void broadcast(long us) {
  nap(me == 0 ? us : me == 3 ? 2 * us : 0);
  shmem_broadcast64(cell, source, 64, 0, 0, 0, n, sync_array);
}
/* PE 2 is late, all others wait. */
static void collect(long us) {
  nap(me == 2 ? us : 0);
  shmem_fcollect64(cell, source, 16, 0, 0, n, sync_array);
}
static void reduce(long us) {
  nap(me == 1 ? us : 0);
  shmem_long_sum_to_all(cell, source, 16, 0, 0, n, work_array, sync_array);
}
/* PE 0 is busy and then writes the flag that the others wait for. */
static void wait_for_flag(long us) {
  ++flags;
  if (me == 0) {
    nap(us);
    for (int pe = 1; pe < n; ++pe) shmem_long_p(&flag, flags, pe);
  } else {
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, flags);
  }
}
/* The lock is asked for a quarter of USEC apart and held for USEC. */
static void lock(long us) {
  nap(us / 4 * me);
  shmem_set_lock(&lock_a);
  nap(us);
  shmem_clear_lock(&lock_a);
}
/* PEs 0 and 1 use one lock at different times, PEs 2 and 3 another one: no wait. */
static void free_locks(long us) {
  long* const l = me < 2 ? &lock_a : &lock_b;
  nap(me % 2 == 0 ? 0 : 2 * us);
  shmem_set_lock(l);
  nap(us);
  shmem_clear_lock(l);
}
/* Transfers that make nobody wait. */
static void transfers(long us) {
  shmem_long_put(cell, source, 128, (me + 1) % n);
  shmem_long_get(source, cell, 64, (me + n - 1) % n);
  shmem_long_atomic_fetch_add(&cell[1000], 1, 0);
  nap(us / 4);
}

int main(int argc, char** argv) {
  static void (*const situations[])(long) = {barrier,       broadcast, collect,    reduce,
                                             wait_for_flag, lock,      free_locks, transfers};
  for (unsigned i = 0; i < sizeof sync_array / sizeof *sync_array; ++i) sync_array[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  const long us = argc > 2 ? atol(argv[2]) : 20000;
  for (unsigned k = 0; k < sizeof situations / sizeof *situations; ++k)
    for (int i = 0; i < repeats; ++i) {
      situations[k](us);
      shmem_barrier_all();
    }
  shmem_finalize();
  return 0;
}
