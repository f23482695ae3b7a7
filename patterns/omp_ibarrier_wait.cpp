// omp_ibarrier_wait: threads of a team wait for the last one to get to the barrier at the end of a parallel region or
// of a work-sharing construct.
//
// severity    min(max_t E_t, L_i) - E_i if > 0; E, L: enter and exit of the barrier, t: all threads of the team
// charged to  the barrier, thread i; the culprit entered last
// unit        ticks
// state       the calls of barriers that some thread of the team has not come to yet
// source      Scalasca 2.6
// differs     from Scalasca: time of tasks executed inside the barrier is not taken off; never more than the barrier
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
        .severity = "min(max_t E_t, L_i) - E_i; t: all threads of the team",
        .charged_to = "the barrier, each thread that waits",
        .state = "the calls of barriers that some thread of the team has not come to yet",
        .source = "Scalasca 2.6",
        .differs =
            "from Scalasca: time of tasks executed inside the barrier is not taken off; never more than the barrier",
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
