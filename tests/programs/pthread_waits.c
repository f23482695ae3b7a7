// Wait states of POSIX threads of chosen sizes; usage: pthread_waits REPEATS MICROSECONDS
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int unit;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

void nap(double units) { usleep((useconds_t)(units * unit)); }

// Runs it in three threads at once, which are numbered from 1.
void in_three_threads(void* (*run)(void*)) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, run, (void*)(i + 1));
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}

// They want the mutex half a unit after each other, and keep it for two units.
void* chain_thread(void* number) {
  nap((double)(intptr_t)number * .5);
  pthread_mutex_lock(&mutex);
  nap(2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
void mutex_chain(void) { in_three_threads(chain_thread); }

// Each has the mutex when no other wants it.
void* alone_thread(void* number) {
  nap((double)(intptr_t)number);
  pthread_mutex_lock(&mutex);
  nap(.5);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
void free_mutex(void) { in_three_threads(alone_thread); }

// The second thread waits for the condition; the first signals it after a unit, and keeps the mutex for two more.
void* condition_thread(void* number) {
  if ((intptr_t)number == 1) {
    nap(1);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    nap(2);
    pthread_mutex_unlock(&mutex);
  } else if ((intptr_t)number == 2) {
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    ready = 0;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}
void condition_held(void) { in_three_threads(condition_thread); }

// A thread that the created thread creates.
void* inner_thread(void* unused) {
  nap(1);
  return unused;
}
void* outer_thread(void* unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, inner_thread, NULL);
  pthread_join(thread, NULL);
  return unused;
}
void created_by_created(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, outer_thread, NULL);
  pthread_join(thread, NULL);
}

// A mutex that nobody releases.
void held_at_the_end(void) { pthread_mutex_lock(&kept); }

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? atoi(argv[1]) : 2;
  unit = argc > 2 ? atoi(argv[2]) : 20000;
  for (int i = 0; i < repeats; ++i) {
    mutex_chain();
    free_mutex();
    condition_held();
    created_by_created();
  }
  held_at_the_end();
  return 0;
}
