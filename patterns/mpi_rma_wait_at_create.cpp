#include "window_wait.hpp"

namespace waitstate::patterns {

PatternHandle mpi_rma_wait_at_create() {
  return make_pattern<WindowWait>(WindowWait::WindowOperation{
      .kind = RmaCollectiveKind::create,
      .functions = {.has = {"create", "allocate"}, .has_not = {"keyval", "errhandler"}},
      .metric = {.id = "mpi_rma_wait_at_create",
                 .parent = "mpi_mgmt_win",
                 .title = "Wait at window create",
                 .summary =
                     "Time in functions that create or allocate a window before the last process has reached them.",
                 .kind = MetricKind::wait},
      .charged_to = "the call that creates the window, rank i; the culprit began last",
      .diagnosis = "create windows once, outside of phases with unequal load"});
}

}  // namespace waitstate::patterns
