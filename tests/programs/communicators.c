/* Random communicators, made of each other in every way. Each process prints, for each that it is in, its name and its
   members as ranks in MPI_COMM_WORLD, translated by MPI. Usage: communicators SEED STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 };

static MPI_Comm known[most];
static int count = 0, rank, size;
static unsigned state;

/* The same numbers on all processes. */
static int random_below(int n) {
  state = state * 1103515245u + 12345u;
  return (int)(state >> 16) % n;
}

static void ranks_of(MPI_Group group, char* text) {
  MPI_Group all;
  int n, from[64], to[64];
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_size(group, &n);
  for (int i = 0; i < n; ++i) from[i] = i;
  MPI_Group_translate_ranks(group, n, from, all, to);
  for (int i = 0; i < n; ++i) text += sprintf(text, "%s%d", i == 0 ? "" : ",", to[i]);
  MPI_Group_free(&all);
}

/* Gives it a name that its members alone know: the step, and its first member. */
static void keep(MPI_Comm comm, int step) {
  int inter, first = rank, lowest;
  char name[64], members[512] = "", others[512] = "";
  MPI_Group group;
  if (comm == MPI_COMM_NULL) return;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_group(comm, &group);
  ranks_of(group, members);
  MPI_Group_free(&group);
  lowest = atoi(members);
  if (inter) {
    MPI_Comm_remote_group(comm, &group);
    ranks_of(group, others);
    MPI_Group_free(&group);
    first = atoi(others);
    sprintf(name, "i%d-%d-%d", step, lowest < first ? lowest : first, lowest < first ? first : lowest);
  } else {
    sprintf(name, "c%d-%d", step, lowest);
  }
  MPI_Comm_set_name(comm, name);
  if (!inter) {
    printf("%s %s\n", name, members);
    MPI_Barrier(comm);
  } else {
    printf("%s %s|%s\n", name, lowest < first ? members : others, lowest < first ? others : members);
    MPI_Barrier(comm);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int steps = argc > 2 ? atoi(argv[2]) : 20;
  state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  known[count++] = MPI_COMM_WORLD;
  for (int step = 0; step < steps; ++step) {
    /* All processes draw the same numbers; who is not in the parent only draws. */
    const int parent = random_below(count), how = random_below(7), modulus = 2 + random_below(3), turn = random_below(2);
    MPI_Comm from = known[parent], made = MPI_COMM_NULL;
    if (from != MPI_COMM_NULL) {
      int own, n;
      MPI_Group all, some;
      MPI_Comm_rank(from, &own);
      MPI_Comm_size(from, &n);
      MPI_Comm_group(from, &all);
      int range[1][3] = {{turn ? n - 1 : 0, turn ? 0 : n - 1, turn ? -1 : 1}};
      MPI_Group_range_incl(all, 1, range, &some);
      switch (how) {
        case 0:
          MPI_Comm_dup(from, &made);
          break;
        case 1:
          MPI_Comm_split(from, own % modulus, turn ? -own : own, &made);
          break;
        case 2:
          MPI_Comm_split(from, own % modulus == 0 ? MPI_UNDEFINED : 1, own, &made);
          break;
        case 3:
          MPI_Comm_create(from, some, &made);
          break;
        case 4:
          MPI_Comm_create_group(from, some, 5, &made);
          break;
        case 5: {
          int sizes[1] = {n}, periodic[1] = {1};
          MPI_Cart_create(from, 1, sizes, periodic, 0, &made);
          break;
        }
        default: /* two halves that become an inter-communicator, and that one communicator again */
          if (n > 1) {
            MPI_Comm half, between;
            const int upper = own >= n / 2;
            MPI_Comm_split(from, upper, own, &half);
            MPI_Intercomm_create(half, 0, from, upper ? 0 : n / 2, 6, &between);
            keep(between, step);
            MPI_Intercomm_merge(between, upper, &made);
            MPI_Comm_free(&between);
            MPI_Comm_free(&half);
          }
      }
      MPI_Group_free(&all);
      MPI_Group_free(&some);
      keep(made, step);
    }
    /* Now and then one is freed, so that its handle is used again. */
    if (turn && how < 3 && made != MPI_COMM_NULL) MPI_Comm_free(&made);
    if (turn && how < 3) continue;
    if (count < most) known[count++] = made;
  }
  MPI_Finalize();
  return 0;
}
