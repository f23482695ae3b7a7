#include "collective_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class BarrierWaitPattern : public CollectiveWait {
 public:
  BarrierWaitPattern() : CollectiveWait(CollectiveKind::barrier, {.has = {"barrier"}}) {}

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_barrier_wait",
                         .parent = "mpi_sync_collective",
                         .title = "Wait at barrier",
                         .summary = "Time in barriers before the last process has reached them.",
                         .kind = MetricKind::wait}},
            .severity =
                "min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB over all members, on an "
                "inter-communicator over the other group. A non-blocking barrier waits in the call that completes it: "
                "min(max_j E_j, L) - E, where E_j is the enter of the call in which member j started it",
            .charged_to = "the barrier (for a non-blocking one, the completing call), rank i; the culprit began last",
            .state = "the parts of barriers that some member has not reached yet",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT: Load imbalance at barrier)",
            .differs = "from Scalasca: non-blocking barriers and inter-communicators are analysed",
            .diagnosis = "balance the work before the barrier, or do without it"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (!is_of(c)) return;
    const Latest latest(c, [](const CollectiveMember&) { return true; });
    for (std::uint32_t i = 0; i < c.members.size(); ++i) add_wait_for(c, i, latest.seen_by(i), context);
  }
};

}  // namespace

PatternHandle mpi_barrier_wait() { return make_pattern<BarrierWaitPattern>(); }

}  // namespace waitstate::patterns
