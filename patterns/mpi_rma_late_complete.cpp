// mpi_rma_late_complete: a target waits though all operations are done, because an origin completes its epoch late.
//
// severity    min(K, L) - max(T, E) if > 0; K: latest enter of MPI_Win_complete among the origins; T: latest exit of
//             an operation of theirs on this target in the epoch; E, L: enter and exit of MPI_Win_wait
// charged to  MPI_Win_wait, target; the culprit is the origin that completed last
// unit        ticks
// state       exposure epochs that are open or lack an origin's epoch
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   complete the epoch right after the last operation
#include "completion.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class LateCompletePattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_late_complete", "mpi_rma_early_wait", Unit::seconds, true, "Late complete",
                         "Time in MPI_Win_wait between the last operation on the process's memory and the last "
                         "MPI_Win_complete."}},
            .severity =
                "min(K, L) - max(T, E) if > 0; K: latest enter of MPI_Win_complete among the origins; T: latest exit "
                "of an operation of theirs on this target in the epoch; E, L: enter and exit of MPI_Win_wait",
            .charged_to = "MPI_Win_wait, target; the culprit is the origin that completed last",
            .state = "exposure epochs that are open or lack an origin's epoch",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "complete the epoch right after the last operation"};
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& context) override {
    const Completion k(e);
    if (k.last == nullptr) return;
    Time since = e.wait.enter;
    for (const RmaExposureOrigin& o : e.origins)
      if (o.access.last != nullptr) since = std::max(since, o.access.last->exit);
    if (k.until > since) context.add_wait(0, make_wait(e.wait, since, static_cast<Ticks>(k.until - since), *k.last));
  }
};

}  // namespace

PatternHandle mpi_rma_late_complete() { return make_pattern<LateCompletePattern>(); }

}  // namespace waitstate::patterns
