// When each location was in a region, and how much of that time it computed: a look at the whole trace that decodes and
// keeps a region stack, but does nothing else. For phases, which have to be known before waits can be put in them.
#pragma once

#include <vector>

#include "pass/trace_input.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

struct Visit {
  Time enter = 0, exit = 0;
  Ticks computation = 0;  ///< exclusive time of regions of computation, in it and in what it calls
};

/// By location, in their order; of a region that calls itself the outermost ones. `regions`: by RegionId, which are
/// meant. Visits that are not left end with the location.
std::vector<std::vector<Visit>> find_visits(TraceInput& input, const std::vector<bool>& regions);

}  // namespace waitstate::pass
