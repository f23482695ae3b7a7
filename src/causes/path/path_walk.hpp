// The critical path: from the end of the run back over each location as far as its latest wait, then on at the point of
// whoever it waited for, as far as MPI_Init. Definitions: Scalasca 2.6; Boehme et al., SC 2012.
//
// Invariant: each wait is passed once, so the walk ends even where clocks make locations wait for each other in a
// circle. Cost: a step for each point of the pieces that are on the path.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "causes/history.hpp"
#include "waitstate/result/causes.hpp"

namespace waitstate::causes {

struct FoundPath {
  bool exists = false;  ///< it may last no time
  std::map<std::pair<CallPathId, LocationId>, Ticks> times;
  CriticalPath segments;
  std::optional<PathBreak> broken_off;  ///< where it is not followed further back
  CallPathId unfollowed;  ///< the call path of the longest part of it that is a wait which is not followed; may be none
};

/// Marks points that the path comes by.
FoundPath find_path(Recorded& of);

}  // namespace waitstate::causes
