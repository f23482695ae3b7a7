// mpi_rma_sync_late_post: an origin waits in MPI_Win_start or MPI_Win_complete for a target to post its window.
//
// severity    P: latest enter of MPI_Win_post over the target group. P - E(complete) if P is inside of
//             MPI_Win_complete, else P - E(start) if inside of MPI_Win_start
// charged to  that call, origin; the culprit is the target that posted last
// unit        ticks
// state       access epochs that are open or lack a post
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   post the window earlier, or start the access epoch later
#include "late_post.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class SyncLatePostPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_rma_sync_late_post", "mpi_rma_sync_active", Unit::seconds, true,
                         "Late post (synchronisation)",
                         "Time in start and complete calls before all targets have posted their part of the window."}},
            .severity =
                "P: latest enter of MPI_Win_post over the target group. P - E(complete) if P is inside of "
                "MPI_Win_complete, else P - E(start) if inside of MPI_Win_start",
            .charged_to = "that call, origin; the culprit is the target that posted last",
            .state = "access epochs that are open or lack a post",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "post the window earlier, or start the access epoch later"};
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    const LatePost late(e);
    if (late.waiting != nullptr)
      context.add_wait(
          0, make_wait(*late.waiting, static_cast<Ticks>(late.post->enter - late.waiting->enter), *late.post));
  }
};

}  // namespace

PatternHandle mpi_rma_sync_late_post() { return make_pattern<SyncLatePostPattern>(); }

}  // namespace waitstate::patterns
