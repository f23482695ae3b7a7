// Collective operations: what each moves, computed before the call from the arguments that are significant here.
//
// With n processes, own rank r and b bytes an element of the operation: Bcast root sends n·b, all receive b; Gather b,
// root receives n·b; Scatter the other way round; Reduce b, root n·b; Allreduce, Allgather, Alltoall,
// Reduce_scatter_block n·b both; Scan (n-r)·b and (r+1)·b; forms with a count for each process: sums of the counts. Of
// an inter-communicator n is the size of the other group.
#pragma once

#include "record/mpi/communicators.hpp"
#include "record/mpi/messages.hpp"

namespace waitstate::record::mpi {

/// Begins in c.collective; false if the communicator is unknown.
bool collective(MpiCall& c, OTF2_CollectiveOp op, MPI_Comm comm);
/// Like the one above, with a root. True as `root_here` if this process is the root, false where it takes part as
/// another one; with neither (an inter-communicator's group beside the root) sizes are 0.
enum class Part : std::uint8_t { root, member, none };
Part rooted(MpiCall& c, OTF2_CollectiveOp op, MPI_Comm comm, int root);

void begins_collective(MpiCall& c);
void ended_collective(MpiCall& c);
void starts_collective(MpiCall& c);

/// Processes whose counts are in an array.
inline std::uint64_t processes(const MpiCall& c) {
  const Comm& comm = *c.collective.comm;
  return static_cast<std::uint64_t>(comm.inter ? comm.remote_size : comm.size);
}
template <class N>
std::uint64_t sum(const N* counts, std::uint64_t n) {
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < n; ++i)
    if (counts[i] > 0) all += static_cast<std::uint64_t>(counts[i]);
  return all;
}
template <class N>
std::uint64_t sum(const N* counts, const MPI_Datatype* types, std::uint64_t n) {
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < n; ++i) all += bytes_of(counts[i], types[i]);
  return all;
}
inline void moves(MpiCall& c, std::uint64_t sent, std::uint64_t received) {
  c.collective.sent = sent;
  c.collective.received = received;
}

inline void barrier(MpiCall& c, MPI_Comm comm) { collective(c, OTF2_COLLECTIVE_OP_BARRIER, comm); }

inline void bcast(MpiCall& c, std::int64_t count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_BCAST, comm, root);
  if (part == Part::none) return;
  const std::uint64_t b = bytes_of(count, type);
  const bool both = part == Part::root && !c.collective.comm->inter;
  moves(c, part == Part::root ? processes(c) * b : 0, part == Part::member || both ? b : 0);
}

inline void gather(MpiCall& c, const void* send, std::int64_t count, MPI_Datatype type, std::int64_t receive_count,
                   MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_GATHER, comm, root);
  if (part == Part::none) return;
  const bool at_root = part == Part::root, inter = c.collective.comm->inter;
  const std::uint64_t r = at_root ? bytes_of(receive_count, receive_type) : 0;
  moves(c, at_root && (inter || send == MPI_IN_PLACE) ? (inter ? 0 : r) : bytes_of(count, type),
        at_root ? processes(c) * r : 0);
}

template <class N>
void gatherv(MpiCall& c, const void* send, N count, MPI_Datatype type, const N* counts, MPI_Datatype receive_type,
             int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_GATHERV, comm, root);
  if (part == Part::none) return;
  const bool at_root = part == Part::root, inter = c.collective.comm->inter;
  std::uint64_t sent = 0;
  if (!at_root || (!inter && send != MPI_IN_PLACE))
    sent = bytes_of(count, type);
  else if (!inter)
    sent = bytes_of(counts[c.collective.comm->rank], receive_type);
  moves(c, sent, at_root ? bytes_of(static_cast<std::int64_t>(sum(counts, processes(c))), receive_type) : 0);
}

inline void scatter(MpiCall& c, std::int64_t count, MPI_Datatype type, const void* receive, std::int64_t receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_SCATTER, comm, root);
  if (part == Part::none) return;
  const bool at_root = part == Part::root, inter = c.collective.comm->inter;
  const std::uint64_t s = at_root ? bytes_of(count, type) : 0;
  moves(c, at_root ? processes(c) * s : 0,
        at_root && (inter || receive == MPI_IN_PLACE) ? (inter ? 0 : s) : bytes_of(receive_count, receive_type));
}

template <class N>
void scatterv(MpiCall& c, const N* counts, MPI_Datatype type, const void* receive, N receive_count,
              MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_SCATTERV, comm, root);
  if (part == Part::none) return;
  const bool at_root = part == Part::root, inter = c.collective.comm->inter;
  std::uint64_t received = 0;
  if (!at_root || (!inter && receive != MPI_IN_PLACE))
    received = bytes_of(receive_count, receive_type);
  else if (!inter)
    received = bytes_of(counts[c.collective.comm->rank], type);
  moves(c, at_root ? bytes_of(static_cast<std::int64_t>(sum(counts, processes(c))), type) : 0, received);
}

inline void to_all(MpiCall& c, OTF2_CollectiveOp op, const void* send, std::int64_t count, MPI_Datatype type,
                   std::int64_t receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  if (!collective(c, op, comm)) return;
  const std::uint64_t r = processes(c) * bytes_of(receive_count, receive_type);
  moves(c, send == MPI_IN_PLACE ? r : processes(c) * bytes_of(count, type), r);
}
inline void allgather(MpiCall& c, const void* send, std::int64_t count, MPI_Datatype type, std::int64_t receive_count,
                      MPI_Datatype receive_type, MPI_Comm comm) {
  to_all(c, OTF2_COLLECTIVE_OP_ALLGATHER, send, count, type, receive_count, receive_type, comm);
}
inline void alltoall(MpiCall& c, const void* send, std::int64_t count, MPI_Datatype type, std::int64_t receive_count,
                     MPI_Datatype receive_type, MPI_Comm comm) {
  to_all(c, OTF2_COLLECTIVE_OP_ALLTOALL, send, count, type, receive_count, receive_type, comm);
}

template <class N>
void allgatherv(MpiCall& c, const void* send, N count, MPI_Datatype type, const N* counts, MPI_Datatype receive_type,
                MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLGATHERV, comm)) return;
  const std::uint64_t own =
      send == MPI_IN_PLACE ? bytes_of(counts[c.collective.comm->rank], receive_type) : bytes_of(count, type);
  moves(c, processes(c) * own, bytes_of(static_cast<std::int64_t>(sum(counts, processes(c))), receive_type));
}

template <class N>
void alltoallv(MpiCall& c, const void* send, const N* counts, MPI_Datatype type, const N* receive_counts,
               MPI_Datatype receive_type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLTOALLV, comm)) return;
  const std::uint64_t r = bytes_of(static_cast<std::int64_t>(sum(receive_counts, processes(c))), receive_type);
  moves(c, send == MPI_IN_PLACE ? r : bytes_of(static_cast<std::int64_t>(sum(counts, processes(c))), type), r);
}

template <class N>
void alltoallw(MpiCall& c, const void* send, const N* counts, const MPI_Datatype* types, const N* receive_counts,
               const MPI_Datatype* receive_types, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLTOALLW, comm)) return;
  const std::uint64_t r = sum(receive_counts, receive_types, processes(c));
  moves(c, send == MPI_IN_PLACE ? r : sum(counts, types, processes(c)), r);
}

inline void reduce(MpiCall& c, std::int64_t count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Part part = rooted(c, OTF2_COLLECTIVE_OP_REDUCE, comm, root);
  if (part == Part::none) return;
  const std::uint64_t b = bytes_of(count, type);
  const bool at_root = part == Part::root;
  moves(c, at_root && c.collective.comm->inter ? 0 : b, at_root ? processes(c) * b : 0);
}

inline void allreduce(MpiCall& c, std::int64_t count, MPI_Datatype type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLREDUCE, comm)) return;
  const std::uint64_t all = processes(c) * bytes_of(count, type);
  moves(c, all, all);
}

template <class N>
void reduce_scatter(MpiCall& c, const N* counts, MPI_Datatype type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_REDUCE_SCATTER, comm)) return;
  const auto members = static_cast<std::uint64_t>(c.collective.comm->size);
  moves(c, bytes_of(static_cast<std::int64_t>(sum(counts, members)), type),
        processes(c) * bytes_of(counts[c.collective.comm->rank], type));
}

inline void reduce_scatter_block(MpiCall& c, std::int64_t count, MPI_Datatype type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, comm)) return;
  const std::uint64_t all = processes(c) * bytes_of(count, type);
  moves(c, all, all);
}

inline void scan(MpiCall& c, std::int64_t count, MPI_Datatype type, MPI_Comm comm, bool exclusive) {
  if (!collective(c, exclusive ? OTF2_COLLECTIVE_OP_EXSCAN : OTF2_COLLECTIVE_OP_SCAN, comm)) return;
  const std::uint64_t b = bytes_of(count, type), rank = static_cast<std::uint64_t>(c.collective.comm->rank);
  const std::uint64_t less = exclusive ? 1 : 0;
  moves(c, (processes(c) - rank - less) * b, (rank + 1 - less) * b);
}

/// The neighbours that the topology of a communicator has here. At the edges of a Cartesian one that is not periodic
/// some places have nobody: arrays have an element for them, and nothing is sent.
struct Neighbours {
  std::uint64_t sources = 0, targets = 0;
  const std::vector<char>* nobody = nullptr;

  bool is(std::uint64_t place) const { return place >= nobody->size() || !(*nobody)[place]; }
  std::uint64_t there(std::uint64_t places) const {
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < places; ++i) n += is(i) ? 1 : 0;
    return n;
  }
  template <class N>
  std::uint64_t bytes(const N* counts, MPI_Datatype type, std::uint64_t places) const {
    std::int64_t sum = 0;
    for (std::uint64_t i = 0; i < places; ++i) sum += is(i) ? static_cast<std::int64_t>(counts[i]) : 0;
    return bytes_of(sum, type);
  }
  template <class N>
  std::uint64_t bytes(const N* counts, const MPI_Datatype* types, std::uint64_t places) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < places; ++i) sum += is(i) ? bytes_of(counts[i], types[i]) : 0;
    return sum;
  }
};
Neighbours neighbours(Comm& comm);

inline void neighbor_allgather(MpiCall& c, std::int64_t count, MPI_Datatype type, std::int64_t receive_count,
                               MPI_Datatype receive_type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLGATHER, comm)) return;
  const Neighbours n = neighbours(*c.collective.comm);
  moves(c, n.there(n.targets) * bytes_of(count, type), n.there(n.sources) * bytes_of(receive_count, receive_type));
}
template <class N>
void neighbor_allgatherv(MpiCall& c, N count, MPI_Datatype type, const N* counts, MPI_Datatype receive_type,
                         MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLGATHERV, comm)) return;
  const Neighbours n = neighbours(*c.collective.comm);
  moves(c, n.there(n.targets) * bytes_of(count, type), n.bytes(counts, receive_type, n.sources));
}
inline void neighbor_alltoall(MpiCall& c, std::int64_t count, MPI_Datatype type, std::int64_t receive_count,
                              MPI_Datatype receive_type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLTOALL, comm)) return;
  const Neighbours n = neighbours(*c.collective.comm);
  moves(c, n.there(n.targets) * bytes_of(count, type), n.there(n.sources) * bytes_of(receive_count, receive_type));
}
template <class N>
void neighbor_alltoallv(MpiCall& c, const N* counts, MPI_Datatype type, const N* receive_counts,
                        MPI_Datatype receive_type, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLTOALLV, comm)) return;
  const Neighbours n = neighbours(*c.collective.comm);
  moves(c, n.bytes(counts, type, n.targets), n.bytes(receive_counts, receive_type, n.sources));
}
template <class N>
void neighbor_alltoallw(MpiCall& c, const N* counts, const MPI_Datatype* types, const N* receive_counts,
                        const MPI_Datatype* receive_types, MPI_Comm comm) {
  if (!collective(c, OTF2_COLLECTIVE_OP_ALLTOALLW, comm)) return;
  const Neighbours n = neighbours(*c.collective.comm);
  moves(c, n.bytes(counts, types, n.targets), n.bytes(receive_counts, receive_types, n.sources));
}

}  // namespace waitstate::record::mpi
