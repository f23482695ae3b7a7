#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class FinalizeWaitPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_finalize_wait",
                         .parent = "mpi_init_exit",
                         .title = "MPI finalize wait",
                         .summary = "Time in MPI_Finalize before the last process enters it.",
                         .kind = MetricKind::wait}},
            .severity = "min(max_j E_j, L_i) - E_i if > 0, over the MPI_Finalize of all processes",
            .charged_to = "MPI_Finalize, rank i; the culprit is the process that enters last",
            .state = "one call for each process",
            .source = "Scalasca 2.6",
            .differs = "no",
            .diagnosis =
                "the work of the run is not balanced: look at the last activities of the process that enters last"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::finalize) return;
    const std::uint32_t last = Latest(c, [](const CollectiveMember&) { return true; }).seen_by(0);
    for (std::uint32_t i = 0; i < c.members.size(); ++i)
      if (const Ticks t = wait_ticks(c, i, last); t > 0)
        context.add_wait(make_wait(*c.members[i].call, t, *c.members[last].call));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const auto is_finalize = [](const Region& r) { return r.mpi_function == MpiFunction::finalize; };
    if (!e.called(is_finalize).empty()) incomplete_collectives(e, u, first_metric);
  }
};

}  // namespace

PatternHandle mpi_finalize_wait() { return make_pattern<FinalizeWaitPattern>(); }

}  // namespace waitstate::patterns
