// mpi_rma_wait_at_free: processes wait for the last one when they free a window.
//
// severity    min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members of the window
// charged to  the call that frees the window, rank i; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   free windows where all processes get to at the same time; balance the work before
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class WaitAtFreePattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_wait_at_free", "mpi_mgmt_win", Unit::seconds, true, "Wait at window free",
                         "Time in functions that free a window before the last process has reached them."}},
            .severity = "min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members of the window",
            .charged_to = "the call that frees the window, rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "free windows where all processes get to at the same time; balance the work before"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == RmaCollectiveKind::free && r.paradigm == Paradigm::mpi) add_waits_for_last(r.collective, context);
  }
};

}  // namespace

PatternHandle mpi_rma_wait_at_free() { return make_pattern<WaitAtFreePattern>(); }

}  // namespace waitstate::patterns
