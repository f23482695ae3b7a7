// shmem_barrier_wait: processing elements wait in a barrier for the last one to get there.
//
// severity    min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of the barrier
// charged to  the barrier, each processing element that waits; the culprit entered last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   balance the work before the barrier, or synchronise with those only that are concerned
//             (shmem_wait_until)
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class ShmemBarrierWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"shmem_barrier_wait", "shmem_sync_collective", Unit::seconds, true, "Wait at SHMEM barrier",
                         "Time in SHMEM barriers before the last processing element has reached them."}},
            .severity = "min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of the barrier",
            .charged_to = "the barrier, each processing element that waits; the culprit entered last",
            .state = "the parts of operations that some member has not reached yet",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis =
                "balance the work before the barrier, or synchronise with those only that are concerned "
                "(shmem_wait_until)"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.collective.kind == CollectiveKind::barrier &&
        are_of(r.collective, RegionClass::shmem_sync_collective, context))
      add_waits_for(r.collective, last_to_enter(r.collective), context);
  }
};

}  // namespace

PatternHandle shmem_barrier_wait() { return make_pattern<ShmemBarrierWaitPattern>(); }

}  // namespace waitstate::patterns
