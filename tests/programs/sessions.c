/* Sessions of MPI 4. Usage: sessions HOW

   alone: no MPI_Init; within a session, two more one after the other, in each a communicator of all processes and one of
   the odd or even ranks, and a message around a ring of all, of which that of rank 0 is 150 ms late. before: the same
   between MPI_Init and MPI_Finalize. nested: MPI_Init and MPI_Finalize within the session, and more messages behind them.
   inter: MPI_Init, and an inter-communicator of the odd and the even ranks. self: each process has a communicator of
   itself, and nobody waits for anybody. one: only the last rank has. hang: the last rank is killed while the others wait
   for its message. wait: messages with MPI_Isendrecv.

   MPICH 4.0 fails where a session follows the last one that was open, and makes inter-communicators of groups only
   behind MPI_Init. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static MPI_Session session;
static MPI_Group world;
static int rank, size;

static void begin(void) {
  world = MPI_GROUP_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Group_rank(world, &rank);
  MPI_Group_size(world, &size);
}

static void end(void) {
  MPI_Group_free(&world);
  MPI_Session_finalize(&session);
}

/* The group of the ranks that are odd, or even. */
static MPI_Group parts(int odd) {
  int range[1][3] = {{odd, size - 1, 2}};
  MPI_Group part;
  MPI_Group_range_incl(world, 1, range, &part);
  return part;
}

static MPI_Comm all(void) {
  MPI_Comm comm;
  MPI_Comm_create_from_group(world, "org.example.all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  return comm;
}

static void ring(MPI_Comm comm, int late) {
  int in = -1;
  if (rank == 0 && late) usleep(150000);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1, comm,
               MPI_STATUS_IGNORE);
  if (in != (rank + size - 1) % size) printf("rank %d was sent %d\n", rank, in);
}

static void twice(int late) {
  MPI_Session outer;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &outer);
  for (int i = 0; i < 2; ++i) {
    begin();
    MPI_Comm comm = all(), half;
    MPI_Group part = parts(rank % 2);
    MPI_Comm_create_from_group(part, "org.example.half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &half);
    MPI_Group_free(&part);
    MPI_Barrier(comm);
    ring(comm, late);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    MPI_Comm_free(&comm);
    end();
  }
  MPI_Session_finalize(&outer);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "alone";
  MPI_Comm comm, made;
  if (strcmp(how, "alone") == 0) {
    twice(1);
  } else if (strcmp(how, "before") == 0) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring(MPI_COMM_WORLD, 0);
    twice(0);
    MPI_Finalize();
  } else if (strcmp(how, "nested") == 0) {
    begin();
    comm = all();
    MPI_Init(&argc, &argv);
    ring(MPI_COMM_WORLD, 0);
    MPI_Finalize();
    ring(comm, 0);
    MPI_Comm_free(&comm);
    end();
  } else if (strcmp(how, "inter") == 0) {
    MPI_Init(&argc, &argv);
    begin();
    MPI_Group own = parts(rank % 2), other = parts(1 - rank % 2);
    int partner = -1;
    MPI_Intercomm_create_from_groups(own, 0, other, 0, "org.example.inter", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 1, &partner, 1, MPI_INT, rank / 2, 1, comm, MPI_STATUS_IGNORE);
    if (partner != (rank ^ 1)) printf("rank %d was sent %d\n", rank, partner);
    MPI_Intercomm_merge(comm, rank % 2, &made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
    MPI_Comm_free(&comm);
    MPI_Group_free(&own);
    MPI_Group_free(&other);
    end();
    MPI_Finalize();
  } else if (strcmp(how, "self") == 0 || strcmp(how, "one") == 0) {
    begin();
    if (strcmp(how, "self") == 0 || rank == size - 1) {
      MPI_Group self;
      MPI_Group_from_session_pset(session, "mpi://SELF", &self);
      MPI_Comm_create_from_group(self, "org.example.self", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
      MPI_Barrier(comm);
      MPI_Comm_free(&comm);
      MPI_Group_free(&self);
    }
    end();
  } else if (strcmp(how, "hang") == 0) {
    int in;
    begin();
    comm = all();
    MPI_Barrier(comm);
    if (rank == size - 1) {
      usleep(100000);
      raise(SIGKILL);
    }
    MPI_Recv(&in, 1, MPI_INT, size - 1, 7, comm, MPI_STATUS_IGNORE);
  } else if (strcmp(how, "wait") == 0) {
    begin();
    comm = all();
    int in = -1;
    MPI_Request request;
    MPI_Isendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, (rank + size - 1) % size, 3, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    end();
  }
  if (rank == 0) printf("done\n");
  return 5;
}
