/* An OpenSHMEM program that ends in different ways, after 50 barriers. Usage: ends_shmem HOW

   All PEs exit, or the last one ends as it is told while the others wait for it in a barrier. */
#include <shmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "finalize";
  shmem_init();
  for (int i = 0; i < 50; ++i) shmem_barrier_all();
  if (strcmp(how, "all_exit") == 0) exit(3);
  if (shmem_my_pe() == shmem_n_pes() - 1) {
    usleep(100000);
    if (strcmp(how, "segfault") == 0) *(volatile int*)8 = 0;
    if (strcmp(how, "kill") == 0) raise(SIGKILL);
    if (strcmp(how, "c_abort") == 0) abort();
    if (strcmp(how, "leave") == 0) _exit(3);
    if (strcmp(how, "global_exit") == 0) shmem_global_exit(3);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
