#include "late_post.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_sync_late_post() {
  return make_pattern<LatePost>(LatePost::WaitingCalls{
      .in = LatePost::In::start_or_complete,
      .region_class = RegionClass::mpi_rma_sync_active,
      .metric = {.id = "mpi_rma_sync_late_post",
                 .parent = "mpi_rma_sync_active",
                 .title = "Late post (synchronisation)",
                 .summary = "Time in start and complete calls before all targets have posted their part of the window.",
                 .kind = MetricKind::wait},
      .severity = "P: latest enter of MPI_Win_post over the target group. P - E(complete) if P lies in "
                  "MPI_Win_complete, else P - E(start) if P lies in MPI_Win_start",
      .charged_to = "the waiting call, origin; the culprit is the target that posted last",
      .differs = "no",
      .diagnosis = "post the window earlier, or start the access epoch later"});
}

}  // namespace waitstate::patterns
