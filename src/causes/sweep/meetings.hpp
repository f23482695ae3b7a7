// The last meetings of a location before the point that the sweep comes to next: looked for at each wait, from both
// sides.
//
// Meetings with one partner, operations, and points of a team are linked each to the one before, as indices in the
// order of points (OrderedPoints::met_before). Memory: 8 bytes for each partner of each location.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "causes/history.hpp"
#include "causes/sweep/ordered_points.hpp"

namespace waitstate::causes {

class Meetings {
 public:
  /// While points are put in order, from the last one on.
  void link(OrderedPoints& order, LocationId l, PointIndex at, const Point& p);
  /// The sweep passes the point, whose OrderedPoints::met_before() is `before`.
  void pass(const Point& p, std::int32_t before);

  /// Where location l had met the other one, before the point that comes next, for a wait of that kind.
  PointIndex previous(const History& history, const OrderedPoints& order, LocationId l, PointKind kind, LocationId met);
  /// The latest point of a team before the one that comes next.
  PointIndex of_team() const { return team_.last; }

 private:
  struct Chain {
    std::int32_t last = before_all;   ///< before the point that comes next
    std::int32_t first = before_all;  ///< the earliest that has been put in order
  };
  /// The chain that the point belongs to; null if it is a meeting with nobody.
  Chain* chain_of(const Point& p);

  std::unordered_map<std::uint32_t, Chain> partners_{};
  Chain operations_{}, team_{};
  PointIndex looked_at_ = before_all;  ///< the operation that was looked at last
  Point looked_at_point_{};
};

}  // namespace waitstate::causes
