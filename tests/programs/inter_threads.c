/* Two threads of each of two processes make an inter-communicator each at the same time, with the same tag, over other
   communicators between the leaders, and in another order on the two. With "one", all over one communicator, which MPI leaves
   open. The first one gets a message of 4 bytes, the second one of 400, and each of its duplicates one of 8 and 800. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;
static MPI_Comm between[2], own[2], made[2];

static void* make(void* given) {
  const long t = (long)given;
  usleep(t == rank ? 100000 : 0);
  MPI_Intercomm_create(own[t], 0, between[t], 1 - rank, 99, &made[t]);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  char bytes[800] = {0};
  pthread_t threads[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int t = 0; t < 2; ++t) {
    MPI_Comm_dup(MPI_COMM_WORLD, &between[t]);
    MPI_Comm_dup(MPI_COMM_SELF, &own[t]);
  }
  if (provided == MPI_THREAD_MULTIPLE) {
    for (long t = 0; t < 2; ++t) pthread_create(&threads[t], NULL, make, (void*)t);
    for (int t = 0; t < 2; ++t) pthread_join(threads[t], NULL);
  } else {
    return 77;
  }
  const int lengths[2] = {4, 400};
  for (int t = 0; t < 2; ++t) {
    MPI_Comm copy;
    MPI_Comm_dup(made[t], &copy);
    for (int i = 0; i < 2; ++i) {
      const MPI_Comm comm = i == 0 ? made[t] : copy;
      if (rank == 0)
        MPI_Send(bytes, (i + 1) * lengths[t], MPI_CHAR, 0, 5, comm);
      else
        MPI_Recv(bytes, (i + 1) * lengths[t], MPI_CHAR, 0, 5, comm, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
