// mpi_rma_sync_lock_competition: an origin waits in lock, unlock and flush calls while another process holds the lock.
//
// severity    R - E; R: the last release, within the call, of a conflicting lock of another process on a target that
//             the call has to do with; E: enter of the call. Two shared locks do not conflict; a lock of all targets
//             is a shared lock of each. Calls: lock, unlock and flush calls
// charged to  the call, origin; the culprit is the process that released the lock
// unit        ticks
// state       the last release per lock and target; what was read ahead of the location that is least far
// source      the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and Wolf,
//             Euro-Par 2005
// differs     no; MPI_Win_lock need not block, and the call that contains the release is the one that waited for it
// diagnosis   hold exclusive locks for less time, use shared locks or atomic operations, or spread the data over
//             several targets
#include "patterns.hpp"
#include "rma_wait.hpp"

namespace waitstate::patterns {

namespace {

class SyncLockCompetitionPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_rma_sync_lock_competition", "mpi_rma_sync_passive", Unit::seconds, true,
                     "Lock competition (synchronisation)",
                     "Time in lock, unlock and flush calls before another process has released a conflicting lock."}},
        .severity =
            "R - E; R: the last release, within the call, of a conflicting lock of another process on a target "
            "that the call has to do with; E: enter of the call. Two shared locks do not conflict; a lock of all "
            "targets is a shared lock of each. Calls: lock, unlock and flush calls",
        .charged_to = "the call, origin; the culprit is the process that released the lock",
        .state = "the last release per lock and target; what was read ahead of the location that is least far",
        .source =
            "the metric of that name in reports of Scalasca's line of tools; event model: Hermanns, Mohr and "
            "Wolf, Euro-Par 2005",
        .differs =
            "no; MPI_Win_lock need not block, and the call that contains the release is the one that waited for "
            "it",
        .diagnosis =
            "hold exclusive locks for less time, use shared locks or atomic operations, or spread the data over "
            "several targets"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (r.released != nullptr && is_of(r.call, RegionClass::mpi_rma_sync_passive, context))
      context.add_wait(0, make_wait(r.call, static_cast<Ticks>(r.release_time - r.call.enter), *r.released));
  }
};

}  // namespace

PatternHandle mpi_rma_sync_lock_competition() { return make_pattern<SyncLockCompetitionPattern>(); }

}  // namespace waitstate::patterns
