// A log of points gives back the points that were put into it, and goes back over many locations in the order of their
// points.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "causes/points/point_log.hpp"

namespace waitstate::causes {
namespace {

TEST(PointLog, GoesBackAsPointsCame) {
  constexpr std::size_t locations = 7;  // the last one has none
  for (const std::size_t in_memory : {std::size_t{0}, std::size_t{1} << 30}) {
    PointLog log(locations, in_memory);
    std::mt19937 random(5);
    constexpr Time count = 5000;
    for (Time t = 1; t <= count; ++t) {
      Point p;
      p.location = LocationId{random() % (random() % (locations - 1) + 1)};  // some have many, some have few
      p.enter = t;
      p.wait = static_cast<Ticks>(t);
      const PointId id = log.next(p.location);
      ASSERT_EQ(log.push_back(p), id);
    }
    ASSERT_EQ(log.size(), count);
    Ticks waits = 0;
    log.each([&](const Point& p) { waits += p.wait; });
    EXPECT_EQ(waits, static_cast<Ticks>(count * (count + 1) / 2));

    std::vector<std::uint32_t> left;
    for (std::size_t l = 0; l < locations; ++l) left.push_back(log.size(LocationId{l}));
    std::vector<PointId> forwards, backwards;
    log.chunks(1, locations, [&](PointId first, PointId) { forwards.push_back(first); });
    Time begun = count + 1;  // chunks come in the opposite order of that in which they were begun
    log.chunks_back(1, locations, [&](PointId first, PointId end) {
      ASSERT_EQ(first.location, end.location);
      std::uint32_t& own = left[first.location.index()];
      ASSERT_EQ(end.number, own);
      ASSERT_LT(first.number, end.number);
      const Time before = log.at(first).enter;
      EXPECT_LT(before, begun);
      begun = before;
      for (PointId id = first; id.number < end.number; ++id.number) {
        const Point p = log.at(id);
        ASSERT_EQ(p.location, first.location);
        if (id == first) continue;
        ASSERT_GT(p.enter, log.at({id.location, id.number - 1}).enter);
      }
      own = first.number;
      backwards.push_back(first);
    });
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(forwards, backwards);
    EXPECT_EQ(left[0], log.size(LocationId{0}));  // not asked for
    for (std::size_t l = 1; l < locations; ++l) EXPECT_EQ(left[l], 0u) << l;
  }
}

// Two workers with three locations each, in turn; each bank has the points of one of them.
TEST(PointLog, TellsThePointsOfEachBankByName) {
  constexpr std::size_t locations = 6;
  PointLog log(locations, 1), other(locations, 1);
  std::mt19937 random(5);
  for (Time t = 1; t <= 3000; ++t) {
    Point p;
    p.location = LocationId{random() % locations};
    p.enter = t;
    (p.location.index() % 2 == 0 ? log : other).push_back(p);
  }
  log.join(other, {LocationId{1}, LocationId{3}, LocationId{5}});
  ASSERT_EQ(log.banks(), 2u);
  for (std::size_t bank = 0; bank < log.banks(); ++bank) {
    std::vector<std::uint32_t> next(locations);
    std::vector<std::pair<PointId, Time>> told;
    log.each_of_bank(bank, [&](PointId id, const Point& p) {
      EXPECT_EQ(id.location, p.location);
      EXPECT_EQ(id.number, next[id.location.index()]++);
      told.emplace_back(id, p.enter);
    });
    for (const auto& [id, enter] : told) EXPECT_EQ(log.at(id).enter, enter);
    for (std::size_t l = 0; l < locations; ++l)
      EXPECT_EQ(next[l], l % 2 == bank ? log.size(LocationId{l}) : 0) << bank << " " << l;
  }
}

}  // namespace
}  // namespace waitstate::causes
