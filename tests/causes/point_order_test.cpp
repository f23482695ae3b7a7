// Points of a location come back in the order of time, in whatever order they came, also those that come at the end.
#include "causes/points/point_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace waitstate::causes {
namespace {

constexpr LocationId here{0};

Point at(Time enter, PointKind kind = PointKind::late_sender, Ticks wait = 0, std::uint16_t call = 0) {
  Point p;
  p.location = here;
  p.enter = p.record = enter;
  p.kind = kind, p.wait = wait, p.call = call;
  return p;
}

/// Enters of the points from the last one back.
std::vector<Time> back(const PointLog& log, const PointOrder& order) {
  std::vector<Time> enters;
  for (PointId id = order.last(here); id != no_point; id = log.at(id).point_before())
    enters.push_back(log.at(id).enter);
  return enters;
}

TEST(PointOrder, SortsPointsThatComeInAnyOrder) {
  for (const int shuffled : {1, 20, 3000}) {  // within so many points; the last one farther than what stays at hand
    std::vector<Time> enters;
    for (Time t = 1; t <= 3000; ++t) enters.push_back(t);
    std::mt19937 random(11);
    for (std::size_t i = 0; i < enters.size(); i += static_cast<std::size_t>(shuffled))
      std::shuffle(
          enters.begin() + static_cast<std::ptrdiff_t>(i),
          enters.begin() + std::min<std::ptrdiff_t>(std::ssize(enters), static_cast<std::ptrdiff_t>(i) + shuffled),
          random);
    PointLog log(1, std::size_t{1} << 30);
    PointOrder order(log);
    for (const Time t : enters) order.add(at(t));
    std::sort(enters.rbegin(), enters.rend());
    EXPECT_EQ(back(log, order), enters) << shuffled;
  }
}

TEST(PointOrder, PutsPointsInOrderThatComeAtTheEnd) {
  PointLog log(1, std::size_t{1} << 30);
  PointOrder order(log);
  for (Time t = 10; t <= 1000; t += 10) order.add(at(t));
  std::vector<std::uint32_t> late;
  for (const Time t : {Time{555}, Time{5}, Time{2000}, Time{15}}) late.push_back(log.push_back(at(t)).number);
  order.put_in_order(at(0).location, late);
  for (const Time t : {Time{1}, Time{557}, Time{995}, Time{1500}}) order.add(at(t));
  const std::vector<Time> all = back(log, order);
  EXPECT_EQ(all.size(), 108u);
  EXPECT_TRUE(std::is_sorted(all.rbegin(), all.rend()));
  EXPECT_EQ(all.front(), 2000u);
  EXPECT_EQ(all.back(), 1u);
}

// In MPI_Sendrecv the send comes before the receive that completes, in MPI_Waitall messages before what waits to its
// end; a call before another one that was entered when the first had lasted no time.
TEST(PointOrder, OrdersPointsOfOneTime) {
  PointLog log(1, std::size_t{1} << 30);
  PointOrder order(log);
  const PointId next_call = order.add(at(7, PointKind::late_sender, 0, 2));
  const PointId to_the_end = order.add(at(7, PointKind::barrier, 3, 1));
  const PointId receive = order.add(at(7, PointKind::late_sender, 5, 1));
  const PointId send = order.add(at(7, PointKind::late_sender, 0, 1));
  EXPECT_EQ(order.last(here), next_call);
  EXPECT_EQ(log.at(next_call).point_before(), to_the_end);
  EXPECT_EQ(log.at(to_the_end).point_before(), receive);
  EXPECT_EQ(log.at(receive).point_before(), send);
  EXPECT_EQ(log.at(send).point_before(), no_point);
}

// All points are of one record, and in one call.
TEST(PointOrder, PointsThatAreEqualOtherwiseAreInTheOrderOfTheirPartners) {
  std::vector<Point> points;
  for (const std::size_t met : {1, 2})
    for (const PointKind kind : {PointKind::late_sender, PointKind::late_receiver})
      for (const unsigned other : {3u, 4u}) {
        Point& p = points.emplace_back(at(7, kind, 0, 1));
        p.met = LocationId{met}, p.other = other & Point::other_bits;
        p.completion = std::ssize(points);
      }
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(points.begin(), points.end(), random);
    PointLog log(1, std::size_t{1} << 30);
    PointOrder order(log);
    for (const Point& p : points) order.add(p);
    std::vector<Ticks> found;
    for (PointId id = order.last(here); id != no_point; id = log.at(id).point_before())
      found.push_back(log.at(id).completion);
    EXPECT_EQ(found, (std::vector<Ticks>{8, 7, 6, 5, 4, 3, 2, 1}));
  }
}

}  // namespace
}  // namespace waitstate::causes
