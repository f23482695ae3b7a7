/* Collective operations of neighbours on Cartesian topologies with edges and without, their parts, and graphs; started
   and prepared ones too. Each process prints what it sent and received in them, in bytes: from neighbours that are there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 8 };

static int rank, size;
static long long sent = 0, received = 0;
static char out[4096], in[4096];

/* In which places somebody is, of `sources` and `targets`. */
static void exchange(MPI_Comm comm, int sources, const int* is_source, int targets, const int* is_target) {
  int out_counts[most], out_at[most], in_counts[most], in_at[most];
  MPI_Aint out_bytes[most], in_bytes[most];
  MPI_Datatype types[most];
  MPI_Request requests[3];
  int n_sources = 0, n_targets = 0, v_sources = 0, v_targets = 0;
  for (int i = 0; i < most; ++i) {
    out_counts[i] = in_counts[i] = 3, out_at[i] = in_at[i] = 8 * i;
    out_bytes[i] = in_bytes[i] = 64 * i, types[i] = MPI_INT;
  }
  for (int i = 0; i < sources; ++i)
    if (is_source[i]) ++n_sources;
  for (int i = 0; i < targets; ++i)
    if (is_target[i]) ++n_targets;
  v_sources = 3 * n_sources, v_targets = 3 * n_targets;
  MPI_Neighbor_allgather(out, 10, MPI_INT, in, 10, MPI_INT, comm);
  sent += 40 * n_targets, received += 40 * n_sources;
  MPI_Neighbor_allgatherv(out, 3, MPI_INT, in, in_counts, in_at, MPI_INT, comm);
  sent += 4 * v_targets, received += 4 * v_sources;
  MPI_Neighbor_alltoall(out, 5, MPI_DOUBLE, in, 5, MPI_DOUBLE, comm);
  sent += 40 * n_targets, received += 40 * n_sources;
  MPI_Neighbor_alltoallv(out, out_counts, out_at, MPI_INT, in, in_counts, in_at, MPI_INT, comm);
  sent += 4 * v_targets, received += 4 * v_sources;
  MPI_Neighbor_alltoallw(out, out_counts, out_bytes, types, in, in_counts, in_bytes, types, comm);
  sent += 4 * v_targets, received += 4 * v_sources;
  MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm, &requests[0]);
  MPI_Ineighbor_alltoall(out + 64, 2, MPI_INT, in + 64, 2, MPI_INT, comm, &requests[1]);
  MPI_Ineighbor_alltoallv(out + 512, out_counts, out_at, MPI_INT, in + 512, in_counts, in_at, MPI_INT, comm,
                          &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  sent += 12 * n_targets + 4 * v_targets, received += 12 * n_sources + 4 * v_sources;
#if MPI_VERSION >= 4
  MPI_Neighbor_alltoall_init(out, 5, MPI_INT, in, 5, MPI_INT, comm, MPI_INFO_NULL, &requests[0]);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    sent += 20 * n_targets, received += 20 * n_sources;
  }
  MPI_Request_free(&requests[0]);
#endif
}

static void cartesian(MPI_Comm comm, int dimensions) {
  int there[most];
  for (int d = 0; d < dimensions; ++d) {
    int below, above;
    MPI_Cart_shift(comm, d, 1, &below, &above);
    there[2 * d] = below != MPI_PROC_NULL, there[2 * d + 1] = above != MPI_PROC_NULL;
  }
  exchange(comm, 2 * dimensions, there, 2 * dimensions, there);
}

int main(int argc, char** argv) {
  MPI_Comm line, torus, rows, ring, graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size, one = 1;
  int sizes[2] = {size / 2, 2}, with_edges[2] = {0, 0}, without[2] = {1, 1}, keep[2] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, with_edges, 0, &line);
  cartesian(line, 1);
  without[0] = 0; /* one dimension has edges, the other none */
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, without, 0, &torus);
  cartesian(torus, 2);
  MPI_Cart_sub(torus, keep, &rows);
  cartesian(rows, 1);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  exchange(ring, 1, &one, 1, &one);
  int* ends = malloc((size_t)size * sizeof *ends);
  int* edges = malloc((size_t)size * sizeof *edges);
  for (int i = 0; i < size; ++i) ends[i] = i + 1, edges[i] = i ^ 1; /* pairs */
  MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &graph);
  exchange(graph, 1, &one, 1, &one);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&rows);
  MPI_Comm_free(&torus);
  MPI_Comm_free(&line);
  printf("rank %d sent %lld received %lld\n", rank, sent, received);
  MPI_Finalize();
  return 0;
}
