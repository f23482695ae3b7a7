// omp_ibarrier_wait: threads of a team wait for the last one to get to the barrier at the end of a parallel region or
// of a work-sharing construct.
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
// diagnosis   balance the work of the threads (schedule clause, smaller pieces), or add nowait where the barrier is not
//             needed
#include "patterns.hpp"
#include "team_barrier.hpp"

namespace waitstate::patterns {

namespace {

class ImplicitBarrierWaitPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"omp_ibarrier_wait", "omp_ibarrier", Unit::seconds, true, "Wait at implicit OpenMP barrier",
                     "Time in implicit barriers before the last thread of the team has reached them."}},
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
        .diagnosis =
            "balance the work of the threads (schedule clause, smaller pieces), or add nowait where the barrier is "
            "not needed"};
  }

  void team_barrier_callback(const TeamBarrier& b, Context& context) override {
    if (b.region_class == RegionClass::omp_ibarrier) add_waits(b, context);
  }
};

}  // namespace

PatternHandle omp_ibarrier_wait() { return make_pattern<ImplicitBarrierWaitPattern>(); }

}  // namespace waitstate::patterns
