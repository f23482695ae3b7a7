// mpi_barrier_wait: processes wait in a barrier for the last one to get there.
//
// severity    min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members, on an inter-communicator
// of
//             the other group. A non-blocking barrier waits in the call that completes it:
//             min(max_j E_j, L) - E, where E_j is the enter of the call in which member j started it
// charged to  the barrier (of a non-blocking one, the completing call), rank i; the culprit began last
// unit        ticks
// state       the parts of barriers that some member has not reached yet
// source      Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT: Load imbalance at barrier)
// differs     from Scalasca: non-blocking barriers and inter-communicators are analysed
// diagnosis   balance the work before the barrier, or do without it
#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class BarrierWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_barrier_wait", "mpi_sync_collective", Unit::seconds, true, "Wait at barrier",
                         "Time in barriers before the last process has reached them."}},
            .severity = "min(maxB, C_i) - B_i; non-blocking: min(max_j E_j, L) - E in the completing call",
            .charged_to = "the barrier (non-blocking: the call that completes it), each process that waits",
            .state = "the parts of barriers that some member has not reached yet",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (Load imbalance at barrier)",
            .differs = "from Scalasca: non-blocking barriers and inter-communicators are analysed",
            .diagnosis = "balance the work before the barrier, or do without it"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::barrier) return;
    const Latest latest(c, [](const CollectiveMember&) { return true; });
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const std::uint32_t last = latest.seen_by(i);
      const CollectiveMember& m = c.members[i];
      if (const Ticks t = wait_ticks(c, i, last); t > 0)
        context.add_wait(0, make_wait(*m.call, m.begin, t, *c.members[last].call));
    }
  }

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == CollectiveKind::barrier)
      context.add_wait(0, make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }
};

}  // namespace

PatternHandle mpi_barrier_wait() { return make_pattern<BarrierWaitPattern>(); }

}  // namespace waitstate::patterns
