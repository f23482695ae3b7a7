/* Performance variables: barriers in MPI_COMM_WORLD, in a communicator that comes and goes, and around a window, which
 * tests/fake_mpit counts; then three messages that wait in rank 0's queue of unexpected ones while it is in a barrier. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/waitstate/record.h"

int main(int argc, char** argv) {
  int rank = 0, many = argc > 1 ? atoi(argv[1]) : 1, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ws_region_begin("outer");
  for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_WORLD);
  ws_region_end();
  for (int i = 0; i < many; ++i) {
    MPI_Comm halo;
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    ws_region_begin("inner");
    for (int j = 0; j < 2; ++j) MPI_Barrier(halo);
    ws_region_end();
    MPI_Comm_free(&halo);
  }
  MPI_Win win;
  int* memory;
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  ws_region_begin("windowed");
  MPI_Barrier(MPI_COMM_WORLD);
  ws_region_end();
  MPI_Win_free(&win);
  ws_region_begin("queued");
  if (rank == 1)
    for (int i = 0; i < 3; ++i) MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < 3; ++i) MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ws_region_end();
  MPI_Finalize();
  return 0;
}
