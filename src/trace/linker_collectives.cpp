// Linker: collective operations. A process's n-th operation on a communicator is part of the communicator's n-th one,
// so a count per process and communicator is all that matching takes. What an operation's kind makes its members wait
// for decides the order of their ends in the merge.
#include "trace/linker.hpp"

#include <algorithm>

namespace waitstate::trace {

void Linker::begin_collective(LocationId l) {
  if (!keep_links_) return;
  link_.member = members_.acquire();
  members_[link_.member].location = l;
  members_[link_.member].holds = 2;  // the placing of its begin and of its end
  state(l).open_members.push_back(link_.member);
}

// The end names the communicator: a process's n-th operation on it is part of the communicator's n-th.
void Linker::end_collective(LocationId l, const CommRecord& r) {
  if (keep_links_) {
    auto& open = state(l).open_members;
    if (open.empty()) {
      link_.member = members_.acquire();
      members_[link_.member].location = l;
      members_[link_.member].holds = 1;
    } else {
      link_.member = open.back();
      open.pop_back();
    }
  }
  if (!r.comm.valid()) return;
  const Comm& comm = definitions_[r.comm];
  const std::size_t size = comm.members.size() + comm.members_b.size();
  if (comm.self || size <= 1) return;
  const ProcessId process = state(l).process;
  const std::uint64_t number = collective_counts_.find_or_insert({r.comm.value, process.value})++;
  std::uint32_t& slot = collectives_.find_or_insert({r.comm.value, number});
  const auto op = static_cast<CollectiveOp>(r.tag);
  if (slot == 0) {  // pool numbers are stored plus one: a new entry is 0
    const std::uint32_t id = collective_states_.acquire();
    slot = id + 1;
    Collective& c = collective_states_[id];
    c.comm = r.comm;
    c.op = op;
    c.root = r.peer;
    c.expected = static_cast<std::uint32_t>(size);
    c.holds = 1;
  }
  const std::uint32_t id = slot - 1;
  Collective& c = collective_states_[id];
  if ((c.op != op || c.root != r.peer) && !c.mismatch && !comm.inter()) {
    c.mismatch = true;
    report(DiagnosticId::collective_mismatch, l, r.time);
  }
  ++c.arrived;
  if (keep_links_) {
    members_[link_.member].instance = id;
    c.processes.push_back(process);
    ++c.holds;
  }
  if (c.arrived == c.expected) {
    collectives_.erase({r.comm.value, number});
    release_collective(id);
  }
}

void Linker::release_collective(std::uint32_t instance) {
  if (--collective_states_[instance].holds == 0) collective_states_.release(instance);
}

void Linker::place_collective_begin(std::uint32_t member, Position p) {
  CollectiveMember& m = members_[member];
  m.begin = p;
  if (m.instance != none) {
    Collective& c = collective_states_[m.instance];
    ++c.begun;
    c.root_begun |= m.location == c.root;
    if (c.op == CollectiveOp::scan || c.op == CollectiveOp::exscan) {
      const auto& ranks = definitions_[c.comm].members;
      c.begun_ranks.resize(ranks.size());
      const auto rank = std::find(ranks.begin(), ranks.end(), m.location);
      if (rank != ranks.end()) c.begun_ranks[static_cast<std::size_t>(rank - ranks.begin())] = true;
      while (c.leading_begun < ranks.size() && c.begun_ranks[c.leading_begun]) ++c.leading_begun;
    }
  }
  if (--m.holds == 0) members_.release(member);
}

bool Linker::may_end(std::uint32_t member) const {
  const CollectiveMember& m = members_[member];
  if (m.instance == none) return true;
  const Collective& c = collective_states_[m.instance];
  if (definitions_[c.comm].inter() && c.op != CollectiveOp::barrier) return true;
  switch (c.op) {
    case CollectiveOp::barrier:
    case CollectiveOp::allgather:
    case CollectiveOp::allgatherv:
    case CollectiveOp::alltoall:
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
    case CollectiveOp::allreduce:
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::reduce_scatter_block:
      return c.begun == c.expected;
    case CollectiveOp::bcast:
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return c.root_begun || m.location == c.root || !c.root.valid();
    case CollectiveOp::reduce:
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
      return m.location != c.root || c.begun == c.expected;
    case CollectiveOp::scan:
    case CollectiveOp::exscan: {
      const auto& ranks = definitions_[c.comm].members;
      const auto rank = std::find(ranks.begin(), ranks.end(), m.location);
      return static_cast<std::size_t>(rank - ranks.begin()) <= c.leading_begun;
    }
    default:
      return true;  // handles: nobody has to wait for anybody
  }
}

bool Linker::never_completes(std::uint32_t member) const {
  const CollectiveMember& m = members_[member];
  if (m.instance == none) return true;
  const Collective& c = collective_states_[m.instance];
  if (c.arrived == c.expected) return false;
  for (const auto* ranks : {&definitions_[c.comm].members, &definitions_[c.comm].members_b})
    for (LocationId l : *ranks)
      if (!l.valid() ||
          (processes_[locations_[l.index()].process.index()].ended &&
           std::find(c.processes.begin(), c.processes.end(), locations_[l.index()].process) == c.processes.end()))
        return true;
  return false;
}

void Linker::placed_collective_end(std::uint32_t member) {
  CollectiveMember& m = members_[member];
  if (m.instance != none) release_collective(m.instance);
  if (--m.holds == 0) members_.release(member);
}

bool Linker::is_scan(std::uint32_t member) const {
  const std::uint32_t id = members_[member].instance;
  return id != none &&
         (collective_states_[id].op == CollectiveOp::scan || collective_states_[id].op == CollectiveOp::exscan);
}

}  // namespace waitstate::trace
