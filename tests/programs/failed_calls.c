/* Calls that return an error, and the program goes on. For two processes. Usage: failed_calls HOW [kill]

   truncated: the first of four messages is too long for its receive. bad_send: a send without a type, then the right one.
   in_status: one of three receives of a Waitall is too short. The sends are 60 ms apart, the receives come first.
   kill: both processes die of SIGKILL before MPI_Finalize. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { tag = 9 };

static void late_sends(const int* counts, int n) {
  int data[8] = {0};
  for (int i = 0; i < n; ++i) {
    usleep(60000);
    MPI_Send(data, counts[i], MPI_INT, 1, tag, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "truncated";
  int rank, data[8] = {0}, errors = 0;
  MPI_Comm mine;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &mine); /* it has the handler of its parent */
  MPI_Barrier(mine);
  if (strcmp(how, "truncated") == 0) {
    if (rank == 0) late_sends((const int[]){8, 1, 2, 3}, 4);
    for (int i = 0; rank == 1 && i < 4; ++i)
      errors += MPI_Recv(data, 4, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  } else if (strcmp(how, "bad_send") == 0) {
    if (rank == 0) {
      errors += MPI_Send(data, 8, MPI_DATATYPE_NULL, 1, tag, MPI_COMM_WORLD) != MPI_SUCCESS;
      errors += MPI_Send(data, 1, MPI_INT, 7, tag, MPI_COMM_WORLD) != MPI_SUCCESS; /* there is no such rank */
      late_sends((const int[]){8}, 1);
    } else {
      MPI_Recv(data, 8, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else {
    if (rank == 0) late_sends((const int[]){1, 4, 1}, 3);
    if (rank == 1) {
      MPI_Request requests[3];
      MPI_Status statuses[3];
      for (int i = 0; i < 3; ++i) MPI_Irecv(&data[i], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[i]);
      errors += MPI_Waitall(3, requests, statuses) != MPI_SUCCESS;
      for (int i = 0; i < 3; ++i)
        if (requests[i] != MPI_REQUEST_NULL) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
  }
  printf("rank %d: %d errors\n", rank, errors);
  fflush(stdout);
  MPI_Barrier(mine);
  if (argc > 2) raise(SIGKILL);
  MPI_Comm_free(&mine);
  MPI_Finalize();
  return 0;
}
