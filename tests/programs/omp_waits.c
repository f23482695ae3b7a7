// OpenMP wait states of chosen sizes. Four threads; usage: omp_waits REPEATS MICROSECONDS
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static int unit;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

void nap(double units) { usleep((useconds_t)(units * unit)); }

// Thread t comes t units late to a barrier that the program asks for.
void explicit_barrier(void) {
#pragma omp parallel num_threads(4)
  {
    nap(omp_get_thread_num());
#pragma omp barrier
  }
}

// The barrier at the end of a loop.
void implicit_barrier(void) {
#pragma omp parallel for schedule(static, 1) num_threads(4)
  for (int i = 0; i < 4; ++i) nap(i);
}

// Threads 1, 2 and 3 want a critical section, half a unit after each other, and stay in it for two units.
void critical_chain(void) {
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() > 0) {
    nap(omp_get_thread_num() * .5);
#pragma omp critical
    nap(2);
  }
}

// Threads that take a lock in turn.
void lock_chain(void) {
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() > 0) {
    nap(omp_get_thread_num() * .5);
    omp_set_lock(&lock);
    nap(2);
    omp_unset_lock(&lock);
  }
}

// Thread 0 has a nested lock twice, one unit each; thread 1 wants it half a unit after it.
void nested_lock(void) {
#pragma omp parallel num_threads(2)
  {
    nap(omp_get_thread_num() * .5);
    omp_set_nest_lock(&nest_lock);
    if (omp_get_thread_num() == 0) {
      nap(1);
      omp_set_nest_lock(&nest_lock);
      nap(1);
      omp_unset_nest_lock(&nest_lock);
    }
    omp_unset_nest_lock(&nest_lock);
  }
}

// The master alone.
void serial(void) { nap(2); }

// Teams of two and three threads: the others have no part in them.
void two_threads(void) {
#pragma omp parallel num_threads(2)
  nap(2);
}
void three_threads(void) {
#pragma omp parallel num_threads(3)
  nap(1);
}

// A team of two, each of whose threads forks a team of two: the second of it comes a unit late.
void inner_team(void) {
#pragma omp parallel num_threads(2)
  {
    nap(omp_get_thread_num());
#pragma omp barrier
  }
}
void outer_team(void) {
#pragma omp parallel num_threads(2)
  inner_team();
}

// Three short tasks and one that takes four units.
void starvation(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task firstprivate(i)
    nap(i == 0 ? 4 : 1);
  }
}

// Four tasks of half a unit: it takes a unit to create one.
void creation_bottleneck(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 4; ++i) {
    nap(1);
#pragma omp task
    nap(.5);
  }
}

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  unit = argc > 2 ? atoi(argv[2]) : 20000;
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  for (int i = 0; i < repeats; ++i) {
    explicit_barrier();
    implicit_barrier();
    critical_chain();
    lock_chain();
    nested_lock();
    serial();
    two_threads();
    three_threads();
    outer_team();
    starvation();
    creation_bottleneck();
  }
  return 0;
}
