#include "completions.hpp"
#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class InitCompletionPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_init_completion",
                         .parent = "mpi_init_exit",
                         .title = "MPI init completion",
                         .summary = "Time in MPI_Init after the first process has left it.",
                         .kind = MetricKind::completion}},
            .severity =
                "L_i - max(min_j L_j, min(max_j E_j, L_i)) if > 0, over the first MPI_Init (MPI_Init_thread) of all "
                "processes. The different start times of processes are not a wait state",
            .charged_to = "MPI_Init, each process",
            .state = "one call for each process",
            .source = "Scalasca 2.6",
            .differs = "no",
            .diagnosis = "the MPI library takes long to start: check how it sets up connections, and the system"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind == CollectiveKind::init) add_completions(c, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const auto is_init = [](const Region& r) {
      return r.mpi_function == MpiFunction::init || r.mpi_function == MpiFunction::init_thread;
    };
    if (!e.called(is_init).empty()) incomplete_collectives(e, u, first_metric);
  }
};

}  // namespace

PatternHandle mpi_init_completion() { return make_pattern<InitCompletionPattern>(); }

}  // namespace waitstate::patterns
