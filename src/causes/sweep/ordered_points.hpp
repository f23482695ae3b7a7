// The points of some locations in the order of time, which their logs (point_log.hpp) have in the order in which they
// came: 24 bytes each, spilled. They lie in chunks as those of the log do, so that what many locations did at one time
// lies side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "causes/history.hpp"

namespace waitstate::causes {

/// The place of a point among those of its location in the order of time, from 0 on.
using PointIndex = std::int64_t;
inline constexpr PointIndex before_all = -1;

/// Locations next to each other, which one thread looks back over.
struct LocationRange {
  std::size_t first = 0, last = 0;  ///< numbers; `last` is the first behind them
  std::size_t size() const { return last - first; }
  bool has(LocationId l) const { return l.index() - first < size(); }
  /// The number of the location among these.
  std::size_t place(LocationId l) const { return l.index() - first; }
};

class OrderedPoints {
 public:
  /// The part of a point that spans over it need.
  struct Step {
    Ticks time;  ///< its wait; of a fork the time from there to the region
    std::uint32_t number;
    std::int32_t met_before;
    CallPathId callpath;
    bool is_fork;
  };

  OrderedPoints(const History& history, const LocationRange& locations, std::size_t spill_beyond);

  /// Number of points of all of these locations, with places that are left free.
  std::size_t size() const { return steps_.size(); }
  PointIndex size(LocationId l) const { return PointIndex{log_.size(l)}; }
  Step step(LocationId l, PointIndex at) const { return steps_[place(l, at)]; }
  PointId id(LocationId l, PointIndex at) const { return at == before_all ? no_point : PointId{l, step(l, at).number}; }
  Point point(LocationId l, PointIndex at) const { return log_.at(id(l, at)); }
  /// Where the location met the same partner before; of an operation or a point of a team, the one before.
  PointIndex met_before(LocationId l, PointIndex at) const { return step(l, at).met_before; }
  void set(PointId id, PointIndex at, const Point& p);
  void set_met_before(LocationId l, PointIndex at, PointIndex before) {
    steps_.change(place(l, at), [&](Step& s) { s.met_before = static_cast<std::int32_t>(before); });
  }
  /// visit(const Step&) of [from, to) of a location.
  template <class Visit>
  void each(LocationId l, PointIndex from, PointIndex to, Visit&& visit) const {
    while (from < to) {
      const PointIndex end = std::min(to, (from / per_chunk + 1) * per_chunk);
      const std::size_t first = place(l, from);
      steps_.each(first, first + static_cast<std::size_t>(end - from), visit);
      from = end;
    }
  }
  /// Where a location's point, by its number or index, stands in a vector of all.
  std::size_t place(LocationId l, PointIndex at) const {
    const auto n = static_cast<std::size_t>(at);
    return std::size_t{chunks_[locations_.place(l)][n / per_chunk]} * per_chunk + n % per_chunk;
  }

 private:
  static constexpr std::uint32_t per_chunk = PointLog::per_chunk;

  const PointLog& log_;
  const LocationRange locations_;
  std::vector<std::vector<std::uint32_t>> chunks_;  ///< by location
  util::SpilledVector<Step> steps_;
};

}  // namespace waitstate::causes
