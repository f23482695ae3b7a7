/* Operations that wait themselves, where the MPI library sends long messages and needs the target for them: for its
   post, for its lock, for it to be in a call of MPI at all. For four processes. Usage: rma_blocking REPEATS USEC */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "../../include/waitstate/record.h"

enum { length = 1 << 17 }; /* doubles: far more than is sent before the target has answered */

static MPI_Win w;
static int rank;
static double* data;

static void nap(long us) {
  struct timespec t = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&t, 0);
}
static void put(int target, int n) { MPI_Put(data, n, MPI_DOUBLE, target, 0, n, MPI_DOUBLE, w); }

/* Rank 0 accesses rank 1. */
static void access_after(long origin_us, long target_us) {
  if (rank > 1) return;
  MPI_Group all, other;
  const int member = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &member, &other);
  if (rank == 0) {
    nap(origin_us);
    MPI_Win_start(other, 0, w);
    put(1, length);
    MPI_Win_complete(w);
  } else {
    nap(target_us);
    MPI_Win_post(other, 0, w);
    MPI_Win_wait(w);
  }
  MPI_Group_free(&other);
  MPI_Group_free(&all);
}
static void late_post(long us) { access_after(0, us); }
static void early_post(long us) { access_after(us, 0); }
/* Rank 0 has rank 3's part locked for USEC; rank 1 wants it from a quarter of that on. */
static void lock(int type, long us) {
  if (rank > 1) return;
  nap(rank == 1 ? us / 4 : 0);
  MPI_Win_lock(type, 3, 0, w);
  put(3, rank == 0 ? 8 : length);
  if (rank == 0) {
    MPI_Win_flush(3, w);
    nap(us);
  }
  MPI_Win_unlock(3, w);
}
static void lock_competition(long us) { lock(MPI_LOCK_EXCLUSIVE, us); }
static void shared_locks(long us) { lock(MPI_LOCK_SHARED, us); }
/* Rank 3 is busy outside of MPI for USEC; rank 2 writes to it from a quarter of that on. */
static void busy_target(long us) {
  if (rank == 3) nap(us);
  if (rank != 2) return;
  nap(us / 4);
  MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, w);
  put(3, length);
  MPI_Win_unlock(3, w);
}

static void in_region(const char* name, void (*run)(long), int repeats, long us) {
  for (int i = 0; i < repeats; ++i) {
    ws_region_begin(name);
    run(us);
    ws_region_end();
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  const long us = argc > 2 ? atol(argv[2]) : 20000;
  double* memory;
  data = calloc(length, sizeof *data);
  ws_region_begin("main");
  MPI_Win_allocate(length * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);
  MPI_Barrier(MPI_COMM_WORLD);
  in_region("late_post", late_post, repeats, us);
  in_region("early_post", early_post, repeats, us);
  in_region("lock_competition", lock_competition, repeats, us);
  in_region("shared_locks", shared_locks, repeats, us);
  in_region("busy_target", busy_target, repeats, us);
  MPI_Win_free(&w);
  ws_region_end();
  free(data);
  MPI_Finalize();
  return 0;
}
