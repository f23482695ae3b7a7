#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class ShmemWaitUntilPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics =
            {{.id = "shmem_wait_until",
              .parent = "shmem_point2point_synchronization",
              .title = "SHMEM wait until",
              .summary =
                  "Time in shmem_wait and shmem_wait_until before the operation that changed the memory was started.",
              .kind = MetricKind::wait}},
        .severity =
            "E(w) - E if > 0; w: the put or atomic operation of another processing element on this one's memory that "
            "was started last before the call was left, if the two overlap; L - E if there is none; E, L: enter and "
            "exit of the call",
        .charged_to = "shmem_wait…, the processing element that waits; the culprit started w",
        .state = "the last operation for each window and target",
        .source = one_sided_source,
        .differs =
            "from the plain time in the call: if the trace shows it, only the time until the operation that changed "
            "the memory. The trace does not show which address changed",
        .diagnosis = "start the put earlier, or do other work before the wait"};
  }

  void rma_wait_change_callback(const RmaWaitChange& w, Context& context) override {
    if (!is_of(w.call, RegionClass::shmem_point2point_synchronization, context) || w.call.exit <= w.call.enter) return;
    if (w.changed == nullptr)
      context.add_wait(whole_call(w.call));
    else if (w.changed->enter > w.call.enter)
      context.add_wait(make_wait(w.call, static_cast<Ticks>(w.changed->enter - w.call.enter), *w.changed));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::shmem_point2point_synchronization);
  }
};

}  // namespace

PatternHandle shmem_wait_until() { return make_pattern<ShmemWaitUntilPattern>(); }

}  // namespace waitstate::patterns
