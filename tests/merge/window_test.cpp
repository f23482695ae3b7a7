// Tests windows: their events, the order of these, and when it pays to look for a window.
#include "merge/window.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/records.hpp"

namespace waitstate::merge {
namespace {

using Rows = std::vector<std::string>;

struct StreamsOfEvents {
  explicit StreamsOfEvents(const std::vector<std::vector<Time>>& times) : streams(times.size()) {
    for (std::size_t l = 0; l < times.size(); ++l) {
      support::ChunkOfEvents events(l);
      for (const Time t : times[l]) events.enter(t);
      if (times[l].empty()) continue;
      streams[l].add(events.chunk().events, events.chunk().task_events);
      streams[l].begin_next(spare);
      streams[l].advance_key();
    }
  }
  Rows entries() const {
    Rows rows;
    window.each([&](const LocationHeap::Head& head) {
      rows.push_back(std::to_string(head.time) + "@" + std::to_string(head.location.value));
    });
    return rows;
  }

  std::vector<LocationStream> streams;
  std::vector<replay::EventRows> spare;
  WaitingLocations waiting;
  Window window;
};

TEST(Window, HasAllEventsBeforeTheFirstOneThatHasNotBeenRead) {
  StreamsOfEvents s({{10, 20, 30, 40, 50, 60}, {10, 15, 25, 35, 45, 55}});
  ASSERT_TRUE(s.window.collect(s.streams, s.waiting, 10));
  EXPECT_EQ(s.entries(), (Rows{"10@0", "10@1", "15@1", "20@0", "25@1", "30@0", "35@1", "40@0", "45@1", "50@0"}))
      << "location 1 may have another event at 55";
  EXPECT_TRUE(s.window.due()) << "there may be another one behind it";
}

TEST(Window, TimesThatRunBackwardsAreThoseOfTheEventBefore) {
  StreamsOfEvents s({{10, 30, 20, 40, 90, 95}, {11, 31, 32, 50, 60, 70}});
  ASSERT_TRUE(s.window.collect(s.streams, s.waiting, 10));
  EXPECT_EQ(s.entries(), (Rows{"10@0", "11@1", "30@0", "30@0", "31@1", "32@1", "40@0", "50@1", "60@1"}));
}

TEST(Window, ALocationThatWaitsHasNoEventsInItButEndsItAllTheSame) {
  StreamsOfEvents s({{10, 20, 30, 40, 50, 60, 70}, {11, 21, 31, 41, 51, 61, 71}, {5, 45}});
  s.waiting.add(LocationId{2}, {});
  ASSERT_TRUE(s.window.collect(s.streams, s.waiting, 10));
  EXPECT_EQ(s.entries(), (Rows{"10@0", "11@1", "20@0", "21@1", "30@0", "31@1", "40@0", "41@1"}));
  EXPECT_EQ(s.window.locations().size(), 2u);
}

TEST(Window, FewEventsOfALocationDoNotPay) {
  StreamsOfEvents s({{10, 20, 30}, {11, 21, 31}});
  EXPECT_FALSE(s.window.collect(s.streams, s.waiting, 10));
  EXPECT_FALSE(s.window.due());
  s.window.later_by(7);
  EXPECT_FALSE(s.window.due()) << "four events a location";
  s.window.later_by(1);
  EXPECT_TRUE(s.window.due());
  s.window.later_by(1000);
  EXPECT_TRUE(s.window.due());
}

// Each location has all its events in a row: the heap places them for the price of one operation.
TEST(Window, LongRunsOfALocationDoNotPayForLong) {
  std::vector<Time> first, second;
  for (Time t = 0; t < 100; ++t) first.push_back(t), second.push_back(100 + t);
  second.push_back(201), first.push_back(201);
  StreamsOfEvents s({first, second});
  EXPECT_FALSE(s.window.collect(s.streams, s.waiting, 0));
  s.window.later_by(30 * 200 - 1);
  EXPECT_FALSE(s.window.due());
  s.window.later_by(1);
  EXPECT_TRUE(s.window.due());
}

TEST(Window, TimesThatAreTooFarApartForAnEntryAreLeftToTheHeap) {
  const Time far = Time{1} << 50;
  StreamsOfEvents s({{1, 2, 3, 4, 5, far + 9}, {1, 2, 3, 4, 5, far}});
  EXPECT_FALSE(s.window.collect(s.streams, s.waiting, 1));
}

TEST(Window, WithNothingReadThereIsNone) {
  StreamsOfEvents s({{}, {}});
  EXPECT_FALSE(s.window.collect(s.streams, s.waiting, 0));
}

}  // namespace
}  // namespace waitstate::merge
