/* Parallel regions of two functions, and two of one function. */
#include <unistd.h>

__attribute__((noinline)) void one(void) {
#pragma omp parallel
  usleep(1000);
}

__attribute__((noinline)) void two(void) {
#pragma omp parallel
  usleep(1000);
#pragma omp parallel
  {
    usleep(1000);
#pragma omp barrier
  }
}

int main(void) {
  one();
  two();
  return 0;
}
