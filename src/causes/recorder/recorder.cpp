#include "causes/recorder/recorder.hpp"

namespace waitstate::causes {

Interests Recorder::interests(bool all_waits) {
  const Interests always = Interests{interest_collective} | interest_team_barrier | interest_completed_collectives |
                           interest_message_search | interest_handle_creation | interest_rma_collective |
                           interest_rma_access_epoch | interest_rma_exposure_epoch | interest_rma_passive_call |
                           interest_rma_wait_change | interest_lock_acquired | interest_device_wait;
  return all_waits ? always | interest_task_idle : always;
}

void Recorder::finish() {
  threads_.find_forks();
  if (to_.left_out()) return;
  threads_.finish();
  devices_.finish();
  incomplete.finish();
}

}  // namespace waitstate::causes
