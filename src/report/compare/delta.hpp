// The change from one run to another as a result of its own: the values of B minus those of A, in the call paths of
// both, so that everything that shows a result can show a change. A value has one difference from another one, so there
// are two runs here; facts of more runs stand beside each other (facts/runs).
//
// Call paths correspond by name. Locations are compared one by one if both runs have processes of the same ranks, each
// with as many locations of the same types, in the same order; otherwise only sums over all locations are compared.
// Values are ticks of B's clock; if A has another clock, a difference that is no more than rounding counts as none. The
// result has only metrics, call paths, locations and values; it lacks counters of which only extremes are known, or
// that A counts in another unit. Cost: a step for each value of both.
#pragma once

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Delta {
  AnalysisResult result;     ///< one location, without a process, if not by_location
  bool by_location = false;  ///< locations could be compared
};

/// The metrics are those of B, followed by those that only A has.
Delta delta(const AnalysisResult& before, const AnalysisResult& after);

}  // namespace waitstate::report
