/* What a recorded call costs: one process, messages to itself. Usage: record_calls [ROUNDS [BATCHES]]. Prints nanoseconds of
   processor time a round, the least of the batches, for each kind of round; `only` one of them with a third argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char out[8], in[8];
static MPI_Request pending;

static void rank(void) { int r; MPI_Comm_rank(MPI_COMM_SELF, &r); }
static void iprobe(void) { int flag; MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); }
static void test(void) { int flag; MPI_Test(&pending, &flag, MPI_STATUS_IGNORE); }
static void wait(void) {
  MPI_Request r;
  MPI_Irecv(in, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r);
  MPI_Send(out, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}
static void waitall(void) {
  MPI_Request r[2];
  MPI_Irecv(in, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[0]);
  MPI_Isend(out, 8, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
static void barrier(void) { MPI_Barrier(MPI_COMM_SELF); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  static const struct { const char* name; void (*once)(void); } kinds[] = {
      {"rank", rank}, {"iprobe", iprobe}, {"test", test}, {"wait", wait}, {"waitall", waitall}, {"barrier", barrier}};
  const int rounds = argc > 1 ? atoi(argv[1]) : 100000, batches = argc > 2 ? atoi(argv[2]) : 5;
  char never[8];
  MPI_Init(&argc, &argv);
  MPI_Irecv(never, 8, MPI_CHAR, 0, 99, MPI_COMM_SELF, &pending);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    double best = 1e300;
    if (argc > 3 && strcmp(argv[3], kinds[k].name) != 0) continue;
    for (int b = 0; b < batches; ++b) {
      const double start = now();
      for (int i = 0; i < rounds; ++i) kinds[k].once();
      const double took = (now() - start) / rounds;
      if (took < best) best = took;
    }
    printf("%s %.2f\n", kinds[k].name, best);
  }
  MPI_Cancel(&pending);
  MPI_Wait(&pending, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
