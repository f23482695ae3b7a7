// The workers at which one-sided communication meets: another one for each kind of it, so that they share the work. A
// lock concerns all processes in one order of time, and so does progress: these meet at the first worker. Access and
// exposure epochs meet at the second, the collectives of each window at one from the third on.
#pragma once

#include "link/exchange/homes.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

class MeetingPlaces {
 public:
  explicit MeetingPlaces(WorkerId workers) : workers_(workers) {}

  WorkerId passive() const { return 0; }
  WorkerId epochs() const { return 1 % workers_; }
  WorkerId window(RmaWinId win) const { return static_cast<WorkerId>((std::uint64_t{win.value} + 2) % workers_); }

 private:
  WorkerId workers_;
};

}  // namespace waitstate::link
