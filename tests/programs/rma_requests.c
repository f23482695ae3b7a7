/* One-sided operations that have a request, completed by it, by a flush, or by the end of the epoch; and MPI_Win_test.
   Two processes or more, in a ring. Prints how many of each kind, and their bytes. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, size;
static long long puts_ = 0, gets = 0, atomics = 0, put_bytes = 0, got_bytes = 0;

int main(int argc, char** argv) {
  int *memory, from[8] = {0}, to[8], result[8], target, flag, tries = 0;
  MPI_Win win;
  MPI_Request requests[4];
  MPI_Group world, next, previous;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  target = (rank + 1) % size;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 5; ++i) {
    MPI_Rput(from, 8, MPI_INT, target, 0, 8, MPI_INT, win, &requests[0]);
    MPI_Rget(to, 4, MPI_INT, target, 16, 4, MPI_INT, win, &requests[1]);
    MPI_Raccumulate(from, 2, MPI_INT, target, 32, 2, MPI_INT, MPI_SUM, win, &requests[2]);
    MPI_Rget_accumulate(from, 2, MPI_INT, result, 2, MPI_INT, target, 40, 2, MPI_INT, MPI_SUM, win, &requests[3]);
    ++puts_, ++gets, atomics += 2, put_bytes += 32, got_bytes += 16;
    if (i == 0) {
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    } else if (i == 1) {
      for (int r = 0; r < 4; ++r) MPI_Wait(&requests[r], MPI_STATUS_IGNORE);
    } else if (i == 2) {
      for (int done = 0; !done;) MPI_Testall(4, requests, &done, MPI_STATUSES_IGNORE);
    } else {
      MPI_Win_flush(target, win); /* complete there; the requests are still to be taken back */
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
  }
  MPI_Rput(from, 8, MPI_INT, target, 0, 8, MPI_INT, win, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  ++puts_, put_bytes += 32;
  MPI_Put(from, 1, MPI_INT, target, 0, 1, MPI_INT, win); /* the one that the end of the epoch completes */
  ++puts_, put_bytes += 4;
  MPI_Win_unlock_all(win);

  /* Ask whether the other one has come, until it has. */
  const int before = (rank + size - 1) % size;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &target, &next);
  MPI_Group_incl(world, 1, &before, &previous);
  for (int i = 0; i < 3; ++i) {
    MPI_Win_post(previous, 0, win);
    MPI_Win_start(next, 0, win);
    MPI_Put(from, 2, MPI_INT, target, 8, 2, MPI_INT, win);
    ++puts_, put_bytes += 8;
    MPI_Win_complete(win);
    for (MPI_Win_test(win, &flag), ++tries; !flag; MPI_Win_test(win, &flag), ++tries) usleep(1000);
  }
  MPI_Group_free(&previous);
  MPI_Group_free(&next);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  printf("rank %d puts %lld gets %lld atomics %lld put_bytes %lld got_bytes %lld tries %d\n", rank, puts_, gets, atomics,
         put_bytes, got_bytes, tries);
  MPI_Finalize();
  return 0;
}
