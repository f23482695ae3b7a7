/* A program that ends in different ways, after messages around a ring. Usage: ends HOW [ROUNDS] */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, size, in = 0;
  const char* how = argc > 1 ? argv[1] : "finalize";
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(how, "limited") == 0) { /* no file may grow beyond 1 MiB, as if the disk were full */
    const struct rlimit most = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &most);
    how = "finalize";
  }
  for (int i = 0; i < rounds; ++i)
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  printf("rank %d was sent %d\n", rank, in);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "finalize") == 0) {
    MPI_Finalize();
    return 7; /* its exit code is its own */
  }
  if (rank == size - 1) {
    struct timespec t = {0, 100000000};
    nanosleep(&t, NULL);
    if (strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "segfault") == 0) *(volatile int*)8 = 0;
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "exit") == 0) exit(3);
  }
  MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* never sent */
  MPI_Finalize();
  return 0;
}
