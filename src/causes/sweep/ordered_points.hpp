// The points of some locations in the order of time, which their logs (points.hpp) have in the order in which they
// came.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "causes/causes.hpp"

namespace waitstate::causes {

/// Of a location the place of a point in the order of time, from 0 on; no_position: before all.
using Position = std::int64_t;
inline constexpr Position no_position = -1;

/// Locations next to each other, which one thread looks back over.
struct LocationRange {
  std::size_t first = 0, last = 0;  ///< numbers; `last` is the first behind them
  std::size_t size() const { return last - first; }
  bool has(LocationId l) const { return l.index() - first < size(); }
  /// Among them.
  std::size_t place(LocationId l) const { return l.index() - first; }
};

/// The points of some locations in the order of time: 24 bytes each, spilled. They lie in chunks as those of the log
/// do, so that what many locations did at one time lies side by side.
class OrderedPoints {
 public:
  /// What spans over a point need of it.
  struct Step {
    Ticks time;  ///< its wait; of a fork the time from there to the region
    std::uint32_t number;
    std::int32_t met_before;
    CallPathId callpath;
    bool is_fork;
  };

  OrderedPoints(const Causes& causes, const LocationRange& locations, std::size_t spill_beyond)
      : all_(causes), locations_(locations), steps_(spill_beyond) {
    std::uint32_t count = 0;
    for (std::size_t l = locations.first; l < locations.last; ++l) {
      chunks_.emplace_back((all_.points.size(LocationId{l}) + per_chunk - 1) / per_chunk);
      count += static_cast<std::uint32_t>(chunks_.back().size());
    }
    steps_.grow(std::size_t{count} * per_chunk);
    all_.points.chunks_back(locations.first, locations.last, [&](PointId first, PointId) {
      chunks_[locations_.place(first.location)][first.number / per_chunk] = --count;
    });
  }
  /// Of all of these locations, with places that are left free.
  std::size_t size() const { return steps_.size(); }
  Position size(LocationId l) const { return Position{all_.points.size(l)}; }
  Step step(LocationId l, Position at) const { return steps_[place(l, at)]; }
  PointId id(LocationId l, Position at) const { return at == no_position ? no_point : PointId{l, step(l, at).number}; }
  Point point(LocationId l, Position at) const { return all_.at(id(l, at)); }
  /// Where it met the same partner before; the operation or point of a team before.
  Position met_before(LocationId l, Position at) const { return step(l, at).met_before; }
  void set(PointId id, Position at, const Point& p) {
    const bool is_fork = p.kind == PointKind::fork;
    steps_.set(place(id.location, at), {std::max<Ticks>(0, is_fork ? p.total : p.wait), id.number,
                                        static_cast<std::int32_t>(no_position), p.callpath, is_fork});
  }
  void set_met_before(LocationId l, Position at, Position before) {
    steps_.change(place(l, at), [&](Step& s) { s.met_before = static_cast<std::int32_t>(before); });
  }
  /// visit(const Step&) of [from, to) of a location.
  template <class Visit>
  void each(LocationId l, Position from, Position to, Visit&& visit) const {
    while (from < to) {
      const Position end = std::min(to, (from / per_chunk + 1) * per_chunk);
      const std::size_t first = place(l, from);
      steps_.each(first, first + static_cast<std::size_t>(end - from), visit);
      from = end;
    }
  }
  /// Of a location's points, by their numbers or positions, in a vector of all.
  std::size_t place(LocationId l, Position at) const {
    const auto n = static_cast<std::size_t>(at);
    return std::size_t{chunks_[locations_.place(l)][n / per_chunk]} * per_chunk + n % per_chunk;
  }

 private:
  static constexpr std::uint32_t per_chunk = PointLog::per_chunk;

  const Causes& all_;
  const LocationRange locations_;
  std::vector<std::vector<std::uint32_t>> chunks_;  ///< by location
  SpilledVector<Step> steps_;
};

}  // namespace waitstate::causes
