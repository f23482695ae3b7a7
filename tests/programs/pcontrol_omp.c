/* Recording is switched in and between parallel regions: each is in the trace as a whole, or not at all. */
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

static void work(int level) {
#pragma omp master
  if (level >= 0) MPI_Pcontrol(level);
#pragma omp barrier
  usleep(1000);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel /* recorded */
  work(-1);
  MPI_Pcontrol(0);
#pragma omp parallel
  work(1);
#pragma omp parallel /* recorded */
  work(0);
#pragma omp parallel
  work(-1);
  MPI_Pcontrol(1);
#pragma omp parallel /* recorded */
  work(-1);
  MPI_Finalize();
  return 0;
}
