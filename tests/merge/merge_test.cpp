// The one order of all events: by time, but never an effect before its cause, however the events come in chunks.
#include "merge/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/records.hpp"

namespace waitstate::merge {
namespace {

using link::Link;
using link::MergeStep;
using support::ChunkOfEvents;
using Rows = std::vector<std::string>;

/// Notes the events that it receives, as "time@location".
struct OrderOfEvents : EventConsumer {
  explicit OrderOfEvents(const EventStore& s) : store(s) {}
  void event(Position pos, EventType) override {
    rows.push_back(std::to_string(store.time(pos)) + "@" + std::to_string(store.location(pos).value));
  }
  const EventStore& store;
  Rows rows;
};

struct MergeOfProcesses {
  explicit MergeOfProcesses(std::size_t processes) : definitions(support::processes_of_one_location(processes)) {}

  /// A chunk whose records link to these, in their order.
  void take(ChunkOfEvents& events, const std::vector<Link>& links = {}, std::uint64_t missing = 0) {
    for (const Link& l : links) feed.link(events.chunk().location, l);
    merge.take(feed.take(events.chunk(), missing));
  }
  void finish() { merge.take_last(feed.take_rest(missing_)); }
  /// The events that have been placed since the last call.
  Rows placed() { return std::exchange(order.rows, {}); }
  std::uint64_t forced() const { return merge.diagnostics()[DiagnosticId::order_forced].count; }

  Definitions definitions;
  CallTree tree;
  link::MergeFeed feed;
  EventStore store{tree, definitions.locations.size(), true};
  OrderOfEvents order{store};
  Merge merge{definitions, feed, store, &order, false};
  const std::uint64_t missing_ = 0;
};

Link message(std::uint32_t slot) { return {.message = slot, .request = Link::none, .member = Link::none}; }
Link member(std::uint32_t number) { return {.message = Link::none, .request = Link::none, .member = number}; }

TEST(Merge, EventsComeByTimeAndNumbersOfLocationsDecideTies) {
  MergeOfProcesses m(3);
  m.take(ChunkOfEvents(2, true).enter(10).exit(20));
  m.take(ChunkOfEvents(1, true).enter(10).exit(15));
  m.take(ChunkOfEvents(0, true).enter(12).exit(20));
  EXPECT_EQ(m.placed(), (Rows{"10@1", "10@2", "12@0", "15@1", "20@0", "20@2"}));
}

TEST(Merge, EventsWaitUntilEveryLocationHasBeenReadThatFar) {
  MergeOfProcesses m(2);
  m.take(ChunkOfEvents(0).enter(10).exit(30));
  EXPECT_EQ(m.placed(), Rows{});
  m.take(ChunkOfEvents(1).enter(20).exit(25));
  EXPECT_EQ(m.placed(), (Rows{"10@0", "20@1", "25@1"}));
  m.take(ChunkOfEvents(1, true).enter(40));
  EXPECT_EQ(m.placed(), Rows{"30@0"}) << "location 0 may still have events before 40";
  m.finish();
  EXPECT_EQ(m.placed(), Rows{});
  ChunkOfEvents last(0, true);
  m.take(last);
  EXPECT_EQ(m.placed(), Rows{"40@1"});
}

TEST(Merge, TimesThatRunBackwardsOnALocationChangeNothingOfItsOrder) {
  MergeOfProcesses m(2);
  m.take(ChunkOfEvents(0, true).enter(50).exit(10));
  m.take(ChunkOfEvents(1, true).enter(20).exit(60));
  EXPECT_EQ(m.placed(), (Rows{"20@1", "50@0", "10@0", "60@1"}));
}

TEST(Merge, AReceiveComesAfterItsSendWhateverTheClocksSay) {
  MergeOfProcesses m(2);
  const std::uint32_t slot = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).receive(10, 1).enter(20), {message(slot)});
  EXPECT_EQ(m.placed(), Rows{});
  m.take(ChunkOfEvents(1, true).enter(5).send(100, 0).exit(200), {message(slot)});
  EXPECT_EQ(m.placed(), (Rows{"5@1", "100@1", "10@0", "20@0", "200@1"}));
  EXPECT_EQ(m.store.event(2).sendptr, 1u);
  EXPECT_EQ(m.forced(), 0u);
}

TEST(Merge, AReceiveWhoseSendIsMissingDoesNotWait) {
  MergeOfProcesses m(2);
  const std::uint32_t slot = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).receive(10, 1), {message(slot)});
  m.take(ChunkOfEvents(1).enter(20));
  EXPECT_EQ(m.placed(), Rows{"20@1"}) << "the send may be in what comes";
  m.feed.miss_slot(slot);
  m.take(ChunkOfEvents(1, true).exit(30), {}, 1);
  EXPECT_EQ(m.placed(), (Rows{"10@0", "30@1"}));
  EXPECT_EQ(m.store.event(1).sendptr, no_position);
  EXPECT_EQ(m.forced(), 0u);
}

TEST(Merge, WhatWaitsInACircleIsPlacedFromTheEarliestOnAndCounted) {
  MergeOfProcesses m(2);
  const std::uint32_t to_0 = m.feed.new_slot(), to_1 = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).receive(20, 1).send(30, 1), {message(to_0), message(to_1)});
  m.take(ChunkOfEvents(1, true).receive(10, 0).send(40, 0), {message(to_1), message(to_0)});
  EXPECT_EQ(m.placed(), (Rows{"10@1", "40@1", "20@0", "30@0"}));
  EXPECT_EQ(m.forced(), 1u);
}

/// A barrier of all processes, whose members begin at 10, 20, … and end at 11, 21, …; the first one's chunk comes
/// first. `dead`: it lacks a member.
struct Barrier : MergeOfProcesses {
  Barrier(std::size_t processes, bool dead) : MergeOfProcesses(processes + (dead ? 1 : 0)) {
    const std::uint32_t operation = feed.new_operation();
    feed.set(operation, {CommId{0}, CollectiveOp::barrier, LocationId::none(),
                         static_cast<std::uint32_t>(definitions.locations.size()), false, dead});
    for (std::size_t i = 0; i < processes; ++i) {
      const std::uint32_t m = feed.new_member(LocationId{i}, true);
      feed.join(m, operation);
      const Time t = 10 * (i + 1);
      take(ChunkOfEvents(i, true).linked(EventType::collective_begin, t).linked(EventType::collective_end, t + 1),
           {member(m), member(m)});
    }
  }
};

TEST(Merge, TheEndsOfABarrierComeAfterAllItsBegins) {
  Barrier m(3, false);
  EXPECT_EQ(m.placed(), (Rows{"10@0", "20@1", "30@2", "11@0", "21@1", "31@2"}));
  EXPECT_EQ(m.store.event(4).beginptr, 1u);
}

TEST(Merge, TheEndsOfABarrierThatLacksAMemberDoNotWait) {
  Barrier m(2, true);
  m.take(ChunkOfEvents(2, true).enter(15));
  EXPECT_EQ(m.placed(), (Rows{"10@0", "11@0", "15@2", "20@1", "21@1"}));
}

TEST(Merge, AMemberThatJoinsWithItsBeginPlacedWakesThoseThatWaitForIt) {
  MergeOfProcesses m(2);
  const std::uint32_t operation = m.feed.new_operation();
  m.feed.set(operation, {CommId{0}, CollectiveOp::barrier, LocationId::none(), 2, false, false});
  const std::uint32_t first = m.feed.new_member(LocationId{0}, true), second = m.feed.new_member(LocationId{1}, true);
  m.feed.join(first, operation);
  m.take(ChunkOfEvents(0, true).linked(EventType::collective_begin, 10).linked(EventType::collective_end, 11),
         {member(first), member(first)});
  m.take(ChunkOfEvents(1).linked(EventType::collective_begin, 20).enter(25), {member(second)});
  EXPECT_EQ(m.placed(), (Rows{"10@0", "20@1", "25@1"})) << "nobody knows yet that both are of one operation";
  m.feed.join(second, operation);
  m.take(ChunkOfEvents(1, true).linked(EventType::collective_end, 30), {member(second)});
  EXPECT_EQ(m.placed(), (Rows{"11@0", "30@1"}));
}

// Threads of a process wait for each other: the link of the first thread's record is known with the second one's chunk.
TEST(Merge, AnEventWhoseLinkComesLateIsPlacedAsSoonAsItIsThere) {
  MergeOfProcesses m(3);
  const std::uint32_t slot = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).send(10, 2).enter(40));
  m.take(ChunkOfEvents(1).enter(20).exit(30));
  m.take(ChunkOfEvents(2).enter(25).exit(80));
  EXPECT_EQ(m.placed(), (Rows{"20@1", "25@2", "30@1"})) << "what is earlier waits for its link";
  m.feed.link(LocationId{0}, message(slot));
  m.take(ChunkOfEvents(1, true).enter(50).exit(60));
  EXPECT_EQ(m.placed(), (Rows{"10@0", "40@0", "50@1", "60@1", "80@2"}));
}

TEST(Merge, AnEventWhoseLinkComesLateWaitsForWhatItSays) {
  MergeOfProcesses m(3);
  const std::uint32_t slot = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).receive(10, 2).exit(40));
  m.take(ChunkOfEvents(1).enter(20).exit(30));
  m.take(ChunkOfEvents(2).enter(25).send(50, 0).exit(80), {message(slot)});
  m.feed.link(LocationId{0}, message(slot));
  m.take(ChunkOfEvents(1, true).enter(60));
  EXPECT_EQ(m.placed(), (Rows{"20@1", "25@2", "30@1", "50@2", "10@0", "40@0", "60@1", "80@2"}));
  EXPECT_EQ(m.forced(), 0u);
}

TEST(Merge, OpenRegionsAndTheMessageQueueAreThoseAfterTheLastEvent) {
  MergeOfProcesses m(2);
  m.merge.keep_queue();
  const std::uint32_t slot = m.feed.new_slot(), other = m.feed.new_slot();
  m.take(ChunkOfEvents(0).enter(10, 0).enter(20, 1).send(30, 1).send(40, 1), {message(slot), message(other)});
  m.take(ChunkOfEvents(1, true).receive(50, 0), {message(slot)});
  EXPECT_EQ(m.merge.stack(LocationId{0}), (std::vector<Position>{0, 1}));
  EXPECT_EQ(m.merge.stack(LocationId{1}), std::vector<Position>{});
  EXPECT_EQ(m.merge.stack(LocationId{7}), std::vector<Position>{});
  EXPECT_EQ(m.merge.queue({}, {}), (std::vector<Position>{2, 3}));
  m.take(ChunkOfEvents(0, true).exit(60, 1));
  EXPECT_EQ(m.merge.queue({}, {}), std::vector<Position>{3});
  EXPECT_EQ(m.merge.stack(LocationId{0}), std::vector<Position>{0});
}

TEST(Merge, NumbersOfLinksComeBackWhenAllThatUseThemHasBeenPlaced) {
  MergeOfProcesses m(2);
  const std::uint32_t slot = m.feed.new_slot();
  m.take(ChunkOfEvents(0, true).send(10, 1), {message(slot)});
  m.take(ChunkOfEvents(1, true).receive(20, 0), {message(slot)});
  m.feed.take_rest(0);  // uses again the numbers that the last step has freed
  m.feed.take_rest(0);
  EXPECT_EQ(m.feed.new_slot(), slot);
}

/// Events of random locations at random times, with messages, as (location, time, slot or none, sends).
struct RandomEvents {
  struct Event {
    Time time;
    std::uint32_t slot = Link::none;
    bool sends = false;
  };
  RandomEvents(unsigned seed, std::size_t locations, std::size_t events) : random(seed), of_location(locations) {
    std::vector<Time> now(locations);
    std::uint32_t slots = 0;
    for (std::size_t i = 0; i < events; ++i) {
      const std::size_t l = random() % locations, to = random() % locations;
      now[l] += random() % 5;
      if (random() % 4 != 0 || l == to) {
        of_location[l].push_back({now[l]});
        continue;
      }
      of_location[l].push_back({now[l], slots, true});
      now[to] += random() % 3;  // so there is an order of all events, but clocks disagree
      of_location[to].push_back({now[to], slots++, false});
    }
    messages = slots;
  }

  /// The order in which they are placed if chunks have this many events.
  Rows merged(std::size_t chunk_events) {
    MergeOfProcesses m(of_location.size());
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < messages; ++i) slots.push_back(m.feed.new_slot());
    std::vector<std::size_t> next(of_location.size());
    for (bool any = true; any;) {
      any = false;
      for (std::size_t l = 0; l < of_location.size(); ++l) {
        const auto& events = of_location[l];
        if (next[l] > events.size()) continue;
        const std::size_t end = std::min(events.size(), next[l] + chunk_events);
        ChunkOfEvents chunk(l, end == events.size());
        std::vector<Link> links;
        for (std::size_t i = next[l]; i < end; ++i) {
          const Event& e = events[i];
          if (e.slot == Link::none) {
            chunk.event(EventType::measurement_on_off, e.time, {0});
            continue;
          }
          e.sends ? chunk.send(e.time, 0) : chunk.receive(e.time, 0);
          links.push_back(message(slots[e.slot]));
        }
        m.take(chunk, links);
        next[l] = end == events.size() ? end + 1 : end;
        any = true;
      }
    }
    m.finish();
    EXPECT_EQ(m.forced(), 0u);
    for (Position p = 0; p < m.store.size(); ++p) {
      const waitstate::Event e = m.store.event(p);
      EXPECT_TRUE(e.type != EventType::recv || e.sendptr < p);
    }
    return m.placed();
  }

  std::mt19937 random;
  std::vector<std::vector<Event>> of_location;
  std::uint32_t messages = 0;
};

TEST(Merge, TheOrderDoesNotDependOnWhereChunksEndNorOnWindows) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const std::size_t locations = 1 + seed % 7;
    RandomEvents events(seed, locations, 300);
    const Rows expected = events.merged(1);  // too little for a window
    for (const std::size_t chunk_events : {2, 7, 40, 1000})
      ASSERT_EQ(events.merged(chunk_events), expected) << "seed " << seed << ", chunks of " << chunk_events;
  }
}

}  // namespace
}  // namespace waitstate::merge
