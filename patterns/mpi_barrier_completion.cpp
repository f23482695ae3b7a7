#include "completions.hpp"
#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class BarrierCompletionPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_barrier_completion",
                     .parent = "mpi_sync_collective",
                     .title = "Barrier completion",
                     .summary = "Time in barriers after the first process has left them.",
                     .kind = MetricKind::completion}},
        .severity =
            "C_i - max(minC, min(maxB, C_i)) if > 0; B, C: begin and end records; minC and maxB over all members (on "
            "an inter-communicator, maxB over the other group and i itself)",
        .charged_to = "the barrier, each process",
        .state = "the parts of barriers that some member has not reached yet",
        .source = "Scalasca 2.6",
        .differs = "no",
        .diagnosis = "the barrier itself takes long: check the MPI library, the network, and noise on the nodes"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind == CollectiveKind::barrier) add_completions(c, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    collective_reasons(e, u, first_metric, {.has = {"barrier"}});
  }
};

}  // namespace

PatternHandle mpi_barrier_completion() { return make_pattern<BarrierCompletionPattern>(); }

}  // namespace waitstate::patterns
