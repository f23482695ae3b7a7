/* More one-sided wait states with chosen delays, for four processes. Usage: rma_waits REPEATS USEC */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "../../include/waitstate/record.h"

static int rank, size;
static double a[4096], b[4096];
static MPI_Win w;

static void nap(long us) {
  struct timespec t = {us / 1000000, (us % 1000000) * 1000};
  if (us > 0) nanosleep(&t, 0);
}
static MPI_Group group_of(int n, const int* ranks) {
  MPI_Group world, g;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, n, ranks, &g);
  MPI_Group_free(&world);
  return g;
}
static void put(int target) { MPI_Put(a, 64, MPI_DOUBLE, target, 64 * rank, 64, MPI_DOUBLE, w); }

/* Rank 0 puts to rank 1 when that has been in the closing fence for USEC. */
static void early_fence(long us) {
  MPI_Win_fence(0, w);
  if (rank == 0) {
    nap(us);
    put(1);
  }
  MPI_Win_fence(0, w);
}
/* Fences without an operation that wait for rank 3 all the same. */
static void idle_fence(long us) {
  if (rank == 3) nap(us);
  MPI_Win_fence(0, w);
}
/* Windows of sub-communicators: rank 2 makes rank 0 wait for USEC, rank 3 makes rank 1 wait twice that. */
static void halves(long us) {
  MPI_Comm half;
  MPI_Win x;
  double* m;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Win_allocate(4096, 8, MPI_INFO_NULL, half, &m, &x);
  MPI_Win_fence(0, x);
  if (rank >= 2) nap(us * (rank - 1));
  MPI_Win_fence(0, x);
  MPI_Win_free(&x);
  MPI_Comm_free(&half);
}
/* Three targets that post after 1, 2 and 3 USEC; only the first is accessed. */
static void late_posts(long us) {
  const int targets[] = {1, 2, 3}, origin[] = {0};
  if (rank == 0) {
    MPI_Group g = group_of(3, targets);
    MPI_Win_start(g, 0, w);
    put(1);
    MPI_Win_complete(w);
    MPI_Group_free(&g);
  } else {
    MPI_Group g = group_of(1, origin);
    nap(us * rank);
    MPI_Win_post(g, 0, w);
    MPI_Win_wait(w);
    MPI_Group_free(&g);
  }
}
/* One target, two origins that complete after USEC (at once after their put) and 2 USEC (USEC after their put). */
static void two_origins(long us) {
  const int target[] = {3}, origins[] = {0, 1};
  if (rank == 3) {
    MPI_Group g = group_of(2, origins);
    MPI_Win_post(g, 0, w);
    MPI_Win_wait(w);
    MPI_Group_free(&g);
  } else if (rank < 2) {
    MPI_Group g = group_of(1, target);
    MPI_Win_start(g, 0, w);
    nap(us);
    put(3);
    nap(us * rank);
    MPI_Win_complete(w);
    MPI_Group_free(&g);
  }
}
/* Rank 0 holds rank 2's and rank 3's windows for itself; rank 1 wants to read rank 2's from a quarter of that on. */
static void owner_and_reader(long us) {
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, w);
    put(2);
    MPI_Win_flush(2, w);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, w);
    put(3);
    MPI_Win_flush(3, w);
    nap(us);
    MPI_Win_unlock(3, w);
    MPI_Win_unlock(2, w);
  } else if (rank == 1) {
    nap(us / 4);
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, w);
    MPI_Get(b, 64, MPI_DOUBLE, 2, 0, 64, MPI_DOUBLE, w);
    MPI_Win_unlock(2, w);
  }
}
/* Ranks 0 and 1 share rank 3's window, for USEC and half of it; rank 2 wants it for itself from a quarter on. */
static void readers_and_owner(long us) {
  if (rank < 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, w);
    MPI_Get(b, 64, MPI_DOUBLE, 3, 0, 64, MPI_DOUBLE, w);
    MPI_Win_flush(3, w);
    nap(us / (rank + 1));
    MPI_Win_unlock(3, w);
  } else if (rank == 2) {
    nap(us / 4);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, w);
    put(3);
    MPI_Win_unlock(3, w);
  }
}
/* Everybody holds another window: no wait. */
static void different_targets(long us) {
  const int target = (rank + 1) % size;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w);
  put(target);
  MPI_Win_flush(target, w);
  nap(us);
  MPI_Win_unlock(target, w);
}
/* Rank 3 accumulates into all windows while their owners are busy outside of MPI for 1, 2 and 3 USEC. */
static void busy_targets(long us) {
  if (rank < 3) {
    nap(us * (rank + 1));
  } else {
    MPI_Win_lock_all(0, w);
    for (int t = 0; t < 3; ++t) MPI_Accumulate(a, 64, MPI_DOUBLE, t, 0, 64, MPI_DOUBLE, MPI_SUM, w);
    MPI_Win_flush_all(w);
    MPI_Win_unlock_all(w);
  }
}
/* An operation with a request of its own, completed by MPI_Wait and then by the unlock. */
static void with_request(long us) {
  MPI_Request r;
  const int target = (rank + 1) % size;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, w);
  MPI_Rput(a, 64, MPI_DOUBLE, target, 64 * rank, 64, MPI_DOUBLE, w, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  nap(us / 4);
  MPI_Win_unlock(target, w);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(long);
  } situations[] = {{"early_fence", early_fence},
                    {"idle_fence", idle_fence},
                    {"halves", halves},
                    {"late_posts", late_posts},
                    {"two_origins", two_origins},
                    {"owner_and_reader", owner_and_reader},
                    {"readers_and_owner", readers_and_owner},
                    {"different_targets", different_targets},
                    {"busy_targets", busy_targets},
                    {"with_request", with_request}};
  double* m;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = argc > 1 ? atoi(argv[1]) : 3;
  const long us = argc > 2 ? atol(argv[2]) : 10000;
  ws_region_begin("main");
  MPI_Win_allocate(4096 * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  for (unsigned k = 0; k < sizeof situations / sizeof *situations; ++k)
    for (int i = 0; i < n; ++i) {
      ws_region_begin(situations[k].name);
      situations[k].run(us);
      ws_region_end();
      MPI_Barrier(MPI_COMM_WORLD);
    }
  MPI_Win_free(&w);
  ws_region_end();
  MPI_Finalize();
  return 0;
}
