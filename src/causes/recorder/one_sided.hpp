// Points of one-sided communication of MPI, and of SHMEM, for the parameter all_waits: Scalasca knows no causes of
// them.
//
// Who waited for whom is what the patterns of these waits find. A call has one point, for whoever came last: until then
// it waited.
#pragma once

#include "causes/recorded.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::causes {

/// A collective operation on a window of MPI, or one of SHMEM.
void add_window(Recorded& to, const RmaCollective& r);
void add_access(Recorded& to, const RmaAccessEpoch& e);
void add_exposure(Recorded& to, const RmaExposureEpoch& e);
/// A call that waited for the release of a lock, or for its targets to call MPI.
void add_passive(Recorded& to, const RmaPassiveCall& r);
/// A SHMEM call that waited until somebody had written something.
void add_change(Recorded& to, const RmaWaitChange& w);

}  // namespace waitstate::causes
