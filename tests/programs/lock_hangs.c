/* Threads that wait for locks for ever.
 *
 *   lock_hangs circle     two threads: each has a lock and asks for that of the other
 *   lock_hangs holder     thread 0 sleeps in work() with a lock that thread 1 asks for
 *
 * With -fopenmp the locks are those of OpenMP, without it mutexes of POSIX threads. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
typedef omp_lock_t lock_type;
#define ACQUIRE omp_set_lock
#define INIT(l) omp_init_lock(l)
#else
typedef pthread_mutex_t lock_type;
#define ACQUIRE pthread_mutex_lock
#define INIT(l) pthread_mutex_init(l, NULL)
#endif

static lock_type locks[2];
static int circle;

void work(void) {
  for (;;) usleep(1000);
}

void hang(long thread) {
  ACQUIRE(&locks[thread]);
  usleep(100000);
  if (!circle && thread == 0) work();
  ACQUIRE(&locks[1 - thread]);
}

static void *run(void *thread) {
  hang((long)thread);
  return NULL;
}

int main(int argc, char **argv) {
  circle = argc > 1 && strcmp(argv[1], "circle") == 0;
  INIT(&locks[0]);
  INIT(&locks[1]);
  printf("begun\n");
  fflush(stdout);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
  hang(omp_get_thread_num());
#else
  pthread_t other;
  pthread_create(&other, NULL, run, (void *)1);
  run((void *)0);
#endif
  return 0;
}
