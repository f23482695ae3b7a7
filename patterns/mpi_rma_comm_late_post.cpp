// mpi_rma_comm_late_post: an origin waits in a put, get or accumulate for its target to post its window.
//
// severity    where no start or complete call contains the latest post of the target group: for each operation that
//             contains P, the enter of its target's MPI_Win_post, P - E(operation)
// charged to  the operation, origin; the culprit is its target
// unit        ticks
// state       access epochs that are open or lack a post
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no; with several targets an operation waits for the post of its own target, which is the only one that
//             it needs
// diagnosis   post the window earlier, or start the operations later
#include "late_post.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class CommLatePostPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_comm_late_post", "mpi_rma_communication", Unit::seconds, true,
                         "Late post (communication)",
                         "Time in operations before their target has posted its part of the window."}},
            .severity =
                "where no start or complete call contains the latest post of the target group: for each operation "
                "that contains P, the enter of its target's MPI_Win_post, P - E(operation)",
            .charged_to = "the operation, origin; the culprit is its target",
            .state = "access epochs that are open or lack a post",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
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
        context.add_wait(0, make_wait(o.call, static_cast<Ticks>(post.enter - o.call.enter), post));
    }
  }
};

}  // namespace

PatternHandle mpi_rma_comm_late_post() { return make_pattern<CommLatePostPattern>(); }

}  // namespace waitstate::patterns
