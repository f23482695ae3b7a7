/* MPI_Isendrecv and its form with one buffer, of MPI 4: two processes exchange 512 bytes with each. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
  int rank;
  char out[512] = "", in[512];
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isendrecv(out, 512, MPI_CHAR, 1 - rank, 6, in, 512, MPI_CHAR, 1 - rank, 6, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  MPI_Isendrecv_replace(out, 512, MPI_CHAR, 1 - rank, 7, 1 - rank, 7, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("exchanged\n");
#endif
  MPI_Finalize();
  return 0;
}
