#include "collective_wait.hpp"
#include "rules/nxn.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class NxnWaitPattern : public CollectiveWait {
 public:
  NxnWaitPattern() : CollectiveWait(CollectiveKind::all_to_all, nxn_functions()) {}

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_wait_nxn",
                         .parent = "mpi_collective",
                         .title = "Wait at N x N",
                         .summary = "Time in all-to-all operations before the last process has begun.",
                         .kind = MetricKind::wait}},
            .severity =
                "if all were in the operation at the same time (minC > maxB): min(maxB, C_i) - B_i; else, for ranks "
                "that receive bytes, min(latest, C_i) - B_i with latest = max B over the ranks that send bytes (on an "
                "inter-communicator: of the other group; in a neighbourhood operation: of the neighbours); if > 0, and "
                "only if data moved. A non-blocking operation waits in the call that completes it: min(max_j E_j, L) - "
                "E over the calls in which the sending ranks started it",
            .charged_to =
                "Allreduce, Allgather(v), Alltoall(v, w), Reduce_scatter(_block) and their neighbourhood forms (for a "
                "non-blocking one, the completing call), rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001",
            .differs =
                "from Scalasca: Alltoallv, Alltoallw, neighbourhood and non-blocking operations and "
                "inter-communicators are analysed",
            .diagnosis = "balance the work before the operation; a non-blocking one can hide part of the wait"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (!is_of(c)) return;
    const Nxn nxn(c);
    if (!nxn.payload_moved()) return;
    for (std::uint32_t i = 0; i < c.members.size(); ++i)
      if (const std::uint32_t last = nxn.awaited_by(i); last != Latest::nobody) add_wait_for(c, i, last, context);
  }
};

}  // namespace

PatternHandle mpi_wait_nxn() { return make_pattern<NxnWaitPattern>(); }

}  // namespace waitstate::patterns
