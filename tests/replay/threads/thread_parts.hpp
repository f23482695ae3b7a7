// Parts, and the team's: regions are entered and left as in threads.
#pragma once

#include "../parts.hpp"
#include "replay/threads/team_replay.hpp"

namespace waitstate::replay {

struct ThreadParts : Parts {
  using Parts::Parts;

  std::uint32_t enter(Time t, std::uint32_t region) {
    advance(t);
    const std::uint32_t callpath = stack.child(region);
    if (stack.in_threads()) teams.enter_region(region, callpath);
    return Parts::enter(t, region);
  }
  void exit(Time t) {
    Parts::exit(t);
    teams.leave_region_in_segment();
    teams.leave_region_in_fork();
  }

  TeamReplay teams{stack, calls, counters};
};

}  // namespace waitstate::replay
