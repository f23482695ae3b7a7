// Tests the order of locations against a sorted set, while locations come, go, and move from the first place.
#include "merge/location_heap.hpp"

#include <gtest/gtest.h>

#include <set>

namespace waitstate::merge {
namespace {

std::uint64_t next_random(std::uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 33;
}

TEST(location_heap, the_first_one_is_always_that_of_a_sorted_set) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::uint64_t state = seed;
    LocationHeap heap;
    std::set<std::pair<Time, std::uint32_t>> expected;
    std::uint32_t next_location = 0;
    const auto push = [&](Time time) {
      heap.push({time, LocationId{next_location}});
      expected.emplace(time, next_location++);
    };
    for (int step = 0; step < 200; ++step) {
      while (expected.size() < 1 + seed / 5) push(next_random(state) % 20);
      auto [time, location] = *expected.begin();
      ASSERT_EQ(heap.take(), LocationId{location});
      expected.erase(expected.begin());
      if (next_random(state) % 2 == 0) push(next_random(state) % 20);  // also before the one that is taken
      time += next_random(state) % 10;
      const bool first = expected.empty() || std::pair{time, location} < *expected.begin();
      ASSERT_EQ(heap.stays_first({time, LocationId{location}}), first);
      if (next_random(state) % 3 == 0) {
        heap.leave();
      } else {
        heap.put_back({time, LocationId{location}});
        expected.emplace(time, location);
      }
      ASSERT_EQ(heap.empty(), expected.empty());
    }
  }
}

}  // namespace
}  // namespace waitstate::merge
