#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class ShmemLockCompletionPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "shmem_lock_completion",
                         .parent = "shmem_point2point_synchronization",
                         .title = "SHMEM lock",
                         .summary = "Time in shmem_set_lock until the lock was released.",
                         .kind = MetricKind::wait}},
            .severity =
                "R - E; R: the last release of the lock by another processing element within the call; 0 if there is "
                "none. L - E if it is not certain which lock it is (two locks of one process at the same offset of a "
                "page, in processes whose addresses differ: the start of their symmetric memory is not recorded); E, "
                "L: enter and exit of the call",
            .charged_to = "shmem_set_lock, the processing element that waits; the culprit released the lock",
            .state =
                "the last release for each lock and target; records that were read ahead of the location that is "
                "furthest behind",
            .source = one_sided_source,
            .differs =
                "from the plain time in shmem_set_lock: if the trace shows it, only the time until the previous owner "
                "has released the lock",
            .diagnosis = "hold the lock for less time, use several locks, or atomic operations instead"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (!is_of(r.call, RegionClass::shmem_point2point_synchronization, context)) return;
    if (r.released != nullptr)
      context.add_wait(make_wait(r.call, static_cast<Ticks>(r.release_time - r.call.enter), *r.released));
    else if (!r.lock_known && r.call.exit > r.call.enter)
      context.add_wait(whole_call(r.call));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::shmem_point2point_synchronization);
  }
};

}  // namespace

PatternHandle shmem_lock_completion() { return make_pattern<ShmemLockCompletionPattern>(); }

}  // namespace waitstate::patterns
