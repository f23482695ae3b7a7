// The workers at which epochs and collectives of windows meet, so that several share the work: access and exposure
// epochs at the second one, the collectives of each window at one from the third on. (Passive target:
// passive_door.hpp.)
#pragma once

#include "link/exchange/homes.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class MeetingPlaces {
 public:
  explicit MeetingPlaces(WorkerId workers) : workers_(workers) {}

  WorkerId epochs() const { return 1 % workers_; }
  WorkerId window(RmaWinId win) const { return static_cast<WorkerId>((std::uint64_t{win.value} + 2) % workers_); }

 private:
  WorkerId workers_;
};

}  // namespace waitstate::link
