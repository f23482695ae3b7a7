// mpi_earlyreduce: the root of a reduction or gathering waits for the data of the others.
//
// severity    min(S, C_root) - B_root if > 0, S = latest B_j among the ranks that send bytes (on an inter-communicator:
// of
//             the other group). A non-blocking operation waits in the call that completes it at the root:
//             min(max_j E_j, L) - E over the calls in which these ranks started it
// charged to  Reduce, Gather(v) (of a non-blocking one, the completing call), root; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      Scalasca 2.6
// differs     from Scalasca up to 2.5 and EXPERT: they take the earliest sender that is not the root, not the latest;
//             non-blocking operations and inter-communicators are analysed
// diagnosis   the root is early: balance the work before the operation, or let the root do something else meanwhile
#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class EarlyReducePattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_earlyreduce", "mpi_collective", Unit::seconds, true, "Early Reduce",
                         "Time that the root of reductions and gatherings waits for the others to begin."}},
            .severity =
                "min(S, C_root) - B_root, S = latest begin of the ranks that send; non-blocking: min(max_j E_j, L) - E",
            .charged_to = "Reduce, Gather(v) (non-blocking: the call that completes it), root",
            .state = "the parts of operations that some member has not reached yet",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca up to 2.5 and EXPERT: the latest sender, not the earliest; non-blocking ones too",
            .diagnosis = "the root is early: balance the work before, or let the root do something else meanwhile"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::all_to_one || c.root == Collective::no_root) return;
    const std::uint32_t last = Latest(c, sends).seen_by(c.root);
    if (last == Latest::nobody) return;
    const CollectiveMember& root = c.members[c.root];
    if (const Ticks t = wait_ticks(c, c.root, last); t > 0)
      context.add_wait(0, make_wait(*root.call, root.begin, t, *c.members[last].call));
  }

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == CollectiveKind::all_to_one)
      context.add_wait(0, make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }
};

}  // namespace

PatternHandle mpi_earlyreduce() { return make_pattern<EarlyReducePattern>(); }

}  // namespace waitstate::patterns
