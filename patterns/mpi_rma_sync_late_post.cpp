#include "late_post.hpp"
#include "rma_wait.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class SyncLatePostPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_rma_sync_late_post",
                     .parent = "mpi_rma_sync_active",
                     .title = "Late post (synchronisation)",
                     .summary =
                         "Time in start and complete calls before all targets have posted their part of the window.",
                     .kind = MetricKind::wait}},
        .severity =
            "P: latest enter of MPI_Win_post over the target group. P - E(complete) if P is inside of "
            "MPI_Win_complete, else P - E(start) if inside of MPI_Win_start",
        .charged_to = "that call, origin; the culprit is the target that posted last",
        .state = "access epochs that are open or lack a post",
        .source = one_sided_source,
        .differs = "no",
        .diagnosis = "post the window earlier, or start the access epoch later"};
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    const LatePost late(e);
    if (late.waiting != nullptr)
      context.add_wait(first_metric, make_wait(*late.waiting,
                                               static_cast<Ticks>(late.post->enter - late.waiting->enter), *late.post));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_rma_sync_active);
  }
};

}  // namespace

PatternHandle mpi_rma_sync_late_post() { return make_pattern<SyncLatePostPattern>(); }

}  // namespace waitstate::patterns
