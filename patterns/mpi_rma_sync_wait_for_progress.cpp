// mpi_rma_sync_wait_for_progress: an origin waits in lock, unlock and flush calls of passive-target epochs until its
// target calls MPI.
//
// severity    sum over the gaps of the call, times from its enter, or from the release that it waited for (lock
//             competition), on in which a target was outside of MPI: all of them if the target is in a call of MPI when
//             the call is left, which it entered within the call; else the one until it entered MPI first; of several
//             targets what the others' gaps do not cover. Calls: lock, unlock and flush calls under a lock
// charged to  the call, origin; the culprit is the target
// unit        ticks
// state       the last release per lock and target; what was read ahead of the location that is least far; the calls
//             of MPI since the earliest call that is open
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     where the definition ends with the target's next call of MPI, whatever that is: a call that goes on after
//             the target has come and gone, and ends when it comes again, waited for that too. The target of a lock or
//             unlock is the one locked, of an operation its own, of a flush or unlock those whose operations it
//             completes. Whether the MPI library needs the target for progress is not in the trace: what is counted is
//             that the call ended when the target came
// diagnosis   let the target call MPI more often, or use an MPI library (or a setting) with asynchronous progress
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class SyncWaitForProgressPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_rma_sync_wait_for_progress", "mpi_rma_sync_passive", Unit::seconds, true,
                     "Wait for progress (synchronisation)",
                     "Time in lock, unlock and flush calls while the target was outside of MPI, until it called MPI "
                     "again."}},
        .severity =
            "sum over the gaps of the call, times from its enter, or from the release that it waited for (lock "
            "competition), on in which a target was outside of MPI: all of them if the target is in a call of MPI"
            " when the call is left, which it entered within the call; else the one until it entered MPI first; "
            "of several targets what the others' gaps do not cover. Calls: lock, unlock and flush calls under a "
            "lock",
        .charged_to = "the call, origin; the culprit is the target",
        .state =
            "the last release per lock and target; what was read ahead of the location that is least far; the "
            "calls of MPI since the earliest call that is open",
        .source =
            "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
            "Wolf, Euro-Par 2005",
        .differs =
            "where the definition ends with the target's next call of MPI, whatever that is: a call that goes on "
            "after the target has come and gone, and ends when it comes again, waited for that too. The target of"
            " a lock or unlock is the one locked, of an operation its own, of a flush or unlock those whose "
            "operations it completes. Whether the MPI library needs the target for progress is not in the trace: "
            "what is counted is that the call ended when the target came",
        .diagnosis =
            "let the target call MPI more often, or use an MPI library (or a setting) with asynchronous progress"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (r.gaps.empty() || !is_of(r.call, RegionClass::mpi_rma_sync_passive, context)) return;
    for (const RmaProgressGap& g : r.gaps)
      context.add_wait(0, make_wait(r.call, g.begin, static_cast<Ticks>(g.end - g.begin), g.next));
  }
};

}  // namespace

PatternHandle mpi_rma_sync_wait_for_progress() { return make_pattern<SyncWaitForProgressPattern>(); }

}  // namespace waitstate::patterns
