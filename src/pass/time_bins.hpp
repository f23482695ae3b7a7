// How long each location was in regions, and how much of that time it computed, in stretches of time: looks at the
// whole trace that decode it, and do nothing else. For phases, which have to be known before waits can be put in them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "pass/trace_input.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

/// Times of the first and the last event of the trace; the first is later if there is none.
std::pair<Time, Time> event_span(TraceInput& input);

struct BinTimes {
  Ticks in_regions = 0;   ///< without what was not measured
  Ticks computation = 0;  ///< the part of it that is exclusive time of regions of computation
};

/// `bounds` of n bins: n + 1 times, ascending; what lies outside of them does not count. `take` is called once for each
/// location, in their order, with a value a bin.
void times_in_bins(TraceInput& input, std::span<const Time> bounds,
                   const std::function<void(LocationId, std::span<const BinTimes>)>& take);

/// Calls add(bin, ticks) for each bin from `bin` on that [from, to) has a part in.
template <class Add>
void spread_over_bins(std::span<const Time> bounds, std::size_t bin, Time from, Time to, Add&& add) {
  for (; bin + 1 < bounds.size() && bounds[bin] < to; ++bin) {
    const Time begin = std::max(from, bounds[bin]), end = std::min(to, bounds[bin + 1]);
    if (begin < end) add(bin, end - begin);
  }
}

}  // namespace waitstate::pass
