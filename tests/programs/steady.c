/* One process that does the same again and again: messages to itself, collectives, one-sided operations, regions.
   Usage: steady ROUNDS. Prints how often the recorder asked for memory in ROUNDS / 100 and in ROUNDS rounds, after as many
   for a start (count_allocations.c), and how long a round takes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../include/waitstate/record.h"

static MPI_Request repeated[2];
static MPI_Win win;

static void once(void) {
  char out[8] = {0}, in[8], more[8];
  int flag, x = 1, y;
  MPI_Request r[2];
  MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[0]);
  MPI_Send(out, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[0]);
  MPI_Isend(out, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 8, MPI_CHAR, 0, 1, more, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Startall(2, repeated);
  MPI_Waitall(2, repeated, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Ibarrier(MPI_COMM_SELF, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
  ws_region_begin("part");
  ws_region_end();
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100000;
  char out[8] = {0}, in[8];
  int* memory;
  long long (*allocations)(void) = (long long (*)(void))dlsym(RTLD_DEFAULT, "recorder_allocations");
  if (allocations) allocations();
  MPI_Init(&argc, &argv);
  MPI_Recv_init(in, 8, MPI_CHAR, 0, 2, MPI_COMM_SELF, &repeated[0]);
  MPI_Send_init(out, 8, MPI_CHAR, 0, 2, MPI_COMM_SELF, &repeated[1]);
  MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < rounds; ++i) once();
  const long long first = allocations ? allocations() : -1;
  for (int i = 0; i < rounds / 100; ++i) once();
  const long long second = allocations ? allocations() : -1;
  for (int i = 0; i < rounds; ++i) once();
  const long long third = allocations ? allocations() : -1;
  printf("recorder %lld before, %lld in %d rounds, %lld in %d rounds\n", first, second - first, rounds / 100,
         third - second, rounds);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Request_free(&repeated[0]);
  MPI_Request_free(&repeated[1]);
  MPI_Finalize();
  return 0;
}
