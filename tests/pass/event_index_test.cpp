// Where a location was at which time: which marks there are, and that reading goes on from them.
#include "pass/event_index.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "pass/marked_trace.hpp"

namespace waitstate::pass {
namespace {

constexpr LocationId first_location{0};

TEST(EventIndex, TheLatestMarkBeforeATimeIsFound) {
  // 1 + 2 * 4000 + 1 events, read 1000 at a time: marks lie at 0, 3000 and 6000 events, as they are at least 2048
  // apart.
  const MarkedTrace trace(busy_location(4000));
  const auto time_before = [&](Time t) { return trace.index.before(first_location, t)->time; };
  // After 3000 events the last one is the 1500th enter; after 6000 the 3000th.
  EXPECT_EQ(time_before(15'000), 0u) << "an event of that time has been read at the mark";
  EXPECT_EQ(time_before(15'001), 15'000u);
  EXPECT_EQ(time_before(30'000), 15'000u);
  EXPECT_EQ(time_before(30'001), 30'000u);
  EXPECT_EQ(time_before(~Time{0}), 30'000u) << "there is no mark at the end";
  EXPECT_EQ(time_before(0), 0u) << "the first mark is before everything";
}

TEST(EventIndex, AMarkHasTheRegionsThatAreOpen) {
  const MarkedTrace trace(busy_location(4000));
  EXPECT_TRUE(trace.index.before(first_location, 0)->open.empty());
  const EventIndex::Mark& mark = *trace.index.before(first_location, 20'000);
  ASSERT_EQ(mark.open.size(), 2u);
  EXPECT_EQ(mark.open[0].region, RegionId{0}) << "the outermost comes first";
  EXPECT_EQ(mark.open[0].enter, 0u);
  EXPECT_EQ(mark.open[1].region, RegionId{1});
  EXPECT_EQ(mark.open[1].enter, 15'000u);
}

TEST(EventIndex, ReadingGoesOnFromAMark) {
  struct FirstEvent {
    Time time = 0;
    bool left = false;
    void enter(Time t, RegionId) { time = t; }
    void exit(Time t, RegionId) { time = t, left = true; }
    void event(EventType, Time, const std::uint64_t*, std::span<const Value>) {}
    void attribute_list(std::span<const ListedAttribute>) {}
  };
  MarkedTrace trace(busy_location(4000));
  const std::vector<LocationId> locations{first_location};
  const auto readers = trace.input.readers<FirstEvent>(locations, false, 1);
  readers->go_to(first_location, trace.index.before(first_location, 20'000)->place);
  FirstEvent next;
  readers->read(first_location, next, 1);
  EXPECT_EQ(next.time, 15'005u);
  EXPECT_TRUE(next.left);
}

TEST(EventIndex, ALocationWithoutEventsHasNoMark) {
  const MarkedTrace trace("0 0 enter main\n2 0 enter main\n");
  EXPECT_NE(trace.index.before(first_location, 5), nullptr);
  EXPECT_EQ(trace.index.before(LocationId{1}, 5), nullptr);
}

TEST(EventIndex, BeyondTheMostMarksEverySecondOneGoesAndTheNextOnesAreFartherApart) {
  // Each of 128 locations has 128 marks at most, 2100 events apart. The 129th leaves every second of those before it,
  // and is one of them itself; from then on, two are 4200 events apart.
  constexpr std::size_t events_at_a_time = 2100, turns = 135;
  const MarkedTrace trace(busy_location(events_at_a_time * turns / 2), events_at_a_time, 128);
  std::vector<Time> marks;
  for (Time t = ~Time{0};; t = marks.back()) {
    const Time time = trace.index.before(first_location, t)->time;
    if (!marks.empty() && time == marks.back()) break;
    marks.push_back(time);
    if (time == 0) break;
  }
  // After n turns the last event is the enter at 10 * 1050 * n.
  constexpr Time turn = 5 * events_at_a_time;
  EXPECT_EQ(marks.size(), 64u + 4u);
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) EXPECT_EQ(marks[i] - marks[i + 1], 2 * turn) << i;
  EXPECT_EQ(marks.front(), 134 * turn);
}

}  // namespace
}  // namespace waitstate::pass
