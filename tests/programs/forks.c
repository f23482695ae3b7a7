/* A child of a process of MPI that lives on: it calls MPI, works in regions, and ends by itself. Usage: forks HOW

   HOW is how it comes to be (fork, clone) or what it does: finalize calls MPI_Finalize in it. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/waitstate/record.h"

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "fork";
  int rank, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  fflush(stdout);
  const pid_t child = strcmp(how, "clone") == 0 ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
  if (child == 0) {
    alarm(5); /* should MPI wait for somebody */
    for (int i = 0; i < 1000; ++i) {
      ws_region_begin("child");
      MPI_Comm_set_name(MPI_COMM_SELF, "child"); /* nothing that makes progress: the queues are the parent's */
      ws_region_end();
    }
    if (strcmp(how, "finalize") == 0) MPI_Finalize();
    exit(3);
  }
  waitpid(child, &status, 0);
  printf("rank %d: child %s %d\n", rank, WIFEXITED(status) ? "ended with" : "died of",
         WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
