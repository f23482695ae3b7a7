// The workers at which epochs and collectives of windows meet, so that several share the work: the access and exposure
// epochs of each window at one from the second on, its collectives at the next one. (Passive target: passive_door.hpp.)
#pragma once

#include "link/exchange/homes.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class MeetingPlaces {
 public:
  explicit MeetingPlaces(WorkerId workers) : workers_(workers) {}

  WorkerId epochs(RmaWinId win) const { return behind(win, 1); }
  WorkerId collectives(RmaWinId win) const { return behind(win, 2); }

 private:
  WorkerId behind(RmaWinId win, std::uint64_t workers) const {
    return static_cast<WorkerId>((win.value + workers) % workers_);
  }

  WorkerId workers_;
};

}  // namespace waitstate::link
