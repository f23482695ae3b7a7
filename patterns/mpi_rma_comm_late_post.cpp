#include "late_post.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_comm_late_post() {
  return make_pattern<LatePost>(LatePost::WaitingCalls{
      .in = LatePost::In::operations,
      .region_class = RegionClass::mpi_rma_communication,
      .metric = {.id = "mpi_rma_comm_late_post",
                 .parent = "mpi_rma_communication",
                 .title = "Late post (communication)",
                 .summary = "Time in operations before their target has posted its part of the window.",
                 .kind = MetricKind::wait},
      .severity =
          "if no start or complete call contains the latest post of the target group: P - E(operation) for each "
          "operation that contains P, the enter of its target's MPI_Win_post",
      .charged_to = "the operation, origin; the culprit is its target",
      .differs = "no; with several targets, an operation waits only for the post of its own target",
      .diagnosis = "post the window earlier, or start the operations later"});
}

}  // namespace waitstate::patterns
