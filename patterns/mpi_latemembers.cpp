#include "collective_wait.hpp"
#include "rules/rooted.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateMembersPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_latemembers",
                         .parent = "mpi_collective",
                         .title = "Late Members",
                         .summary = "Time in which the root of broadcasts and scatter operations waits for receivers "
                                    "to begin.",
                         .kind = MetricKind::wait}},
            .severity =
                "the largest B_j - B_root over the ranks j that receive bytes (on an inter-communicator: in the other "
                "group) with B_root < B_j < C_root. This is an upper bound: the root may have been busy with other "
                "ranks meanwhile",
            .charged_to = "Bcast, Scatter(v), root; the culprit is rank j",
            .state = "the parts of operations that some member has not reached yet",
            .source = "waitstate's own; the counterpart of Early Reduce",
            .differs = "no other analyzer has this wait state",
            .diagnosis =
                "the receivers are late: balance the work before the operation, or let the root start a non-blocking "
                "one"};
  }
  /// The value is an upper bound.
  double confidence() const override { return 0.5; }

  void collective_callback(const Collective& c, Context& context) override {
    const std::uint32_t last = awaited_by_root(c);
    if (last == Latest::nobody) return;
    const CollectiveMember& root = c.members[c.root];
    context.add_wait(make_wait(*root.call, root.begin, wait_ticks(c, c.root, last), *c.members[last].call));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    collective_reasons(e, u, first_metric, one_to_all_functions());
  }
};

}  // namespace

PatternHandle mpi_latemembers() { return make_pattern<LateMembersPattern>(); }

}  // namespace waitstate::patterns
