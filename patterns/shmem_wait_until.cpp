// shmem_wait_until: a processing element waits for its memory to be changed by another one.
//
// severity    E(w) - E if > 0; w: the put or atomic operation of another processing element on this one's memory that
//             was started last before the call was left, if the two overlap; L - E if there is none; E, L: enter and
//             exit of the call
// charged to  shmem_wait…, the processing element that waits; the culprit started w
// unit        ticks
// state       the last operation per window and target
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     from the plain time in the call: where the trace tells, until the operation that changed the memory.
//             Which address changed is not in the trace
// diagnosis   start the put earlier, or do other work before the wait
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class ShmemWaitUntilPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"shmem_wait_until", "shmem_point2point_synchronization", Unit::seconds, true, "SHMEM wait until",
                     "Time in shmem_wait and shmem_wait_until before the operation that changed the memory was "
                     "started."}},
        .severity =
            "E(w) - E if > 0; w: the put or atomic operation of another processing element on this one's memory "
            "that was started last before the call was left, if the two overlap; L - E if there is none; E, L: "
            "enter and exit of the call",
        .charged_to = "shmem_wait…, the processing element that waits; the culprit started w",
        .state = "the last operation per window and target",
        .source =
            "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
            "Wolf, Euro-Par 2005",
        .differs =
            "from the plain time in the call: where the trace tells, until the operation that changed the "
            "memory. Which address changed is not in the trace",
        .diagnosis = "start the put earlier, or do other work before the wait"};
  }

  void rma_wait_change_callback(const RmaWaitChange& w, Context& context) override {
    if (!is_of(w.call, RegionClass::shmem_point2point_synchronization, context) || w.call.exit <= w.call.enter) return;
    if (w.changed == nullptr)
      context.add_wait(0, whole_call(w.call));
    else if (w.changed->enter > w.call.enter)
      context.add_wait(0, make_wait(w.call, static_cast<Ticks>(w.changed->enter - w.call.enter), *w.changed));
  }
};

}  // namespace

PatternHandle shmem_wait_until() { return make_pattern<ShmemWaitUntilPattern>(); }

}  // namespace waitstate::patterns
