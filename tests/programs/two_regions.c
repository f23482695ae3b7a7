/* Parallel regions of two functions, and two of one function. None is the last thing of its function, because the place of
   the call that an optimising compiler turns into a jump is that of its caller. */
#include <unistd.h>

static volatile int done;

__attribute__((noinline)) void one(void) {
#pragma omp parallel
  usleep(1000);
  ++done;
}

__attribute__((noinline)) void two(void) {
#pragma omp parallel
  usleep(1000);
#pragma omp parallel
  {
    usleep(1000);
#pragma omp barrier
    usleep(1000);
  }
  ++done;
}

int main(void) {
  one();
  two();
  return 0;
}
