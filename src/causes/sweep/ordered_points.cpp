#include "causes/sweep/ordered_points.hpp"

namespace waitstate::causes {

OrderedPoints::OrderedPoints(const History& history, const LocationRange& locations, std::size_t spill_beyond)
    : log_(history.recorded.points), locations_(locations), steps_(spill_beyond) {
  std::uint32_t count = 0;
  for (std::size_t l = locations.first; l < locations.last; ++l) {
    chunks_.emplace_back((log_.size(LocationId{l}) + per_chunk - 1) / per_chunk);
    count += static_cast<std::uint32_t>(chunks_.back().size());
  }
  steps_.grow(std::size_t{count} * per_chunk);
  log_.chunks_back(locations.first, locations.last, [&](PointId first, PointId) {
    chunks_[locations_.place(first.location)][first.number / per_chunk] = --count;
  });
}

void OrderedPoints::set(PointId id, PointIndex at, const Point& p) {
  const bool is_fork = p.kind == PointKind::fork;
  steps_.set(place(id.location, at), {std::max<Ticks>(0, is_fork ? p.total : p.wait), id.number,
                                      static_cast<std::int32_t>(before_all), p.callpath, is_fork});
}

}  // namespace waitstate::causes
