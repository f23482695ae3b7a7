// mpi_rma_wait_at_create: processes wait for the last one when they create or allocate a window.
//
// severity    min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members of the window
// charged to  the call that creates the window, rank i; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   create windows once, outside of phases in which the load differs
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class WaitAtCreatePattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_rma_wait_at_create", "mpi_mgmt_win", Unit::seconds, true, "Wait at window create",
                     "Time in functions that create or allocate a window before the last process has reached them."}},
        .severity = "min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members of the window",
        .charged_to = "the call that creates the window, rank i; the culprit began last",
        .state = "the parts of operations that some member has not reached yet",
        .source =
            "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
            "Wolf, Euro-Par 2005",
        .differs = "no",
        .diagnosis = "create windows once, outside of phases in which the load differs"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == RmaCollectiveKind::create && r.paradigm == Paradigm::mpi) add_waits_for_last(r.collective, context);
  }
};

}  // namespace

PatternHandle mpi_rma_wait_at_create() { return make_pattern<WaitAtCreatePattern>(); }

}  // namespace waitstate::patterns
