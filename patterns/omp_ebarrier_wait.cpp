// omp_ebarrier_wait: threads of a team wait for the last one to get to a barrier that the program asks for.
//
// severity    U - E_i - X if > 0; U: min(max_t E_t, L_i); E, L: enter and exit of the barrier, t: all threads of the
//             team; X: time of explicit tasks that thread i executed inside the barrier before U. Instances: each
//             interval without tasks
// charged to  the barrier, thread i; the culprit entered last
// unit        ticks
// state       the calls of barriers that some thread of the team has not come to yet
// source      Scalasca 2.6
// differs     from Scalasca: never more than the barrier; of tasks only what was executed before the last thread came
//             is taken off, and a barrier with tasks in it is several instances
// diagnosis   balance the work before the barrier, or do without it
#include "patterns.hpp"
#include "team_barrier.hpp"

namespace waitstate::patterns {

namespace {

class ExplicitBarrierWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"omp_ebarrier_wait", "omp_ebarrier", Unit::seconds, true, "Wait at explicit OpenMP barrier",
                     "Time in explicit barriers before the last thread of the team has reached them."}},
        .severity =
            "U - E_i - X; U: min(max_t E_t, L_i), t: all threads of the team; X: time of explicit tasks that thread i "
            "executed inside the barrier before U. Instances: each interval without tasks",
        .charged_to = "the barrier, each thread that waits",
        .state = "the calls of barriers that some thread of the team has not come to yet",
        .source = "Scalasca 2.6",
        .differs =
            "from Scalasca: never more than the barrier; of tasks only what was executed before the last thread came "
            "is "
            "taken off, and a barrier with tasks in it is several instances",
        .diagnosis = "balance the work before the barrier, or do without it"};
  }

  void team_barrier_callback(const TeamBarrier& b, Context& context) override {
    if (b.region_class == RegionClass::omp_ebarrier) add_waits(b, context);
  }
};

}  // namespace

PatternHandle omp_ebarrier_wait() { return make_pattern<ExplicitBarrierWaitPattern>(); }

}  // namespace waitstate::patterns
