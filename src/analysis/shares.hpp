// Whether a metric that says to be a share of its parent is one. Times: at most what the parent has in each call path
// on each location, or of waits the time there: one for what another call started lies in the call that waits. Counts
// and bytes: at most what the parent has in all. Reports show shares and remainders, which a larger value would turn
// into nonsense. Built-in patterns are tested for it; plug-ins are checked at the end of each run. Cost: a few look-ups
// for each value of the metric.
//
// And whether a view may take shares off what their parent has of its own. Which do not overlap by what they mean is
// said by the patterns; but the wait for a non-blocking collective operation is in MPI_Wait, whose time is
// point-to-point communication's, and an instance is counted where it waited, its message where it was sent. Such a
// share is marked in the results that have one, so that nothing that a view shows is below zero.
#pragma once

#include <string>

#include "analysis/run.hpp"

namespace waitstate::analysis {

/// Where and by how much a metric exceeds its parent, as the end of a sentence about who added it; "" if it does not.
/// Of several places that with the largest excess.
std::string share_too_large(const Run& run, MetricIndex metric);

/// Makes those disjoint shares Siblings::elsewhere that do not fit, beside the shares before them, into what their
/// parent has of its own in each call path on each location. A few look-ups for each value of a share.
void mark_shares_elsewhere(MetricTree& metrics, const Severities& severities);

}  // namespace waitstate::analysis
