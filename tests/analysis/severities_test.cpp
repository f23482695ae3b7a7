// Severities against sums in a map: where all locations have a value, where hardly any two are neighbours, and where
// what was added comes to nothing.
#include "waitstate/severities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace waitstate {
namespace {

using Key = std::pair<std::uint32_t, std::uint32_t>;  // call path, location

std::uint64_t next_random(std::uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 33;
}

void expect_sums(const Severities& severities, const std::map<Key, std::int64_t>& sums, std::uint32_t callpaths) {
  std::map<Key, std::int64_t> present, found;
  for (const auto& [key, value] : sums) {
    EXPECT_EQ(severities.value(0, CallPathId{key.first}, LocationId{key.second}), value);
    if (value != 0) present.emplace(key, value);
  }
  severities.for_each(0, [&](CallPathId c, LocationId l, std::int64_t value) {
    EXPECT_TRUE(found.emplace(Key{c.value, l.value}, value).second) << "twice";
  });
  EXPECT_EQ(found, present);

  // Backwards: the last call path first.
  std::vector<std::uint32_t> places(callpaths);
  std::iota(places.rbegin(), places.rend(), 0u);
  std::vector<Key> order;
  severities.for_each(0, places, [&](CallPathId c, LocationId l, std::int64_t value) {
    EXPECT_EQ(value, present.at({c.value, l.value}));
    order.emplace_back(places[c.index()], l.value);
  });
  EXPECT_EQ(order.size(), present.size());
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(severities, are_the_sums_of_what_was_added) {
  for (const std::uint32_t stride : {1u, 7u, 8u, 1000u}) {
    std::uint64_t state = stride;
    Severities severities(2);
    std::map<Key, std::int64_t> sums;
    for (int i = 0; i < 3000; ++i) {
      const Key key{static_cast<std::uint32_t>(next_random(state) % 20),
                    static_cast<std::uint32_t>(next_random(state) % 40 * stride)};
      const auto value = static_cast<std::int64_t>(next_random(state) % 5) - 2;
      severities.add(0, CallPathId{key.first}, LocationId{key.second}, value);
      sums[key] += value;
    }
    expect_sums(severities, sums, 20);
    EXPECT_EQ(severities.value(0, CallPathId{3}, LocationId{40 * stride}), 0);
    EXPECT_EQ(severities.value(1, CallPathId{3}, LocationId{0}), 0);  // of the other metric nothing was added
    severities.for_each(1, [](CallPathId, LocationId, std::int64_t) { FAIL(); });
  }
}

TEST(severities, that_come_to_nothing_are_not_there) {
  Severities severities(1);
  severities.add(0, CallPathId{0}, LocationId{5}, 7);
  severities.add(0, CallPathId{0}, LocationId{5}, -7);
  severities.for_each(0, [](CallPathId, LocationId, std::int64_t) { FAIL(); });
  severities.add(0, CallPathId{0}, LocationId{6}, INT64_MAX);
  severities.add(0, CallPathId{0}, LocationId{6}, 1);  // wraps, as all sums of ticks do
  EXPECT_EQ(severities.value(0, CallPathId{0}, LocationId{6}), INT64_MIN);
}

}  // namespace
}  // namespace waitstate
