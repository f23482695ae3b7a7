/* A program that ends in different ways, after messages around a ring, the first ten of ROUNDS. Usage: ends HOW [ROUNDS]

   All processes end at once, or the last one ends as it is told while the others wait for a message that never comes. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int deep(int n) {
  volatile char much[1 << 16];
  much[0] = (char)n;
  return deep(n + 1) + much[0];
}

static void damage_heap(void) {
  char* all[64];
  for (int i = 0; i < 64; ++i) all[i] = malloc(100);
  for (int i = 0; i < 64; ++i) memset(all[i], 0xff, 200);
  for (int i = 0; i < 64; ++i) free(all[i]);
  free(malloc(5000));
}

static volatile sig_atomic_t asked;
static void note(int signal) { asked = signal; }

int main(int argc, char** argv) {
  int rank, size, in = 0, own = 0;
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
  if (strcmp(how, "tiny") == 0) { /* nor a line more in any */
    const struct rlimit most = {512, 512};
    setrlimit(RLIMIT_FSIZE, &most);
    how = "finalize";
  }
  for (int i = 0; i < rounds && i < 10; ++i)
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  for (int i = 10; i < rounds; ++i) /* of many, most with itself: nobody waits for a core */
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, 1, &own, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d was sent %d\n", rank, in);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "all_exit") == 0) exit(rank == 0 ? 3 : 0);
  if (strcmp(how, "all_leave") == 0) _exit(rank == 0 ? 3 : 0);
  if (strcmp(how, "own_handler") == 0) signal(SIGTERM, note); /* it takes a note and goes on */
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
    if (strcmp(how, "leave") == 0) _exit(3);
    if (strcmp(how, "c_abort") == 0) abort();
    if (strcmp(how, "terminate") == 0) raise(SIGTERM);
    if (strcmp(how, "interrupt") == 0) raise(SIGINT);
    if (strcmp(how, "divide") == 0) raise(SIGFPE);
    if (strcmp(how, "stack") == 0) return deep(1);
    if (strcmp(how, "heap") == 0) damage_heap();
    if (strcmp(how, "execute") == 0) execl("/bin/sh", "sh", "-c", "exit 3", (char*)0);
    if (strcmp(how, "error") == 0) MPI_Send(&rank, -1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* the default error handler ends it */
  }
  MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* never sent */
  MPI_Finalize();
  return 0;
}
