// shmem_lock_completion: a processing element waits in shmem_set_lock for the lock.
//
// severity    R - E; R: the last release of the lock by another processing element within the call; 0 if there is
//             none. L - E where it cannot be told which lock it is (two locks of one process at the same offset of a
//             page, of processes whose addresses differ: where their symmetric memory begins is not recorded); E, L:
//             enter and exit of the call
// charged to  shmem_set_lock, the processing element that waits; the culprit released the lock
// unit        ticks
// state       the last release per lock and target; what was read ahead of the location that is least far
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     from the plain time in shmem_set_lock: where the trace tells, until the previous owner has released the
//             lock
// diagnosis   hold the lock for less time, use several locks, or atomic operations instead
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class ShmemLockCompletionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"shmem_lock_completion", "shmem_point2point_synchronization", Unit::seconds, true,
                         "SHMEM lock", "Time in shmem_set_lock until the lock was released."}},
            .severity =
                "R - E; R: the last release of the lock by another processing element within the call; 0 if there is "
                "none. L - E where it cannot be told which lock it is (two locks of one process at the same offset "
                "of a page, of processes whose addresses differ: where their symmetric memory begins is not "
                "recorded); E, L: enter and exit of the call",
            .charged_to = "shmem_set_lock, the processing element that waits; the culprit released the lock",
            .state = "the last release per lock and target; what was read ahead of the location that is least far",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs =
                "from the plain time in shmem_set_lock: where the trace tells, until the previous owner has released "
                "the lock",
            .diagnosis = "hold the lock for less time, use several locks, or atomic operations instead"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (!is_of(r.call, RegionClass::shmem_point2point_synchronization, context)) return;
    if (r.released != nullptr)
      context.add_wait(0, make_wait(r.call, static_cast<Ticks>(r.release_time - r.call.enter), *r.released));
    else if (!r.lock_known && r.call.exit > r.call.enter)
      context.add_wait(0, whole_call(r.call));
  }
};

}  // namespace

PatternHandle shmem_lock_completion() { return make_pattern<ShmemLockCompletionPattern>(); }

}  // namespace waitstate::patterns
