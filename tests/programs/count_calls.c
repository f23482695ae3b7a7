/* A tool that counts calls of MPI_Send and MPI_Barrier through the profiling interface, to be loaded beside others. */
#include <mpi.h>
#include <stdio.h>

static int sends, barriers;

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}
int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("tool: rank %d sends %d barriers %d\n", rank, sends, barriers);
  return PMPI_Finalize();
}
