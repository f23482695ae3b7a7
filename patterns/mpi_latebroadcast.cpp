// mpi_latebroadcast: processes wait for the data of a root that is late.
//
// severity    min(B_root, C_i) - B_i if > 0, for ranks that receive bytes and began before the root (on an
//             inter-communicator: in the other group). A non-blocking operation waits in the call that completes it:
//             min(E_root, L) - E, E_root the enter of the call in which the root started it
// charged to  Bcast, Scatter(v) (of a non-blocking one, the completing call), rank i; the culprit is the root
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      Scalasca 2.6
// differs     from Scalasca: non-blocking operations and inter-communicators are analysed
// diagnosis   the root is late: give it less work before the operation, or choose another root
#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class LateBroadcastPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_latebroadcast", "mpi_collective", Unit::seconds, true, "Late Broadcast",
                         "Time in broadcasts and scatterings before the root has begun."}},
            .severity = "min(B_root, C_i) - B_i of the ranks that receive; non-blocking: min(E_root, L) - E",
            .charged_to = "Bcast, Scatter(v) (non-blocking: the call that completes it), each process that waits",
            .state = "the parts of operations that some member has not reached yet",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: non-blocking operations and inter-communicators are analysed",
            .diagnosis = "the root is late: give it less work before the operation, or choose another root"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::one_to_all || c.root == Collective::no_root) return;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      if (i == c.root || !receives(m) || !c.reaches(c.root, i)) continue;
      if (const Ticks t = wait_ticks(c, i, c.root); t > 0)
        context.add_wait(0, make_wait(*m.call, m.begin, t, *c.members[c.root].call));
    }
  }

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == CollectiveKind::one_to_all)
      context.add_wait(0, make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }
};

}  // namespace

PatternHandle mpi_latebroadcast() { return make_pattern<LateBroadcastPattern>(); }

}  // namespace waitstate::patterns
