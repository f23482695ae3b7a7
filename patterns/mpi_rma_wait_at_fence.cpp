// mpi_rma_wait_at_fence: processes wait in MPI_Win_fence for the last one to get there.
//
// severity    min(maxB, C_i) - B_i if > 0, where all were in the fence at the same time (minC > maxB); B, C: begin and
//             end records
// charged to  the fence, rank i; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no; a fence that its assertions make asynchronous shows in ends before the last begin: nobody waits then
// diagnosis   balance the work between fences, or synchronise with those processes only that take part (post, start,
//             complete, wait)
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class WaitAtFencePattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_wait_at_fence", "mpi_rma_sync_active", Unit::seconds, true, "Wait at fence",
                         "Time in fences before the last process has reached them."}},
            .severity =
                "min(maxB, C_i) - B_i if > 0, where all were in the fence at the same time (minC > maxB); B, C: "
                "begin and end records",
            .charged_to = "the fence, rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs =
                "no; a fence that its assertions make asynchronous shows in ends before the last begin: nobody waits "
                "then",
            .diagnosis =
                "balance the work between fences, or synchronise with those processes only that take part (post, "
                "start, complete, wait)"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == RmaCollectiveKind::fence && all_overlap(r.collective)) add_waits_for_last(r.collective, context);
  }
};

}  // namespace

PatternHandle mpi_rma_wait_at_fence() { return make_pattern<WaitAtFencePattern>(); }

}  // namespace waitstate::patterns
