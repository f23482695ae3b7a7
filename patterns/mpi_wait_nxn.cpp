// mpi_wait_nxn: processes wait in an all-to-all operation for the last one to begin.
//
// severity    if all were in it at the same time (minC > maxB): min(maxB, C_i) - B_i; else, for ranks that receive
// bytes,
//             min(latest, C_i) - B_i with latest = max B over the ranks that send bytes (on an inter-communicator: of
//             the other group; of a neighbourhood operation: of the neighbours); if > 0, and only where data moved at
//             all. A non-blocking operation waits in the call that completes it: min(max_j E_j, L) - E over the calls
//             in which the ranks that send started it
// charged to  Allreduce, Allgather(v), Alltoall(v, w), Reduce_scatter(_block) and their neighbourhood forms (of a
//             non-blocking one, the completing call), rank i; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      Scalasca 2.6; Wolf and Mohr, EuroPar 2001
// differs     from Scalasca: Alltoallv, Alltoallw, neighbourhood and non-blocking operations and inter-communicators
// are
//             analysed
// diagnosis   balance the work before the operation; a non-blocking form can hide part of the wait
#include "nxn.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class NxnWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_wait_nxn", "mpi_collective", Unit::seconds, true, "Wait at N x N",
                     "Time in all-to-all operations before the last process has begun."}},
        .severity = "min(maxB, C_i) - B_i; if not all overlap, of ranks that receive, for the last of those that send",
        .charged_to = "the all-to-all operation (non-blocking: the call that completes it), each process that waits",
        .state = "the parts of operations that some member has not reached yet",
        .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001",
        .differs = "from Scalasca: v- and w-variants of Alltoall, neighbourhood and non-blocking operations too",
        .diagnosis = "balance the work before the operation; a non-blocking form can hide part of the wait"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::all_to_all) return;
    const Nxn nxn(c);
    if (!nxn.payload_moved()) return;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const std::uint32_t last = nxn.awaited_by(i);
      if (last == Latest::nobody) continue;
      const CollectiveMember& m = c.members[i];
      if (const Ticks t = wait_ticks(c, i, last); t > 0)
        context.add_wait(0, make_wait(*m.call, m.begin, t, *c.members[last].call));
    }
  }

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == CollectiveKind::all_to_all)
      context.add_wait(0, make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }
};

}  // namespace

PatternHandle mpi_wait_nxn() { return make_pattern<NxnWaitPattern>(); }

}  // namespace waitstate::patterns
