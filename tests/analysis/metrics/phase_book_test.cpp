// The places that have most of the waits of a phase.
#include "analysis/metrics/phase_book.hpp"

#include <gtest/gtest.h>

namespace waitstate::test {
namespace {

using LargestList = std::vector<std::pair<std::uint32_t, Ticks>>;

TEST(LargestPlaces, the_largest_first_and_of_equal_ones_the_smaller_number) {
  analysis::LargestPlaces places;
  for (const auto& [place, ticks] : LargestList{{7, 10}, {3, 5}, {9, 2}, {3, 5}, {1, 1}}) places.add(place, ticks);
  places.add(8, 0);
  EXPECT_EQ(places.largest(3), (LargestList{{3, 10}, {7, 10}, {9, 2}}));
  EXPECT_EQ(places.largest(10).size(), 4u);
  EXPECT_TRUE(places.is_exact());
}

TEST(LargestPlaces, of_many_the_small_ones_are_dropped) {
  analysis::LargestPlaces places;
  for (std::uint32_t p = 0; p < 128; ++p) places.add(p, 1000 - p);
  EXPECT_TRUE(places.is_exact());
  places.add(128, 5);  // the 65 smallest are dropped with it
  EXPECT_FALSE(places.is_exact());
  EXPECT_EQ(places.largest(1000).size(), 64u);
  places.add(0, 7);
  places.add(127, 3);  // its former value is forgotten
  const LargestList kept = places.largest(1000);
  EXPECT_EQ(kept.front(), (std::pair<std::uint32_t, Ticks>(0, 1007)));
  EXPECT_EQ(kept[1], (std::pair<std::uint32_t, Ticks>(1, 999)));
  EXPECT_EQ(kept.back(), (std::pair<std::uint32_t, Ticks>(127, 3)));
}

}  // namespace
}  // namespace waitstate::test
