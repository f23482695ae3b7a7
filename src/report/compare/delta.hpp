// The change from one run to another as a result of its own: the values of B less those of A, in the call paths of
// both, so that everything that shows a result can show a change.
//
// Call paths are the same by their names. Locations are compared one by one if both runs have as many processes of the
// same ranks, and each of these as many locations of the same types, in their order; else only sums over all of them
// are. Values are ticks of B's clock; where A has another one, what is no more than rounding is no change. Left out are
// counters of which only extremes are known, or that A counts in another unit, and all but metrics, call paths,
// locations and values. Cost: a step for each value of both.
#pragma once

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Delta {
  AnalysisResult result;     ///< one location, without a process, if not by_location
  bool by_location = false;  ///< locations could be compared
};

/// Metrics are those of B, then those that only A has.
Delta delta(const AnalysisResult& before, const AnalysisResult& after);

}  // namespace waitstate::report
