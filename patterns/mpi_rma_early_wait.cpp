// mpi_rma_early_wait: a target waits in MPI_Win_wait for its origins to complete their epochs.
//
// severity    min(K, L) - E if > 0; K: latest enter of MPI_Win_complete among the origins; E, L: enter and exit of
//             MPI_Win_wait; not in MPI_Win_test
// charged to  MPI_Win_wait, target; the culprit is the origin that completed last
// unit        ticks
// state       exposure epochs that are open or lack an origin's epoch
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   call MPI_Win_wait later, after work that does not need the window, or complete earlier
#include "completion.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class EarlyWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_early_wait", "mpi_rma_sync_active", Unit::seconds, true, "Early wait",
                         "Time in MPI_Win_wait before the last origin has called MPI_Win_complete."}},
            .severity =
                "min(K, L) - E if > 0; K: latest enter of MPI_Win_complete among the origins; E, L: enter and exit "
                "of MPI_Win_wait; not in MPI_Win_test",
            .charged_to = "MPI_Win_wait, target; the culprit is the origin that completed last",
            .state = "exposure epochs that are open or lack an origin's epoch",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "call MPI_Win_wait later, after work that does not need the window, or complete earlier"};
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& context) override {
    const Completion k(e);
    if (k.last != nullptr && k.until > e.wait.enter)
      context.add_wait(0, make_wait(e.wait, static_cast<Ticks>(k.until - e.wait.enter), *k.last));
  }
};

}  // namespace

PatternHandle mpi_rma_early_wait() { return make_pattern<EarlyWaitPattern>(); }

}  // namespace waitstate::patterns
