// shmem_wait_nxn: processing elements wait in an all-to-all operation for the last one to get there.
//
// severity    min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of collect, fcollect, alltoall or a reduction
// charged to  the operation, each processing element that waits; the culprit entered last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no
// diagnosis   balance the work before the operation
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class ShmemWaitNxnPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"shmem_wait_nxn", "shmem_collective", Unit::seconds, true, "Wait at SHMEM N x N",
                         "Time in SHMEM all-to-all operations before the last processing element has reached them."}},
            .severity =
                "min(max_j E_j, L_i) - E_i if > 0; E, L: enter and exit of collect, fcollect, alltoall or a "
                "reduction",
            .charged_to = "the operation, each processing element that waits; the culprit entered last",
            .state = "the parts of operations that some member has not reached yet",
            .source =
                "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
                "Wolf, Euro-Par 2005",
            .differs = "no",
            .diagnosis = "balance the work before the operation"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.collective.kind == CollectiveKind::all_to_all && are_of(r.collective, RegionClass::shmem_collective, context))
      add_waits_for(r.collective, last_to_enter(r.collective), context);
  }
};

}  // namespace

PatternHandle shmem_wait_nxn() { return make_pattern<ShmemWaitNxnPattern>(); }

}  // namespace waitstate::patterns
