/* Locks, barriers and ends of POSIX threads, beside what pthread_waits.c does; usage: pthread_locks REPEATS MICROSECONDS.
   Each function says what it asks for, in units. Prints how many threads were created. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { most = 3 };

static int unit, created;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;

static void nap(double units) { usleep((useconds_t)(units * unit)); }

static struct timespec in(double units) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const long long ns = t.tv_nsec + (long long)(units * unit * 1000);
  t.tv_sec += ns / 1000000000, t.tv_nsec = ns % 1000000000;
  return t;
}

static void in_threads(int count, void* (*run)(void*)) {
  pthread_t threads[most];
  for (intptr_t i = 0; i < count; ++i) pthread_create(&threads[i], NULL, run, (void*)(i + 1)), ++created;
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

/* The first two read for two and three units; the third wants to write after one: it waits for two. */
static void* reads(void* number) {
  if ((intptr_t)number == 3) {
    nap(1);
    pthread_rwlock_wrlock(&rwlock);
  } else {
    pthread_rwlock_rdlock(&rwlock);
    nap(1 + (double)(intptr_t)number);
  }
  pthread_rwlock_unlock(&rwlock);
  return NULL;
}
static void readers(void) { in_threads(3, reads); }

/* The first writes for two units, the second wants to read after one: it waits for one. */
static void* writes(void* number) {
  if ((intptr_t)number == 1) {
    pthread_rwlock_wrlock(&rwlock);
    nap(2);
  } else {
    nap(1);
    pthread_rwlock_rdlock(&rwlock);
  }
  pthread_rwlock_unlock(&rwlock);
  return NULL;
}
static void writer(void) { in_threads(2, writes); }

/* The same with a lock that is waited for actively. */
static void* spins(void* number) {
  nap((intptr_t)number == 1 ? 0 : 1);
  pthread_spin_lock(&spin);
  nap((intptr_t)number == 1 ? 2 : 0);
  pthread_spin_unlock(&spin);
  return NULL;
}
static void spinning(void) { in_threads(2, spins); }

/* The first has the mutex; the second does not get it, twice, and then has it. Nobody waits for an owner to release. */
static atomic_int held, tried, released;
static void await(atomic_int* flag) {
  while (!atomic_load(flag)) nap(.1);
}
static void* tries(void* number) {
  if ((intptr_t)number == 1) {
    pthread_mutex_lock(&mutex);
    held = 1;
    await(&tried);
    pthread_mutex_unlock(&mutex);
    released = 1;
    return NULL;
  }
  await(&held);
  const struct timespec until = in(.5);
  if (pthread_mutex_trylock(&mutex) != EBUSY || pthread_mutex_timedlock(&mutex, &until) != ETIMEDOUT) abort();
  tried = 1;
  await(&released);
  if (pthread_mutex_trylock(&mutex) != 0) abort();
  pthread_mutex_unlock(&mutex);
  return NULL;
}
static void trying(void) {
  held = tried = released = 0;
  in_threads(2, tries);
}

/* Nobody signals: the wait ends by itself, after one unit. */
static void timed(void) {
  const struct timespec until = in(1);
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&never, &mutex, &until) != ETIMEDOUT) {
  }
  pthread_mutex_unlock(&mutex);
}

static void* meets(void* number) {
  nap((double)(intptr_t)number);
  pthread_barrier_wait(&barrier);
  return NULL;
}
static void meeting(void) { in_threads(3, meets); }

/* Threads that do not come to the end of their functions: one leaves, one is cancelled while it waits. */
static void gives_back(void* given) { pthread_mutex_unlock(given); }
static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(gives_back, &mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}
static void* leaves(void* unused) {
  pthread_exit(unused);
  return unused;
}
static void ends(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, leaves, NULL), ++created;
  pthread_create(&threads[1], NULL, waits, NULL), ++created;
  nap(1);
  pthread_cancel(threads[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  unit = argc > 2 ? atoi(argv[2]) : 20000;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < repeats; ++i) {
    readers();
    writer();
    spinning();
    trying();
    timed();
    meeting();
    ends();
  }
  /* One is still there when the process ends. */
  pthread_t last;
  pthread_create(&last, NULL, waits, NULL), ++created;
  pthread_detach(last);
  nap(1);
  printf("%d threads\n", created);
  return 0;
}
