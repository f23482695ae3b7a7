/* A world that starts another one, and talks to it and within itself. Usage: spawn CHILDREN; children are called so too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void around(int rank, int size) {
  int in;
  MPI_Request r;
  for (int i = 0; i < 5; ++i) {
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank, size, number = -1;
  MPI_Comm parent, children, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  around(rank, size);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, atoi(argv[1]), MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    number = 42;
    if (rank == 0) MPI_Send(&number, 1, MPI_INT, 0, 7, children);
    MPI_Intercomm_merge(children, 0, &both);
  } else {
    if (rank == 0) {
      MPI_Probe(0, 7, parent, MPI_STATUS_IGNORE);
      MPI_Recv(&number, 1, MPI_INT, 0, 7, parent, MPI_STATUS_IGNORE);
    }
    MPI_Intercomm_merge(parent, 1, &both);
    children = parent;
  }
  MPI_Bcast(&number, 1, MPI_INT, 0, both);
  printf("%s %d of %d knows %d\n", parent == MPI_COMM_NULL ? "parent" : "child", rank, size, number);
  fflush(stdout);
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&children);
  MPI_Finalize();
  return 0;
}
