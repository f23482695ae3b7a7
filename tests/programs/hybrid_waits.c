// Wait states of MPI and OpenMP together. Two processes of three threads with
// MPI_THREAD_MULTIPLE; usage: hybrid_waits REPEATS MICROSECONDS
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int unit, rank, other;

void nap(double units) { usleep((useconds_t)(units * unit)); }

static void send(int tag) { MPI_Send(&rank, 1, MPI_INT, other, tag, MPI_COMM_WORLD); }
static void receive(int tag) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Rank 1 sends two units late; the master of rank 0 waits for it, and its workers are idle.
void master_waits(void) {
  if (rank == 0) {
    receive(1);
  } else {
    nap(2);
    send(1);
  }
}

// The same inside a parallel region: thread 1 of rank 0 waits, the others are busy.
void worker_waits(void) {
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) {
    if (rank == 0) {
      receive(2);
    } else {
      nap(2);
      send(2);
    }
  } else {
    nap(3);
  }
}

// Thread 1 of rank 0 posts a receive that thread 2 completes; thread 1 of rank 1 sends two units late.
void posted_by_another(void) {
  MPI_Request request;
  int value;
#pragma omp parallel num_threads(3)
  {
    const int thread = omp_get_thread_num();
    if (rank == 0 && thread == 1) MPI_Irecv(&value, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request);
#pragma omp barrier
    if (rank == 0 && thread == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1 && thread == 1) {
      nap(2);
      send(3);
    }
  }
}

// All threads receive at once what all threads of the other rank send, thread t after t units.
void all_threads(void) {
#pragma omp parallel num_threads(3)
  {
    const int thread = omp_get_thread_num();
    if (rank == 0) {
      receive(10 + thread);
    } else {
      nap(thread);
      send(10 + thread);
    }
  }
}

// A barrier between the processes, of which rank 0 comes two units late, and work of the master alone.
void barrier(void) {
  if (rank == 0) nap(2);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int provided, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided != MPI_THREAD_MULTIPLE || size != 2) {
    fprintf(stderr, "hybrid_waits: needs two processes and MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  other = 1 - rank;
  unit = argc > 2 ? atoi(argv[2]) : 20000;
  for (int repeats = argc > 1 ? atoi(argv[1]) : 2; repeats > 0; --repeats) {
    master_waits();
    MPI_Barrier(MPI_COMM_WORLD);
    worker_waits();
    MPI_Barrier(MPI_COMM_WORLD);
    posted_by_another();
    MPI_Barrier(MPI_COMM_WORLD);
    all_threads();
    MPI_Barrier(MPI_COMM_WORLD);
    barrier();
  }
  MPI_Finalize();
  return 0;
}
