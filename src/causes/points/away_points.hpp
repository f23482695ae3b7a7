// Points of locations whose home is another worker, which this worker has found: the send that a receive waited for,
// the members of an operation that met here. They are kept until all has been read, in a box for each home; then each
// home takes them into the logs of its locations.
//
// A point of a box has a name at once (PointId::away): its number in the box. Points that name it as their culprit are
// told its number in the log when that is known.
//
// Memory: 76 bytes a point, and 8 for each own point whose culprit is in a box, spilled; while they are taken, 8 for
// each of at most a million points of a home.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "causes/points/point_order.hpp"
#include "link/exchange/homes.hpp"
#include "util/stop_check.hpp"

namespace waitstate::causes {

class AwayPoints {
 public:
  /// One worker, which finds no point of another.
  AwayPoints() = default;
  AwayPoints(const link::Homes& homes, link::WorkerId own, std::size_t bytes_in_memory);

  bool is_own(LocationId l) const { return homes_ == nullptr || homes_->of(l) == own_; }
  /// Adds a point of another home; throws std::length_error if there are more than there are numbers.
  PointId add(const Point& p);
  /// Notes that the culprit of one of the worker's own points is in a box.
  void note_culprit(PointId own) { waiting_->push_back(own); }
  /// After take_all(): the name of a point in the log of its location.
  PointId in_log(PointId id) const {
    return id.is_away() ? PointId{id.location, box(id).numbers[id.number & ~PointId::away]} : id;
  }

  /// Brings the boxes to the same worker's of another process.
  template <class Archive>
  void travel(Archive& archive) {
    for (const auto& box : boxes_) archive(box->points);
    archive(*waiting_);
  }

  /// When all has been read, and the logs and orders of all are one: puts the points of all boxes into them. Throws
  /// Stopped.
  static void take_all(std::span<AwayPoints* const> workers, PointLog& log, PointOrder& order, unsigned threads,
                       const util::StopCheck& stop);

 private:
  struct Box {
    explicit Box(std::size_t bytes_in_memory) : points(bytes_in_memory), numbers(bytes_in_memory) {}
    util::SpilledVector<Point> points;
    util::SpilledVector<std::uint32_t> numbers;  ///< numbers of the points in the logs of their locations
  };
  const Box& box(PointId id) const { return *boxes_[homes_->of(id.location)]; }
  static void put_into_log(std::span<AwayPoints* const> workers, link::WorkerId home, PointLog& log,
                           const util::StopCheck& stop);
  static void name_culprits(std::span<AwayPoints* const> workers, link::WorkerId home, PointLog& log,
                            const util::StopCheck& stop);
  static void put_in_order(std::span<AwayPoints* const> workers, link::WorkerId home, PointOrder& order,
                           const util::StopCheck& stop);

  const link::Homes* homes_ = nullptr;
  link::WorkerId own_ = 0;
  std::vector<std::unique_ptr<Box>> boxes_;                ///< by home
  std::unique_ptr<util::SpilledVector<PointId>> waiting_;  ///< own points
};

}  // namespace waitstate::causes
