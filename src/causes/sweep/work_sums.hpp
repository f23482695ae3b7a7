// The work and the waits of a location between any two of its points, in few steps however far apart they are.
//
// Where they are near, point by point. Else the span is taken together from blocks of 16, 256, 4,096, … points, whose
// sums by call path are made when they are first asked for, and forgotten when the sweep, which goes back, has passed
// their end. So memory is bounded by the longest span that is asked for.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "causes/history.hpp"
#include "causes/sweep/ordered_points.hpp"

namespace waitstate::causes {

class WorkSums {
 public:
  /// Times > 0.
  using Paths = std::vector<std::pair<CallPathId, Ticks>>;

  WorkSums(const History& history, const OrderedPoints& order, const LocationRange& locations);

  /// History::add_work_without_waits() of two points of a location. Returns how long it waited between them.
  Ticks worked(PointIndex a, PointIndex b, const Point& at_b, Bound bound, Paths& paths);
  /// The sweep has left the point: nothing that ends after it is asked for any more.
  void passed(LocationId l, PointIndex at);

 private:
  static constexpr PointIndex children = 16;  ///< blocks, or points, in a block
  struct Sum {
    CallPathId callpath;
    Ticks worked, waited;
  };
  struct Block {
    std::vector<Sum> sums;
    Ticks waited = 0;
  };
  struct ByPath {
    explicit ByPath(std::size_t callpaths) : worked(callpaths), waited(callpaths) {}
    PathTimes worked, waited;
  };

  static PointIndex span(int level);
  Ticks direct(PointIndex a, const Point& at_a, PointIndex b, const Point& at_b, ByPath& sum) const;
  Ticks direct_with(PointIndex a, PointIndex b, const Point& at_b, ByPath& sum) const;
  Ticks waits(LocationId l, PointIndex from, PointIndex to, ByPath& sum) const;
  const Block& sums(LocationId l, int level, PointIndex index);
  static void add(const Block& block, ByPath& sum);

  const History& history_;
  const OrderedPoints& order_;
  const LocationRange locations_;
  std::vector<std::vector<std::map<PointIndex, Block>>> blocks_;  ///< by location and level
  ByPath asked_, block_;
};

}  // namespace waitstate::causes
