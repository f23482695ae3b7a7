// Checks whether a metric that is declared as a share of its parent is one. A time is at most the parent's value in
// each call path on each location; a wait is at most the time there, since a wait for an operation that another call
// started lies in the call that waits. Counts and bytes are at most the parent's total. Reports show shares and
// remainders, which a larger value would turn into nonsense. Tests check the built-in patterns; plug-ins are checked at
// the end of each run. Cost: a few look-ups for each value of the metric.
//
// It also finds out whether a view may subtract shares from their parent's own value. Patterns say which shares do not
// overlap by their meaning; but the wait for a non-blocking collective operation is in MPI_Wait, whose time is
// point-to-point communication's, and an instance is counted where it waited, its message where it was sent. Such a
// share is marked in the results that have one, so that no value of a view is below zero.
#pragma once

#include <string>

#include "analysis/run.hpp"

namespace waitstate::analysis {

/// Where and by how much a metric exceeds its parent, as the end of a sentence about the pattern that added it; "" if
/// it does not. Of several places, the one with the largest excess.
std::string share_too_large(const Run& run, MetricIndex metric);

/// Marks disjoint shares as Siblings::elsewhere if they do not fit, beside the shares before them, into their parent's
/// own value in each call path on each location. Cost: a few look-ups for each value of a share.
void mark_shares_elsewhere(MetricTree& metrics, const Severities& severities);

}  // namespace waitstate::analysis
