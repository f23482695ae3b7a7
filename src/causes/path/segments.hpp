// The critical path as a list of segments. It is walked from its end, and may have as many segments as there are
// messages: the longest are kept, in a heap whose top is the shortest of them, and the others are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "causes/path_times.hpp"
#include "causes/points/point.hpp"
#include "model/call_path_order.hpp"
#include "waitstate/result/causes.hpp"

namespace waitstate::causes {

class Segments {
 public:
  /// `order` has to live as long as this.
  explicit Segments(const CallPathOrder& order, std::size_t most = CriticalPath::max_segments)
      : order_(order), most_(most) {}

  /// Adds the segment before those that were added. `begin`: the point at which the location got on, null where it
  /// begins; `to`: the enter of the call at which the path leaves it, or its end; `piece`: what it did, in ticks.
  void add(const Point* begin, Time to, LocationId location, const PathTimes& piece);
  CriticalPath finish();

 private:
  struct Kept {
    CriticalSegment segment;
    std::uint64_t number;  ///< from the end of the path
  };
  static bool longer(const Kept& a, const Kept& b);

  const CallPathOrder& order_;
  const std::size_t most_;
  CriticalPath path_;
  std::vector<Kept> kept_;
  std::uint64_t added_ = 0;
};

}  // namespace waitstate::causes
