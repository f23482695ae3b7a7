/* A program that itself reads performance variables of MPI, in sessions of its own, and prints what it reads.
 *
 *   own_variables NAME        of a counter: starts, reads, resets if it can, stops it around barriers, in two sessions
 *   own_variables NAME queue  of a queue of unexpected messages: rank 1 sends three messages to rank 0, then all but rank
 *                             0 enter a barrier; rank 0 prints the length for each peer when no more arrives
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int find(const char* wanted, int* bind) {
  int number = 0;
  MPI_T_pvar_get_num(&number);
  for (int i = 0; i < number; ++i) {
    char name[256] = "", about[1024] = "";
    int name_length = sizeof name, about_length = sizeof about, verbosity, kind, readonly, continuous, atomic;
    MPI_Datatype type;
    MPI_T_enum items;
    if (MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &kind, &type, &items, about, &about_length, bind,
                            &readonly, &continuous, &atomic) == MPI_SUCCESS &&
        strcmp(name, wanted) == 0)
      return i;
  }
  return -1;
}

static void counter(int index, int rank) {
  for (int round = 0; round < 2; ++round) {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int count = 0;
    unsigned long value[3] = {0, 0, 0};
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_T_pvar_start(session, handle);
    for (int i = 0; i < 3; ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_T_pvar_read(session, handle, &value[i]);
    }
    MPI_T_pvar_stop(session, handle);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
    if (rank == 0) printf("%lu %lu %lu\n", value[0], value[1], value[2]);
  }
}

static void queue(int index, int rank) {
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  unsigned length[64] = {0};
  int count = 0, value = 0, flag = 0;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_handle_alloc(session, index, &world, &handle, &count);
  if (rank == 1)
    for (int i = 0; i < 3; ++i) MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  for (int i = 0, quiet = 0; rank == 0 && i < 2000 && quiet < 50; ++i) {
    unsigned sum = 0, before = 0;
    for (int p = 0; p < count; ++p) before += length[p];
    MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    MPI_T_pvar_read(session, handle, length);
    for (int p = 0; p < count; ++p) sum += length[p];
    quiet = sum > 3 && sum == before ? quiet + 1 : 0;
    usleep(1000);
  }
  if (rank == 0) printf("%u %u %u\n", length[0], length[1], length[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 3; ++i) MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_T_pvar_handle_free(session, &handle);
  MPI_T_pvar_session_free(&session);
}

int main(int argc, char** argv) {
  int rank = 0, provided = 0, bind = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int index = find(argv[1], &bind);
  if (index < 0) printf("no variable %s\n", argv[1]);
  else if (argc > 2) queue(index, rank);
  else counter(index, rank);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
