// The books of waits: who made whom wait, and the number of members beyond which that is not kept individually.
#include "analysis/metrics/wait_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "analysis/metrics/series_book.hpp"

namespace waitstate::analysis {
namespace {

Wait wait_of(std::uint32_t waiter, std::uint32_t culprit, Ticks ticks) {
  Wait w;
  w.location = LocationId{waiter};
  w.callpath = CallPathId{1};
  w.ticks = ticks;
  w.culprit = LocationId{culprit};
  w.culprit_callpath = CallPathId{2};
  return w;
}

TEST(WaitRecorder, waiters_are_told_apart_up_to_so_many_members) {
  WaitRecorder books(1);
  for (const std::size_t members : {WaitSummary::most_told_apart, WaitSummary::most_told_apart + 1}) {
    books.open(members);
    for (const std::uint32_t waiter : {5, 3, 4}) books.add(0, wait_of(waiter, 9, waiter));
    books.close();
  }
  books.add(0, wait_of(3, 9, 100));  // waits for a message: each location is listed again
  const WaitSummary waits = books.summaries(CallPathOrder(CallTree())).at(0);
  using Pairs = WaitTable<std::pair<LocationId, LocationId>>;
  EXPECT_EQ(waits.pairs, (Pairs{{{LocationId{9}, LocationId{3}}, {2, 103}},
                                {{LocationId{9}, LocationId{4}}, {1, 4}},
                                {{LocationId{9}, LocationId{5}}, {1, 5}},
                                {{LocationId{9}, LocationId::none()}, {3, 12}}}));
  EXPECT_EQ(waits.causes.at({CallPathId{2}, LocationId{9}}), (WaitPair{7, 124}));
  EXPECT_EQ(waits.statistics.count, 7u);
  ASSERT_EQ(waits.severe.at(CallPathId{1}).size(), 3u);
  EXPECT_EQ(waits.severe.at(CallPathId{1})[1].waiters, 3u);
}

struct NoCause final : CauseFinder {
  bool find(const Wait&, WaitCause&) const override { return false; }
};

TEST(WaitRecorder, members_beyond_the_longest_are_counted) {
  const NoCause causes;
  WaitRecorder books(1, &causes);
  for (const Ticks longest : {40, 50}) {  // the second one is the worst, and has the place of none
    books.open(40);
    for (std::uint32_t waiter = 0; waiter < 40; ++waiter) books.add(0, wait_of(waiter, 99, longest - waiter));
    books.close();
  }
  const WaitSummary waits = books.summaries(CallPathOrder(CallTree())).at(0);
  const SevereInstance& worst = waits.severe.at(CallPathId{1})[0];
  ASSERT_EQ(worst.members.size(), SevereInstance::max_members);
  EXPECT_EQ(worst.members.front().ticks, 50);
  EXPECT_EQ(worst.members.back().ticks, 19);
  EXPECT_EQ(worst.members_left_out, 8u);
  EXPECT_FALSE(worst.cause);
  ASSERT_EQ(waits.by_callpath.size(), 1u);
  EXPECT_EQ(waits.by_callpath[0].statistics.count, 80u);
  EXPECT_EQ(waits.by_callpath[0].statistics.quantile_error, 1.0 / 32);
}

// Each replaces the least of five: its members must be its own.
TEST(WaitRecorder, members_stay_with_their_instance) {
  const NoCause causes;
  WaitRecorder books(1, &causes);
  for (Ticks n = 1; n <= 20; ++n) {
    books.open(2);
    for (const std::uint32_t waiter : {0, 1}) books.add(0, wait_of(waiter, 9, n * 100 + waiter));
    books.close();
  }
  const WaitSummary summary = books.summaries(CallPathOrder(CallTree())).at(0);
  const auto& severe = summary.severe.at(CallPathId{1});
  for (std::size_t i = 0; i < severe.size(); ++i) {
    const Ticks n = 20 - static_cast<Ticks>(i);
    ASSERT_EQ(severe[i].members.size(), 2u);
    EXPECT_EQ(severe[i].members[0].ticks, n * 100 + 1);
    EXPECT_EQ(severe[i].members[1].ticks, n * 100);
  }
}

TEST(DurationBook, classes_are_exact_for_many_waits) {
  std::mt19937_64 random(1);
  WaitStatisticsBook book;
  book.with_classes();
  std::map<std::size_t, DurationClass> expected;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t v = i == 0 ? 0 : random() >> (1 + random() % 63);
    DurationClass& c = expected[DurationClasses::of(v)];
    ++c.count;
    c.ticks = add_ticks(c.ticks, v);
    EXPECT_LE(DurationClasses::from(DurationClasses::of(v)), v);
    EXPECT_LT(v, DurationClasses::from(DurationClasses::of(v) + 1));
    book.add(static_cast<Ticks>(v));
  }
  const std::vector<DurationClass> found = book.classes();
  ASSERT_EQ(found.size(), expected.size());
  auto next = found.begin();
  for (const auto& [number, c] : expected) {
    EXPECT_EQ(*next,
              (DurationClass{DurationClasses::from(number), DurationClasses::from(number + 1), c.count, c.ticks}));
    ++next;
  }
}

// Neither the order of waits nor their number matters, nor that bins are merged meanwhile.
TEST(SeriesBook, equals_the_sum_of_what_lies_in_each_bin) {
  std::mt19937_64 random(2);
  struct One {
    LocationId location;
    Time begin;
    Ticks ticks;
  };
  std::vector<One> waits;
  for (int i = 0; i < 300; ++i)
    waits.push_back(
        {LocationId{random() % 600}, 1'000'000 + random() % 50'000, static_cast<Ticks>(1 + random() % 900)});
  Severities severities(1);
  for (const One& w : waits) severities.add(0, CallPathId{0}, w.location, w.ticks);
  severities.add(0, CallPathId{0}, LocationId{0}, 17);  // has no time
  std::optional<WaitSeries> first;
  for (int order = 0; order < 3; ++order) {
    SeriesBook book(600);
    for (const One& w : waits) book.add(0, w.location, w.begin, w.ticks);
    const WaitSeries s = book.finish(severities);
    EXPECT_EQ(first.value_or(s), s);
    first = s;
    std::shuffle(waits.begin(), waits.end(), random);
  }
  const WaitSeries& s = *first;
  ASSERT_LE(s.bins, WaitSeries::max_bins);
  EXPECT_EQ(s.groups.size(), 200u);
  EXPECT_EQ(s.groups[1], std::pair(LocationId{3}, LocationId{5}));
  std::vector<Ticks> all(s.bins, 0);
  std::vector<std::vector<Ticks>> groups(200, std::vector<Ticks>(s.group_bins(), 0));
  for (const One& w : waits)
    for (Time t = w.begin; t < w.begin + static_cast<Time>(w.ticks); ++t) {
      const auto bin = static_cast<std::size_t>((t - s.start) / s.bin_ticks);
      ++all.at(bin);
      ++groups[w.location.index() / 3].at(bin / s.bins_per_group_bin);
    }
  const WaitSeries::OfMetric& found = s.metrics.at(0);
  EXPECT_EQ(found.ticks, all);
  EXPECT_EQ(found.without_time, 17);
  for (const auto& [group, ticks] : found.groups) EXPECT_EQ(ticks, groups[group]) << group;
}

// Times of damaged traces may be anything.
TEST(SeriesBook, has_room_for_all_times) {
  SeriesBook book(1);
  book.add(0, LocationId{0}, 0, 10);
  book.add(0, LocationId{0}, ~Time{0} - 5, 5);
  book.add(0, LocationId{0}, ~Time{0} - 5, 50);  // ends behind all times
  book.add(0, LocationId{0}, 7, 0);
  const WaitSeries s = book.finish(Severities(1));
  EXPECT_EQ(s.start, 0u);
  EXPECT_EQ(s.bins, WaitSeries::max_bins);
  EXPECT_EQ(s.bin_ticks, std::uint64_t{1} << 54);
  EXPECT_EQ(s.metrics.at(0).ticks.front(), 10);
  EXPECT_EQ(s.metrics.at(0).ticks.back(), 5);
}

}  // namespace
}  // namespace waitstate::analysis
