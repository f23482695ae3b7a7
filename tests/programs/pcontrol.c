/* MPI_Pcontrol with a level alone, as the standard has it, and with what other tools want behind it. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int level = 0; level <= 2; ++level) {
    MPI_Pcontrol(level);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Pcontrol(1, "solve");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(-1);
  MPI_Pcontrol(9093, 4711);
  MPI_Finalize();
  return 0;
}
