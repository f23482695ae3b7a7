/* The calls of ring_mpif.f90, ring_mpi.f90 and ring_f08.f90, in C. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size, from = 0, status_tag;
  double sum = 1, in[8] = {0}, out[8] = {0};
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(out, 8, MPI_DOUBLE, (rank + 1) % size, 1, in, 8, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Irecv(in, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 8, MPI_DOUBLE, (rank + 1) % size, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) MPI_Send(out, 4, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(in, 8, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    status_tag = status.MPI_TAG;
    if (status_tag != 3) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if ((int)(sum + 0.5) != size) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Bcast(&from, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Barrier(half);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
