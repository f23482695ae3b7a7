#include "window_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_wait_at_free() {
  return make_pattern<WindowWait>(WindowWait::WindowOperation{
      .kind = RmaCollectiveKind::free,
      .functions = {.has = {"free"}, .has_not = {"keyval"}},
      .metric = {.id = "mpi_rma_wait_at_free",
                 .parent = "mpi_mgmt_win",
                 .title = "Wait at window free",
                 .summary = "Time in functions that free a window before the last process has reached them.",
                 .kind = MetricKind::wait},
      .charged_to = "the call that frees the window, rank i; the culprit began last",
      .diagnosis = "free windows at points that all processes reach at the same time, or balance the work before"});
}

}  // namespace waitstate::patterns
