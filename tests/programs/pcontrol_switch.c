/* Recording is switched off and on: barriers, messages whose requests reach over a switch, communicators made meanwhile. What
   is told: rank, number of barriers that are to be in the trace. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void barrier_in_function(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void on_in_function(void) { MPI_Pcontrol(1); }

/* Ranks 0 and 1 send each other one message that is posted before a switch and completed behind it. */
static void across(int rank, int off_first) {
  int out = rank, in = -1;
  MPI_Request requests[2];
  if (!off_first) MPI_Pcontrol(0);
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Pcontrol(off_first ? 0 : 1);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (off_first) MPI_Pcontrol(1);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && strcmp(argv[1], "alone") == 0) { /* rank 0 alone does not record one barrier and two of three sends */
    int value[1] = {0};
    if (rank == 0) MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i) {
      if (rank == 0 && i == 2) MPI_Pcontrol(1);
      if (rank == 0)
        MPI_Send(value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
      else
        MPI_Recv(value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
  }
  MPI_Pcontrol(0);
  barrier_in_function();
  usleep(50000);
  on_in_function();
  for (int i = 0; i < 3; ++i) barrier_in_function();
  across(rank, 1);
  across(rank, 0);
  MPI_Pcontrol(0);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Pcontrol(1);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Pcontrol(2);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
