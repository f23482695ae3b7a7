// Severities against sums in a map: where all locations have a value, where hardly any two are neighbours, and where
// the added values cancel out.
#include "waitstate/result/severities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

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
    EXPECT_EQ(severities.value(1, CallPathId{3}, LocationId{0}), 0);  // nothing was added to the other metric
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

// Damaged time stamps and sizes: each of these metrics is found, and so is its parent.
TEST(Severities, TooLargeFor64Bits) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  MetricTree metrics;
  const MetricIndex time = metrics.add("time", "", Unit::seconds, false, "", "");
  const MetricIndex mpi = metrics.add("mpi", "time", Unit::seconds, false, "", "");
  const MetricIndex within = metrics.add("within", "time", Unit::seconds, true, "", "");
  const MetricIndex bytes = metrics.add("bytes", "", Unit::bytes, false, "", "");
  const CallPathId path{0u};
  const auto found = [&](std::initializer_list<std::tuple<MetricIndex, std::uint32_t, std::int64_t>> values) {
    Severities s(metrics.size());
    for (const auto& [metric, location, value] : values) s.add(metric, path, LocationId{location}, value);
    return too_large(metrics, s);
  };
  using Metrics = std::vector<MetricIndex>;
  EXPECT_EQ(found({{time, 0, most}, {bytes, 1, most}, {within, 1, most}}), Metrics{});
  EXPECT_EQ(found({{time, 0, most}, {time, 1, 1}}), Metrics{time});          // the sum over locations
  EXPECT_EQ(found({{time, 0, most}, {mpi, 1, 1}}), Metrics{time});           // includes the metric below
  EXPECT_EQ(found({{mpi, 0, most}, {mpi, 0, most}}), (Metrics{time, mpi}));  // one value has wrapped to -2
  EXPECT_EQ(found({{within, 0, most}, {within, 9, 1}}), Metrics{within});    // its value is not part of the parent's
  EXPECT_EQ(found({{mpi, 0, -1}}), (Metrics{time, mpi}));                    // times are never negative
  EXPECT_EQ(found({{bytes, 0, -1}, {bytes, 1, 1}}), Metrics{});              // a difference of counters may be
  EXPECT_EQ(found({{bytes, 0, std::numeric_limits<std::int64_t>::min()}}), Metrics{bytes});
}

}  // namespace
}  // namespace waitstate
