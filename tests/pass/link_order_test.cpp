// The order in which chunks are linked: which are deferred, and what is given up when all wait for each other; with
// linking played by the test.
#include "pass/link_order.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <set>
#include <vector>

namespace waitstate::pass {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Linking as a test scripts it, for each location.
struct ScriptedLinking {
  bool scan(const replay::Chunk& c) { return may_process(c.location); }
  bool may_process(LocationId l) const { return !awaited.contains(l.value); }
  LocationId awaited_fork(LocationId l) const { return LocationId{awaited.at(l.value)}; }
  void give_up_fork(LocationId l) {
    forks_given_up.push_back(l.value);
    awaited.erase(l.value);
  }
  bool at_end(LocationId l) const { return ended.contains(l.value); }
  bool waits_for_others(LocationId l) const { return waiting.contains(l.value); }

  std::map<std::uint32_t, std::uint32_t> awaited;  ///< by waiting location: the one whose fork it waits for
  std::set<std::uint32_t> ended, waiting;
  Numbers forks_given_up;
};

struct OrderOfLocations {
  explicit OrderOfLocations(std::size_t locations) : progress(locations) {
    for (std::size_t i = 0; i < locations; ++i) rounds.add(LocationId{i}, 0);
  }

  /// The next chunk of the location.
  void take(std::uint32_t location, bool last = false, std::size_t events = 100) {
    auto chunk = std::make_unique<replay::Chunk>();
    chunk->location = LocationId{location};
    chunk->last = last;
    chunk->event_count = events;
    order.take(std::move(chunk));
  }
  std::uint32_t next() { return order.next().value; }

  ScriptedLinking linking;
  Rounds rounds;
  std::vector<Ticks> progress;
  std::mutex mutex;
  Numbers processed;
  LinkOrder<ScriptedLinking> order{linking, rounds, mutex, [this](std::unique_ptr<replay::Chunk> chunk) {
                                     const LocationId l = chunk->location;
                                     processed.push_back(l.value);
                                     if (chunk->last) linking.ended.insert(l.value);
                                     const Ticks before = progress[l.index()];
                                     progress[l.index()] += 100;
                                     rounds.advance(l, before, progress[l.index()], chunk->last);
                                   }};
};

constexpr std::uint32_t nobody = LocationId::none_value;

TEST(LinkOrder, LocationsHaveTheirTurnUntilAllHaveBeenReadToTheirEnds) {
  OrderOfLocations o(2);
  EXPECT_EQ(o.next(), 0u);
  o.take(0);
  EXPECT_EQ(o.next(), 1u);
  o.take(1, true);
  EXPECT_EQ(o.next(), 0u);
  o.take(0, true);
  EXPECT_EQ(o.next(), nobody);
  EXPECT_EQ(o.processed, (Numbers{0, 1, 0}));
}

TEST(LinkOrder, AChunkWhoseForkIsToComeIsDeferredUntilItHasBeenScanned) {
  OrderOfLocations o(3);
  o.linking.awaited[1] = 0;
  o.take(1);
  EXPECT_EQ(o.processed, Numbers{});
  EXPECT_NE(o.next(), 1u) << "it is not read on";
  o.take(2);
  EXPECT_EQ(o.processed, Numbers{2}) << "that was not the fork";
  o.linking.awaited.erase(1);
  o.take(0);
  EXPECT_EQ(o.processed, (Numbers{2, 0, 1})) << "behind the chunk that told";
  EXPECT_EQ(o.linking.forks_given_up, Numbers{});
}

TEST(LinkOrder, ChunksOfALocationStayInTheirOrder) {
  OrderOfLocations o(2);
  o.linking.awaited[1] = 0;
  o.take(1);
  o.take(1, true);
  EXPECT_EQ(o.processed, Numbers{});
  o.linking.awaited.erase(1);
  o.take(0, true);
  EXPECT_EQ(o.processed, (Numbers{0, 1, 1}));
  EXPECT_EQ(o.next(), nobody);
}

TEST(LinkOrder, WhoWaitsForOthersIsLeftAlone) {
  OrderOfLocations o(3);
  o.linking.waiting = {0, 1};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(o.next(), 2u);
    o.take(2);
  }
  o.linking.waiting = {};
  EXPECT_EQ(o.next(), 0u);
}

TEST(LinkOrder, IfEverybodyWaitsWhoIsLeastFarIsReadOn) {
  OrderOfLocations o(2);
  o.take(0);
  o.linking.waiting = {0, 1};
  EXPECT_EQ(o.next(), 1u);
}

TEST(LinkOrder, IfEverybodyElseWaitsWhatIsDeferredIsNotReadOn) {
  OrderOfLocations o(3);
  o.linking.awaited[0] = 1;
  o.take(0);
  o.linking.waiting = {1, 2};
  EXPECT_EQ(o.next(), 1u);
}

TEST(LinkOrder, InACircleWhoIsWaitedForIsReadOn) {
  OrderOfLocations o(2);
  o.linking.awaited = {{0, 1}, {1, 0}};
  o.take(0);
  o.take(1);
  EXPECT_EQ(o.next(), 1u);
  EXPECT_EQ(o.linking.forks_given_up, Numbers{});
  o.linking.awaited.erase(0);
  o.take(1);
  EXPECT_EQ(o.processed, Numbers{0}) << "it has told what the first one waited for";
  EXPECT_EQ(o.next(), 0u);
}

TEST(LinkOrder, AForkIsGivenUpWhenNobodyInTheCircleCanTellMore) {
  OrderOfLocations o(2);
  o.linking.awaited = {{0, 1}, {1, 0}};
  o.take(0, true);
  o.take(1, true);
  EXPECT_EQ(o.next(), nobody);
  ASSERT_EQ(o.linking.forks_given_up.size(), 2u);
  EXPECT_EQ(o.processed.size(), 2u);
}

// 0 waits for 1, and 1 for somebody who is not there: with its fork, that of 0 may be found.
TEST(LinkOrder, OfAChainTheForkOfTheLastOneIsGivenUp) {
  OrderOfLocations o(3);
  o.linking.awaited = {{0, 1}, {1, nobody}};
  o.take(0, true);
  o.take(1, true);
  o.take(2, true);
  EXPECT_EQ(o.next(), nobody);
  EXPECT_EQ(o.linking.forks_given_up, (Numbers{1, 0}));
  EXPECT_EQ(o.processed, (Numbers{2, 1, 0}));
}

TEST(LinkOrder, WithTooMuchDeferredAForkIsGivenUpAlthoughMoreCouldBeRead) {
  OrderOfLocations o(2);
  o.linking.awaited = {{0, 1}, {1, 0}};
  o.take(0);
  o.take(1, false, LinkOrder<ScriptedLinking>::most_deferred - 101);
  EXPECT_EQ(o.next(), 1u);
  EXPECT_EQ(o.linking.forks_given_up, Numbers{});
  o.take(1, false, 1);
  (void)o.next();
  EXPECT_EQ(o.linking.forks_given_up.size(), 1u);
}

TEST(LinkOrder, WhatHasBeenProcessedIsNotDeferredAnyMore) {
  OrderOfLocations o(2);
  for (int i = 0; i < 3; ++i) {  // each time as much as may be deferred
    o.linking.awaited = {{1, 0}};
    o.take(1, false, LinkOrder<ScriptedLinking>::most_deferred);
    o.linking.awaited = {};
    o.take(0);
  }
  o.linking.awaited = {{0, 1}, {1, 0}};
  o.take(0);
  o.take(1);
  EXPECT_EQ(o.next(), 1u) << "it may be read on";
}

}  // namespace
}  // namespace waitstate::pass
