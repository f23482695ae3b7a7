// mpi_init_completion: time in MPI_Init after the first process has left it, or the last has entered it.
//
// severity    L_i - max(min_j L_j, min(max_j E_j, L_i)) if > 0, over the first MPI_Init (MPI_Init_thread) of all
// processes;
//             that processes start at different times is no wait state
// charged to  MPI_Init, rank i
// unit        ticks
// state       one call a process
// source      Scalasca 2.6
// differs     no
// diagnosis   start-up of the MPI library: look at its connection set-up, or at the system
#include <algorithm>

#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class InitCompletionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_init_completion", "mpi_init_exit", Unit::seconds, true, "MPI init completion",
                         "Time in MPI_Init after the first process has left it."}},
            .severity = "L_i - max(min_j L_j, min(max_j E_j, L_i)) of the first MPI_Init of each process",
            .charged_to = "MPI_Init, each process",
            .state = "one call a process",
            .source = "Scalasca 2.6",
            .differs = "no",
            .diagnosis = "start-up of the MPI library: look at its connection set-up, or at the system"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::init) return;
    Time first_end = ~Time{0}, last_begin = 0;
    for (const CollectiveMember& m : c.members) {
      first_end = std::min(first_end, m.end);
      last_begin = std::max(last_begin, m.begin);
    }
    for (const CollectiveMember& m : c.members)
      if (const Ticks t = completion_ticks(m.end, first_end, last_begin); t > 0)
        context.add_wait(0, wait_at_end(*m.call, m.end, t));
  }
};

}  // namespace

PatternHandle mpi_init_completion() { return make_pattern<InitCompletionPattern>(); }

}  // namespace waitstate::patterns
