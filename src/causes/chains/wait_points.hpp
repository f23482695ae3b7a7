// Which points the waits have that the report shows: waits are known by location, call and length, points by names.
//
// Cost: one look at each point, whatever the number of waits, by several threads.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "causes/history.hpp"

namespace waitstate::causes {

/// By wait, no_point where none is known; of several in one call the one that waited for the same location.
std::vector<PointId> points_of(const History& history, const std::vector<Wait>& waits, unsigned threads);

/// The culprit of a wait. Nobody is charged for a wait in MPI_Finalize, but whom it is for is known.
PointId culprit_of(const History& history, const Point& q);

/// The time of the first thread of a process while the others were idle.
struct MasterAlone {
  std::optional<Time> from, to;  ///< none: from the start, to the end
  PointId last;                  ///< its last point before that end
};
/// Waits of workers outside of parallel regions, by their place in `waits`: they end where the first thread forks, or
/// with it. `points`: those of points_of().
std::unordered_map<std::size_t, MasterAlone> idle_waits(const History& history, const std::vector<Wait>& waits,
                                                        const std::vector<PointId>& points);

}  // namespace waitstate::causes
