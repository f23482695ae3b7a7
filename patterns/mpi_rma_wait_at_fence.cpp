#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class WaitAtFencePattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_rma_wait_at_fence",
                         .parent = "mpi_rma_sync_active",
                         .title = "Wait at fence",
                         .summary = "Time in fences before the last process has reached them.",
                         .kind = MetricKind::wait}},
            .severity =
                "min(maxB, C_i) - B_i if > 0, if all were in the fence at the same time (minC > maxB); B, C: begin and "
                "end records",
            .charged_to = "the fence, rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source = one_sided_source,
            .differs =
                "no; if the assertions of a fence make it asynchronous, an end record comes before the last begin "
                "record, and nobody "
                "waits",
            .diagnosis =
                "balance the work between fences, or synchronise only with the processes that take part (post, start, "
                "complete, wait)"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == RmaCollectiveKind::fence && all_overlap(r.collective)) add_waits_for_last(r.collective, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_rma_sync_active);
  }
};

}  // namespace

PatternHandle mpi_rma_wait_at_fence() { return make_pattern<WaitAtFencePattern>(); }

}  // namespace waitstate::patterns
