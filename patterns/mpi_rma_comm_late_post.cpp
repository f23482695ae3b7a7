#include "late_post.hpp"
#include "rma_wait.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class CommLatePostPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_rma_comm_late_post",
                         .parent = "mpi_rma_communication",
                         .title = "Late post (communication)",
                         .summary = "Time in operations before their target has posted its part of the window.",
                         .kind = MetricKind::wait}},
            .severity =
                "where no start or complete call contains the latest post of the target group: for each operation that "
                "contains P, the enter of its target's MPI_Win_post, P - E(operation)",
            .charged_to = "the operation, origin; the culprit is its target",
            .state = "access epochs that are open or lack a post",
            .source = one_sided_source,
            .differs =
                "no; with several targets an operation waits for the post of its own target, which is the only one "
                "that it needs",
            .diagnosis = "post the window earlier, or start the operations later"};
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    if (LatePost(e).waiting != nullptr) return;
    for (const RmaEpochOperation& o : e.operations) {
      const Call& post = e.targets[o.target].post;
      if (contains(o.call, post.enter))
        context.add_wait(first_metric, make_wait(o.call, static_cast<Ticks>(post.enter - o.call.enter), post));
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_rma_communication);
  }
};

}  // namespace

PatternHandle mpi_rma_comm_late_post() { return make_pattern<CommLatePostPattern>(); }

}  // namespace waitstate::patterns
