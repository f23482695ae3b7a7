// mpi_finalize_wait: processes wait in MPI_Finalize for the last one to get there.
//
// severity    min(max_j E_j, L_i) - E_i if > 0, over the MPI_Finalize of all processes
// charged to  MPI_Finalize, rank i; the culprit is the process that enters last
// unit        ticks
// state       one call a process
// source      Scalasca 2.6
// differs     no
// diagnosis   the work of the whole run is not balanced: look at what the last process does at the end
#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class FinalizeWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_finalize_wait", "mpi_init_exit", Unit::seconds, true, "MPI finalize wait",
                         "Time in MPI_Finalize before the last process enters it."}},
            .severity = "min(max_j E_j, L_i) - E_i of the MPI_Finalize of each process",
            .charged_to = "MPI_Finalize, each process",
            .state = "one call a process",
            .source = "Scalasca 2.6",
            .differs = "no",
            .diagnosis = "the work of the run is not balanced: look at what the last process does at the end"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::finalize) return;
    const std::uint32_t last = Latest(c, [](const CollectiveMember&) { return true; }).seen_by(0);
    for (std::uint32_t i = 0; i < c.members.size(); ++i)
      if (const Ticks t = wait_ticks(c, i, last); t > 0)
        context.add_wait(0, make_wait(*c.members[i].call, t, *c.members[last].call));
  }
};

}  // namespace

PatternHandle mpi_finalize_wait() { return make_pattern<FinalizeWaitPattern>(); }

}  // namespace waitstate::patterns
