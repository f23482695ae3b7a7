// The two points of a wait of one location for another one, by plain rules: what comes after both were there is
// completion, whichever of the two it belongs to.
//
// Scalasca follows none of these waits: without the parameter all_waits they become no points, but are noted as waits
// that are not followed (Recorded::unfollowed).
#pragma once

#include "causes/recorded.hpp"

namespace waitstate::causes {

/// The waiter stopped waiting at `waited`, the culprit came at `came`.
void add_pair(Recorded& to, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit,
              Time came);
/// Like add_pair(), for a wait that `releasing` ended at a time within it: its point lies there, and not at the enter
/// of the call, since what comes before is what the other one waited for.
void add_release(Recorded& to, PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing,
                 Time release_time);

}  // namespace waitstate::causes
