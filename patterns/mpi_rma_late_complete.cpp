#include "rma_wait.hpp"
#include "rules/last_completion.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateCompletePattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_rma_late_complete",
                         .parent = "mpi_rma_early_wait",
                         .title = "Late complete",
                         .summary = "Time in MPI_Win_wait between the last operation on the process's memory and the "
                                    "last MPI_Win_complete.",
                         .kind = MetricKind::wait}},
            .severity =
                "min(K, L) - max(T, E) if > 0; K: latest enter of MPI_Win_complete among the origins; T: latest exit "
                "of one of their operations on this target in the epoch; E, L: enter and exit of MPI_Win_wait",
            .charged_to = "MPI_Win_wait, target; the culprit is the origin that completed last",
            .state = "exposure epochs that are open or lack an origin's epoch",
            .source = one_sided_source,
            .differs = "no",
            .diagnosis = "complete the epoch right after the last operation"};
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& context) override {
    const LastCompletion k(e);
    if (k.last == nullptr) return;
    Time since = e.wait.enter;
    for (const RmaExposureOrigin& o : e.origins)
      if (o.access.last != nullptr) since = std::max(since, o.access.last->exit);
    if (k.until > since) context.add_wait(make_wait(e.wait, since, static_cast<Ticks>(k.until - since), *k.last));
  }
};

}  // namespace

PatternHandle mpi_rma_late_complete() { return make_pattern<LateCompletePattern>(); }

}  // namespace waitstate::patterns
