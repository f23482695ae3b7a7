/* Requests of every kind, on two processes that send to each other: shared handles, pieces, restarts, freed and cancelled
   ones, MPI_PROC_NULL, probes; and four threads at a time. Prints how many of each were begun and ended here. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { many = 16, threads = 4, rounds = 50 };

static int rank, other;
static int sent = 0, received = 0; /* non-blocking ones that were begun */
static char data[many][8], into[many][8];

static void send(int i, MPI_Request* r) { MPI_Isend(data[i], 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, r), ++sent; }
static void receive(int i, MPI_Request* r) { MPI_Irecv(into[i], 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, r), ++received; }

/* Both MPIs give one handle to all sends that are complete at once. */
static void shared_handles(void) {
  MPI_Request s[many], r[many];
  for (int i = 0; i < many; ++i) receive(i, &r[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < many; ++i) send(i, &s[i]);
  MPI_Waitall(many, s, MPI_STATUSES_IGNORE);
  MPI_Waitall(many, r, MPI_STATUSES_IGNORE);
}

static void in_pieces(void) {
  MPI_Request s[many], r[many];
  MPI_Status statuses[many];
  int index, done, indices[many], left = many;
  for (int i = 0; i < many; ++i) receive(i, &r[i]);
  for (int i = 0; i < many; ++i) send(i, &s[i]);
  for (int i = 0; i < many; ++i) MPI_Waitany(many, s, &index, i % 2 ? MPI_STATUS_IGNORE : statuses);
  while (left > 0) {
    MPI_Testsome(many, r, &done, indices, left % 2 ? statuses : MPI_STATUSES_IGNORE);
    left -= done;
  }
  MPI_Waitany(many, s, &index, MPI_STATUS_IGNORE); /* all are null now */
  MPI_Waitsome(many, r, &done, indices, MPI_STATUSES_IGNORE);
}

static void tests(void) {
  MPI_Request s, r;
  int flag = 0, index;
  receive(0, &r);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Test(&r, &flag, MPI_STATUS_IGNORE); /* in vain */
  MPI_Barrier(MPI_COMM_WORLD);
  send(0, &s);
  for (flag = 0; !flag;) MPI_Testany(1, &s, &index, &flag, MPI_STATUS_IGNORE);
  for (flag = 0; !flag;) MPI_Testall(1, &r, &flag, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
  MPI_Request r[2];
  MPI_Recv_init(into[0], 8, MPI_CHAR, other, 2, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(data[0], 8, MPI_CHAR, other, 2, MPI_COMM_WORLD, &r[1]);
  for (int i = 0; i < 3; ++i, ++sent, ++received) {
    if (i == 0)
      MPI_Startall(2, r);
    else
      MPI_Start(&r[0]), MPI_Start(&r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
}

static void freed_while_active(void) {
  MPI_Request s;
  send(0, &s);
  MPI_Request_free(&s);
  MPI_Recv(into[0], 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void cancelled(void) {
  MPI_Request r;
  MPI_Status status;
  int was;
  MPI_Irecv(into[0], 8, MPI_CHAR, other, 99, MPI_COMM_WORLD, &r), ++received;
  MPI_Cancel(&r);
  MPI_Wait(&r, &status);
  MPI_Test_cancelled(&status, &was);
  if (!was) MPI_Abort(MPI_COMM_WORLD, 3);
}

static void nobody(void) {
  MPI_Request r[2];
  MPI_Irecv(into[0], 8, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(data[0], 8, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(data[0], 8, MPI_CHAR, MPI_PROC_NULL, 1, into[0], 8, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void probed(void) {
  MPI_Message m;
  MPI_Request r;
  MPI_Status status;
  int flag = 0;
  MPI_Send(data[0], 8, MPI_CHAR, other, 3, MPI_COMM_WORLD);
  MPI_Probe(other, 3, MPI_COMM_WORLD, &status);
  while (!flag) MPI_Iprobe(other, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Mprobe(other, 3, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
  MPI_Mrecv(into[0], 8, MPI_CHAR, &m, MPI_STATUS_IGNORE);
  MPI_Send(data[0], 8, MPI_CHAR, other, 4, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Improbe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, &m, &status);
  MPI_Imrecv(into[0], 8, MPI_CHAR, &m, &r), ++received;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void collectives(void) {
  MPI_Request r[3];
  double x = 1, y;
  MPI_Comm self;
  MPI_Ibarrier(MPI_COMM_SELF, &r[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[1]);
  MPI_Iallreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  MPI_Comm_idup(MPI_COMM_WORLD, &self, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Barrier(self);
  MPI_Comm_free(&self);
}

static void* talk(void* number) {
  const int tag = 10 + (int)(long)number;
  char out = 1, in;
  for (int i = 0; i < rounds; ++i) {
    MPI_Request r[2];
    MPI_Irecv(&in, 1, MPI_CHAR, other, tag, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&out, 1, MPI_CHAR, other, tag, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  pthread_t all[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  memset(data, 1, sizeof data);
  shared_handles();
  in_pieces();
  tests();
  persistent();
  freed_while_active();
  cancelled();
  nobody();
  probed();
  collectives();
  MPI_Barrier(MPI_COMM_WORLD);
  if (level == MPI_THREAD_MULTIPLE) {
    for (long i = 0; i < threads; ++i) pthread_create(&all[i], NULL, talk, (void*)i);
    for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
    sent += threads * rounds, received += threads * rounds;
  }
  printf("rank %d sent %d received %d\n", rank, sent, received);
  MPI_Finalize();
  return 0;
}
