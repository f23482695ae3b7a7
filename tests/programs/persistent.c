/* Of MPI 4: persistent collective operations that are started in another order than they were prepared, and in another one by
   each rank; and messages in parts, of which the one that is prepared first is started last by the sender. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int in[2] = {rank, rank}, out[2] = {0, 0}, root = 7;
  MPI_Request all[3];
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &all[0]);
  MPI_Allreduce_init(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &all[1]);
  MPI_Bcast_init(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all[2]);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) MPI_Start(&all[rank == 0 ? i : 2 - i]);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&all[i]);

  static char small[2][4], large[4][100];
  MPI_Request parts[2];
  if (rank == 0) {
    MPI_Psend_init(small, 2, 4, MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[0]);
    MPI_Psend_init(large, 4, 100, MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[1]);
  } else if (rank == 1) {
    MPI_Precv_init(small, 2, 4, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[0]);
    MPI_Precv_init(large, 4, 100, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[1]);
  }
  for (int round = 0; round < 2 && rank < 2; ++round) {
    for (int i = 0; i < 2; ++i) MPI_Start(&parts[rank == 0 ? 1 - i : i]);
    if (rank == 0) {
      MPI_Pready_range(0, 1, parts[0]);
      for (int i = 3; i >= 0; --i) MPI_Pready(i, parts[1]);
    }
    MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
  }
  if (rank < 2)
    for (int i = 0; i < 2; ++i) MPI_Request_free(&parts[i]);
  MPI_Finalize();
  return 0;
}
