// Points that are known only when the trace has been read: added to the logs of their locations first, and put in order
// all together.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "causes/recorded.hpp"

namespace waitstate::causes {

class AddedPoints {
 public:
  explicit AddedPoints(Recorded& to) : to_(to) {}

  PointId add(const Point& p) {
    const PointId id = to_.points.push_back(p);
    added_[p.location].push_back(id.number);
    return id;
  }
  void put_in_order() {
    for (const auto& [location, numbers] : added_) to_.order.put_in_order(location, numbers);
  }

 private:
  Recorded& to_;
  std::map<LocationId, std::vector<std::uint32_t>> added_;  ///< numbers in the logs
};

}  // namespace waitstate::causes
