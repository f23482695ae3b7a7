// mpi_barrier_completion: time in a barrier after the first process has left it, or the last has reached it.
//
// severity    C_i - max(minC, min(maxB, C_i)) if > 0; B, C: begin and end records of all members (maxB on an
//             inter-communicator: of the other group and i itself)
// charged to  the barrier, rank i
// unit        ticks
// state       the parts of barriers that some member has not reached yet
// source      Scalasca 2.6
// differs     no
// diagnosis   the barrier itself takes long: look at the MPI library, the network, or at noise on the nodes
#include <algorithm>

#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class BarrierCompletionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_barrier_completion", "mpi_sync_collective", Unit::seconds, true, "Barrier completion",
                     "Time in barriers after the first process has left them."}},
        .severity = "C_i - max(minC, min(maxB, C_i))",
        .charged_to = "the barrier, each process",
        .state = "the parts of barriers that some member has not reached yet",
        .source = "Scalasca 2.6",
        .differs = "no",
        .diagnosis = "the barrier itself takes long: look at the MPI library, the network, or at noise on the nodes"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::barrier) return;
    const Latest latest(c, [](const CollectiveMember&) { return true; });
    Time first_end = ~Time{0};
    for (const CollectiveMember& m : c.members) first_end = std::min(first_end, m.end);
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      const Time last_begin = std::max(m.begin, c.members[latest.seen_by(i)].begin);
      if (const Ticks t = completion_ticks(m.end, first_end, last_begin); t > 0)
        context.add_wait(0, wait_at_end(*m.call, m.end, t));
    }
  }
};

}  // namespace

PatternHandle mpi_barrier_completion() { return make_pattern<BarrierCompletionPattern>(); }

}  // namespace waitstate::patterns
