#include "record/mpi/collectives.hpp"

namespace waitstate::record::mpi {

bool collective(MpiCall& c, OTF2_CollectiveOp op, MPI_Comm comm) {
  c.collective.op = op;
  c.collective.comm = find_comm(comm);
  return c.collective.comm != nullptr;
}

Part rooted(MpiCall& c, OTF2_CollectiveOp op, MPI_Comm comm, int root) {
  if (!collective(c, op, comm)) return Part::none;
  const Comm& known = *c.collective.comm;
  c.collective.root = static_cast<std::uint32_t>(root);
  if (!known.inter) return root == known.rank ? Part::root : Part::member;
  if (root == MPI_ROOT) {
    c.collective.root = OTF2_COLLECTIVE_ROOT_SELF;
    return Part::root;
  }
  if (root == MPI_PROC_NULL) {
    c.collective.root = OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    return Part::none;
  }
  return Part::member;
}

void begins_collective(MpiCall& c) {
  if (c.collective.comm == nullptr) return;
  c.start(*c.collective.comm, {.kind = StartRecord::Kind::collective});
  c.wait_for(Waiting::What::collective, c.collective.comm->number);
}

void ended_collective(MpiCall& c) {
  const Collective& k = c.collective;
  if (k.comm == nullptr) return;
  if (c.t.muted) [[unlikely]]
    return note_unrecorded({Unrecorded::Kind::collective, k.comm->number});
  c.t.record(OTF2_EvtWriter_MpiCollectiveEnd, c.end, k.op, k.comm->number, k.root, k.sent, k.received);
}

void starts_collective(MpiCall& c) {
  if (c.collective.comm == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::collective;
  o.collective = c.collective;
  o.comm = c.collective.comm;
  o.id = c.new_id();
  c.start(*c.collective.comm, {.kind = StartRecord::Kind::icollective, .id = o.id});
}

Neighbours neighbours(Comm& comm) {
  if (comm.sources < 0) {
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
    real::Topo_test(comm.handle, &kind);
    if (kind == MPI_CART) {
      int dimensions = 0;
      real::Cartdim_get(comm.handle, &dimensions);
      for (int d = 0; d < dimensions; ++d) {
        int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
        real::Cart_shift(comm.handle, d, 1, &below, &above);
        for (const int peer : {below, above}) comm.nobody.push_back(peer == MPI_PROC_NULL ? 1 : 0);
      }
      in = out = 2 * dimensions;
    } else if (kind == MPI_GRAPH) {
      real::Graph_neighbors_count(comm.handle, comm.rank, &in);
      out = in;
    } else if (kind == MPI_DIST_GRAPH) {
      real::Dist_graph_neighbors_count(comm.handle, &in, &out, &weighted);
    }
    comm.targets = out;
    comm.sources = in;
  }
  return {static_cast<std::uint64_t>(comm.sources), static_cast<std::uint64_t>(comm.targets), &comm.nobody};
}

}  // namespace waitstate::record::mpi
