#include "rma_wait.hpp"
#include "rules/last_completion.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class EarlyWaitPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_rma_early_wait",
                         .parent = "mpi_rma_sync_active",
                         .title = "Early wait",
                         .summary = "Time in MPI_Win_wait before the last origin has called MPI_Win_complete.",
                         .kind = MetricKind::wait}},
            .severity =
                "min(K, L) - E if > 0; K: latest enter of MPI_Win_complete among the origins; E, L: enter and exit of "
                "MPI_Win_wait. MPI_Win_test does not count",
            .charged_to = "MPI_Win_wait, target; the culprit is the origin that completed last",
            .state = "exposure epochs that are open or lack an origin's epoch",
            .source = one_sided_source,
            .differs = "no",
            .diagnosis = "call MPI_Win_wait later, after work that does not need the window, or complete earlier"};
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& context) override {
    const LastCompletion k(e);
    if (k.last != nullptr && k.until > e.wait.enter)
      context.add_wait(make_wait(e.wait, static_cast<Ticks>(k.until - e.wait.enter), *k.last));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_rma_sync_active);
  }
};

}  // namespace

PatternHandle mpi_rma_early_wait() { return make_pattern<EarlyWaitPattern>(); }

}  // namespace waitstate::patterns
