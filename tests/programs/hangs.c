/* A program that hangs, in one of the ways in which MPI programs do. Usage: hangs HOW, with three processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "receives";
  const int large = 1 << 24; /* beyond what any library sends before the receive */
  int rank, size, value = 0, *memory;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d\n", rank);
  fflush(stdout);
  if (strcmp(how, "receives") == 0) { /* two that face each other; the third is at the barrier */
    if (rank < 2) MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(how, "barrier") == 0) { /* one never comes */
    if (rank == 1) sleep(1000);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(how, "ring") == 0) { /* all send before they receive */
    char* buffer = calloc(1, (size_t)large);
    MPI_Send(buffer, large, MPI_CHAR, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Recv(buffer, large, MPI_CHAR, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
  } else if (strcmp(how, "requests") == 0) { /* pending requests, one of them from anybody */
    MPI_Request requests[2];
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, (rank + 1) % size, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (strcmp(how, "locks") == 0) { /* each has its own lock and wants the next one's */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(&rank, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, win);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_unlock((rank + 1) % size, win);
    MPI_Win_unlock(rank, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
