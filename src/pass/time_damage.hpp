// Damaged time stamps that no event before or after them gives away: those at the end of a location, above all.
//
// What the recorder says of the run (Clock::offset and length) tells most: a time stamp is damaged if it lies farther
// outside of that than the run is long, and at least ten seconds. Not closer: EZTrace writes the length of one process,
// whose clock is not the others'. Where the recorder says nothing, as in our notation, a location is odd in which
// nothing happens for 10,000 times as long as anything else takes, there and on all other locations.
//
// Only first, last and longest times of locations are looked at, at the end of the pass: time stamps are taken as never
// decreasing, so the first and the last are the farthest out. Cost: nothing per event.
#pragma once

#include <span>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::pass {

/// Times of a location that has events.
struct TimeSpan {
  LocationId location;
  Time first = 0, last = 0;
  Time jump = 0, jump_end = 0;  ///< the longest interval between two events that was longer than all before it
};

/// Adds time_outside and time_jump, each once a location.
void find_time_damage(const Clock& clock, std::span<const TimeSpan> spans, Diagnostics& diagnostics);

}  // namespace waitstate::pass
