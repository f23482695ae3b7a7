/* The same three wait states on windows of all kinds: allocated, on sub-communicators; shared memory; dynamic. For four
   processes. Usage: rma_windows REPEATS USEC */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "../../include/waitstate/record.h"

enum { length = 512 };

static MPI_Comm comm;
static MPI_Win w;
static int rank, size;
static MPI_Aint base[4]; /* of each process's part: not 0 in dynamic windows */
static double data[8];

static void nap(long us) {
  struct timespec t = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&t, 0);
}
static MPI_Group group_of(int member) {
  MPI_Group all, g;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, 1, &member, &g);
  MPI_Group_free(&all);
  return g;
}
static void put(int target) {
  MPI_Put(data, 8, MPI_DOUBLE, target, base[target] + (base[target] == 0 ? 8 : 64) * rank, 8, MPI_DOUBLE, w);
}

/* The last process is USEC late, all others wait for it in the fence. */
static void late_fence(long us) {
  MPI_Win_fence(0, w);
  put((rank + 1) % size);
  if (rank == size - 1) nap(us);
  MPI_Win_fence(0, w);
}
/* The first process accesses the second one, which posts USEC late. */
static void late_post(long us) {
  if (rank > 1) return;
  MPI_Group other = group_of(1 - rank);
  if (rank == 0) {
    MPI_Win_start(other, 0, w);
    put(1);
    MPI_Win_complete(w);
  } else {
    nap(us);
    MPI_Win_post(other, 0, w);
    MPI_Win_wait(w);
  }
  MPI_Group_free(&other);
}
/* The first process has the last one's part for itself for USEC; the second one wants it from a quarter of that on. */
static void lock_competition(long us) {
  if (rank > 1) return;
  nap(rank == 1 ? us / 4 : 0);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, w);
  put(size - 1);
  if (rank == 0) {
    MPI_Win_flush(size - 1, w);
    nap(us);
  }
  MPI_Win_unlock(size - 1, w);
}

static void in_region(const char* name, void (*run)(long), int repeats, long us) {
  for (int i = 0; i < repeats; ++i) {
    ws_region_begin(name);
    run(us);
    ws_region_end();
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
static void all_on(const char* kind, int repeats, long us) {
  ws_region_begin(kind);
  in_region("late_fence", late_fence, repeats, us);
  in_region("late_post", late_post, repeats, us);
  in_region("lock_competition", lock_competition, repeats, us);
  MPI_Win_free(&w);
  ws_region_end();
  for (int i = 0; i < 4; ++i) base[i] = 0;
}

int main(int argc, char** argv) {
  double* m;
  int world;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  const long us = argc > 2 ? atol(argv[2]) : 20000;
  ws_region_begin("main");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_Comm_split(MPI_COMM_WORLD, world % 2, world, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int half = 0; half < 2; ++half) { /* one after the other: some MPI libraries name both alike for a moment */
    if (world % 2 == half) MPI_Win_allocate(length * 8, 8, MPI_INFO_NULL, comm, &m, &w);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  all_on("halves", repeats, us);
  MPI_Comm_free(&comm);

  comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Win_allocate_shared(length * 8, 8, MPI_INFO_NULL, comm, &m, &w);
  all_on("shared_memory", repeats, us);

  static double memory[length];
  MPI_Aint own;
  MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &w);
  MPI_Win_attach(w, memory, sizeof memory);
  MPI_Get_address(memory, &own);
  MPI_Allgather(&own, 1, MPI_AINT, base, 1, MPI_AINT, comm);
  all_on("dynamic", repeats, us);

  ws_region_end();
  MPI_Finalize();
  return 0;
}
