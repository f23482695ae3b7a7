// The two points of a wait of one location for another one, by plain rules: what comes after both were there is
// completion, whichever of the two it belongs to.
#pragma once

#include "causes/recorded.hpp"

namespace waitstate::causes {

/// The waiter stopped waiting at `waited`, the culprit came at `came`.
void add_pair(PointOrder& order, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit,
              Time came);
/// Like add_pair(), for a wait that `releasing` ended at a time within it: its point lies there, and not at the enter
/// of the call, since what comes before is what the other one waited for.
void add_release(PointOrder& order, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing,
                 Time release_time);

}  // namespace waitstate::causes
