#include "collective_wait.hpp"
#include "rules/rooted.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateRootPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_lateroot",
                         .parent = "mpi_collective",
                         .title = "Late Root",
                         .summary = "Time in which senders of reductions and gather operations wait for the root to "
                                    "begin.",
                         .kind = MetricKind::wait}},
            .severity =
                "B_root - B_i if > 0, for a rank i other than the root that sends bytes (on an inter-communicator: in "
                "the other group), if C_i > B_root. A sender that left before the root began did not wait: its data "
                "was buffered",
            .charged_to = "Reduce, Gather(v), rank i; the culprit is the root",
            .state = "the parts of operations that some member has not reached yet",
            .source = "waitstate's own; the counterpart of Late Broadcast",
            .differs = "no other analyzer has this wait state",
            .diagnosis =
                "the root is late: give it less work before the operation, choose another root, or gather less often; "
                "with a non-blocking operation the senders need not wait"};
  }
  /// A sender may be in the operation for other reasons: in trees, processes pass data on.
  double confidence() const override { return 0.9; }

  void collective_callback(const Collective& c, Context& context) override {
    each_wait_for_root(c, [&](std::uint32_t i, Ticks ticks) {
      const CollectiveMember& m = c.members[i];
      context.add_wait(make_wait(*m.call, m.begin, ticks, *c.members[c.root].call));
    });
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    collective_reasons(e, u, first_metric, all_to_one_functions());
  }
};

}  // namespace

PatternHandle mpi_lateroot() { return make_pattern<LateRootPattern>(); }

}  // namespace waitstate::patterns
