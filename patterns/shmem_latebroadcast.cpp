// shmem_latebroadcast: processing elements wait in a broadcast for the root to get there.
//
// severity    min(E(root), L_i) - E_i if > 0; E, L: enter and exit of the broadcast
// charged to  the broadcast, each processing element that waits; the culprit is the root
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   balance the work before the broadcast, or let the root get there first
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class ShmemLateBroadcastPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"shmem_latebroadcast", "shmem_collective", Unit::seconds, true, "Late SHMEM broadcast",
                         "Time in SHMEM broadcasts before the root has reached them."}},
            .severity = "min(E(root), L_i) - E_i if > 0; E, L: enter and exit of the broadcast",
            .charged_to = "the broadcast, each processing element that waits; the culprit is the root",
            .state = "the parts of operations that some member has not reached yet",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "balance the work before the broadcast, or let the root get there first"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    const Collective& c = r.collective;
    if (c.kind == CollectiveKind::one_to_all && c.root != Collective::no_root &&
        are_of(c, RegionClass::shmem_collective, context))
      add_waits_for(c, c.root, context);
  }
};

}  // namespace

PatternHandle shmem_latebroadcast() { return make_pattern<ShmemLateBroadcastPattern>(); }

}  // namespace waitstate::patterns
