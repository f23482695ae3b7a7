// The order of each location's points. A log has them as they came; each points to the one before it in the order of
// time.
//
// A sender's point comes when its receiver has been read, behind some dozens of others. So the last 64 to 128 points of
// a location, in the order of time, stay in memory with what decides about their order, at most 3 KiB, and a point is
// put in order there when it comes. Where points come later than that, more of them stay, as long as these take 16 MiB
// at most. Points that come when all has been read (PutAmong) are put in order from the last one on.
//
// Invariant: the points before a point are those that is_before() says lie before it. Cost: some steps a point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "causes/points/point_log.hpp"

namespace waitstate::causes {

class PointOrder {
 public:
  explicit PointOrder(PointLog& points) : points_(points), recent_(points.locations()) {}

  /// Takes over the order of these locations' points, which another worker has read.
  void join(PointOrder& other, const std::vector<LocationId>& locations);
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& locations) {
    for (const LocationId l : locations) archive(recent_[l.index()]);
  }
  /// Adds the point to its location's log, and puts it in order.
  PointId add(Point p);
  /// The location's last point in the order of time, no_point if it has none.
  PointId last(LocationId l) const {
    const std::vector<OrderKey>& recent = recent_[l.index()].places;
    return recent.empty() ? no_point : PointId{l, recent.back().number};
  }

  /// Puts in order points of one location that are in its log already; from the latest of them on, each is found behind
  /// the one before.
  class Inserter {
   public:
    explicit Inserter(PointOrder& order) : order_(order) {}
    void insert(PointId id, Point& p);

   private:
    friend PointOrder;
    PointOrder& order_;
    std::uint32_t before_ = PointId::no_number, after_ = PointId::no_number;  ///< the gap that the last one went into
    bool is_known_ = false;
  };
  /// Puts in order points of a location that are in its log already, but not in order yet; `numbers`: there.
  void put_in_order(LocationId l, const std::vector<std::uint32_t>& numbers);

 private:
  /// The properties of a point that decide about its place.
  struct OrderKey {
    Time enter, record;
    std::uint32_t number;
    LocationId met;
    std::uint16_t call;
    PointKind kind;
    std::uint8_t other;
    bool waits : 1, message : 1;
  };
  static_assert(sizeof(OrderKey) == 32);
  /// Places of one location in the order of time: the last ones, and the first of all, before which MPI_Init comes when
  /// all has been read.
  struct Recent {
    std::vector<OrderKey> places{};
    std::size_t most = 96;
    OrderKey first{};  ///< if there are any

    template <class Archive>
    void travel(Archive& archive) {
      archive(places, most, first);
    }
  };
  /// Two points next to each other, between which one is put.
  struct Gap {
    std::uint32_t before = PointId::no_number, after = PointId::no_number;
  };
  static constexpr std::size_t most_of_all = (std::size_t{16} << 20) / sizeof(OrderKey);

  static OrderKey place(std::uint32_t number, const Point& p) {
    return {p.enter, p.record, number, p.met, p.call, p.kind, p.other, p.wait > 0, is_of_message(p.kind)};
  }
  static bool is_before(const OrderKey& x, const OrderKey& y);
  void put_last(const OrderKey& own, Point& p);
  void go_before(Gap& gap, const OrderKey& own, LocationId l) const;
  void put_into(const Gap& gap, const OrderKey& own, LocationId l);

  PointLog& points_;
  std::vector<Recent> recent_;  ///< by location
  std::size_t kept_more_ = 0;   ///< places beyond the first 96 of each location
};

}  // namespace waitstate::causes
