// The events of a location that are still to be placed.
#include "merge/location_stream.hpp"

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace waitstate::merge {
namespace {

struct StreamOfChunks {
  void add(support::ChunkOfEvents& events) { stream.add(events.chunk().events, events.chunk().task_events); }
  LocationStream stream;
  std::vector<replay::EventRows> spare;
};

TEST(LocationStream, ChunksFollowEachOtherAndGiveTheirMemoryBack) {
  StreamOfChunks s;
  EXPECT_FALSE(s.stream.begin_next(s.spare)) << "nothing has been read";
  s.add(support::ChunkOfEvents().enter(10).exit(20));
  s.add(support::ChunkOfEvents().enter(30));
  ASSERT_TRUE(s.stream.begin_next(s.spare));
  EXPECT_EQ(s.stream.count, 2u);
  EXPECT_EQ(s.stream.row().time, 10u);
  s.stream.next = 1;
  ASSERT_TRUE(s.stream.begin_next(s.spare));
  EXPECT_EQ(s.stream.row().time, 20u) << "the first chunk goes on";
  EXPECT_TRUE(s.spare.empty());
  s.stream.next = 2;
  s.stream.next_task = 1;
  ASSERT_TRUE(s.stream.begin_next(s.spare));
  EXPECT_EQ(s.stream.row().time, 30u);
  EXPECT_EQ(s.stream.next_task, 0u);
  ASSERT_EQ(s.spare.size(), 1u);
  EXPECT_EQ(s.spare[0].size(), 0u);
  EXPECT_GE(s.spare[0].rows.capacity(), 2u);
  s.stream.next = 1;
  EXPECT_FALSE(s.stream.begin_next(s.spare));
}

TEST(LocationStream, TimesNeverDecrease) {
  StreamOfChunks s;
  s.add(support::ChunkOfEvents().enter(50).exit(20));
  s.stream.begin_next(s.spare);
  EXPECT_EQ(s.stream.advance_key(), 50u);
  s.stream.next = 1;
  EXPECT_EQ(s.stream.advance_key(), 50u);
}

TEST(LocationStream, ALinkIsTakenOnceForEachLinkedEvent) {
  LocationStream stream;
  EXPECT_FALSE(stream.find_link()) << "it is not known yet";
  stream.links.push_back({.message = 1});
  stream.links.push_back({.message = 2});
  EXPECT_TRUE(stream.find_link());
  EXPECT_TRUE(stream.find_link());
  EXPECT_EQ(stream.link.message, 1u) << "the event has not been placed";
  stream.has_link = false;
  EXPECT_TRUE(stream.find_link());
  EXPECT_EQ(stream.link.message, 2u);
  stream.has_link = false;
  EXPECT_FALSE(stream.find_link());
}

}  // namespace
}  // namespace waitstate::merge
