// The effects of placing an event: regions, links, the message queue, and the events that the store may free.
#include "merge/placer.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "support/records.hpp"

namespace waitstate::merge {
namespace {

using link::Link;
using support::ChunkOfEvents;
constexpr std::uint32_t none = Link::none;

Link message(std::uint32_t slot) { return {slot, none, none}; }
Link request(std::uint32_t slot) { return {none, slot, none}; }
Link member(std::uint32_t number) { return {none, none, number}; }

/// Two locations, whose events are placed one by one.
struct PlacedByHand {
  explicit PlacedByHand(bool pin = false) : store(tree, 2, !pin), placer(definitions, streams, store, nullptr, pin) {
    placer.slots().grow(8);
  }

  /// Adds events that are to be placed on their location.
  void add(ChunkOfEvents& events) {
    replay::Chunk& c = events.chunk();
    for (const replay::TaskEvent& t : c.task_events) c.events.rows[t.event].switches = true;
    LocationStream& s = streams[c.location.index()];
    s.add(c.events, c.task_events);
    s.begin_next(spare);
  }
  /// Places the location's next event; its link, if it is linked.
  Placer::Placed place(std::size_t location, const Link& link = {}) {
    LocationStream& s = streams[location];
    s.begin_next(spare);
    if (s.row().linked) s.links.push_back(link), s.find_link();
    if (!placer.only_moves(s.row())) return placer.place(s, LocationId{location});
    placer.place_move(s, LocationId{location});
    return {};
  }
  bool may_place(std::size_t location, const Link& link) {
    LocationStream s = streams[location];
    s.begin_next(spare);
    s.links.push_back(link), s.find_link();
    return placer.causes_placed(s);
  }
  Event last() const { return store.event(store.size() - 1); }

  static CallTree ten_call_paths() {
    CallTree tree;
    for (std::size_t i = 0; i < 10; ++i) tree.find_or_add({{}, RegionId{i}, {}});
    return tree;
  }

  Definitions definitions = support::processes_of_one_location(2);
  CallTree tree = ten_call_paths();
  std::vector<LocationStream> streams{2};
  std::vector<replay::EventRows> spare;
  EventStore store;
  Placer placer;
};

TEST(LinkUse, SaysWhatEachTypeOfEventDoesWithItsLink) {
  const Link all{.message = 1, .request = 2, .member = 3};
  const auto use = [&](EventType type) {
    const LinkUse u = LinkUse::of(type, all);
    return std::vector{u.sends, u.receives, u.starts, u.completes, u.begins, u.ends};
  };
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(use(EventType::send), (Numbers{1, none, none, 2, none, none}));
  EXPECT_EQ(use(EventType::isend), (Numbers{1, none, 2, none, none, none}));
  EXPECT_EQ(use(EventType::recv), (Numbers{none, 1, none, 2, none, none}));
  EXPECT_EQ(use(EventType::irecv), (Numbers{none, 1, none, 2, none, none}));
  EXPECT_EQ(use(EventType::irecv_request), (Numbers{1, none, 2, none, none, none}));
  EXPECT_EQ(use(EventType::nonblocking_collective_request), (Numbers{1, none, 2, none, none, none}));
  EXPECT_EQ(use(EventType::collective_begin), (Numbers{1, none, none, 2, 3, none}));
  EXPECT_EQ(use(EventType::collective_end), (Numbers{1, none, none, 2, none, 3}));
  const LinkUse cancelled = LinkUse::of(EventType::isend, {.message = Link::cancelled, .request = 2, .member = none});
  EXPECT_TRUE(cancelled.cancelled);
  EXPECT_EQ(cancelled.sends, none);
  EXPECT_FALSE(LinkUse::of(EventType::isend, all).cancelled);
}

TEST(Placer, EventsStandInTheInnermostOpenRegion) {
  PlacedByHand p;
  p.add(ChunkOfEvents(0).enter(10, 1).enter(20, 2).event(EventType::measurement_on_off, 25, {0}).exit(30, 2));
  for (int i = 0; i < 3; ++i) p.place(0);
  EXPECT_EQ(p.last().enterptr, 1u);
  p.place(0);
  EXPECT_EQ(p.last().enterptr, 1u) << "an exit stands in the region that it leaves";
  p.add(ChunkOfEvents(0).event(EventType::measurement_on_off, 40, {0}));
  p.place(0);
  EXPECT_EQ(p.last().enterptr, 0u);
}

TEST(Placer, AnExitOfAnOuterRegionClosesThoseInsideIt) {
  PlacedByHand p;
  p.add(ChunkOfEvents(0).enter(10, 1).enter(20, 2).enter(30, 3).exit(40, 2).exit(50, 3).exit(60, 1));
  for (int i = 0; i < 4; ++i) p.place(0);
  EXPECT_EQ(p.last().enterptr, 1u);
  p.place(0);
  EXPECT_EQ(p.last().enterptr, no_position) << "the region has been closed";
  p.place(0);
  EXPECT_EQ(p.last().enterptr, 0u);
}

TEST(Placer, AReceivePointsToItsSendAndMayBePlacedOnceThatIs) {
  PlacedByHand p;
  p.add(ChunkOfEvents(0).enter(5).send(10, 1));
  p.add(ChunkOfEvents(1).receive(20, 0));
  EXPECT_FALSE(p.may_place(1, message(3)));
  p.place(0);
  EXPECT_EQ(p.place(0, message(3)).message, 3u) << "who waits for the send may go on";
  EXPECT_TRUE(p.may_place(1, message(3)));
  EXPECT_EQ(p.place(1, message(3)).message, none);
  EXPECT_EQ(p.last().sendptr, 1u);
}

TEST(Placer, AReceiveWithoutASendPointsNowhere) {
  PlacedByHand p;
  p.add(ChunkOfEvents(1).receive(20, 0).receive(30, 0));
  EXPECT_TRUE(p.may_place(1, {}));
  p.place(1, {});
  EXPECT_EQ(p.last().sendptr, no_position);
  p.placer.slots().miss(3);
  EXPECT_TRUE(p.may_place(1, message(3)));
  p.place(1, message(3));
  EXPECT_EQ(p.last().sendptr, no_position);
}

TEST(Placer, CompletionsTestsAndCancellationsPointToTheStartOfTheirRequest) {
  for (const EventType end : {EventType::isend_complete, EventType::request_test, EventType::request_cancelled}) {
    PlacedByHand p;
    p.add(ChunkOfEvents(0).enter(5).linked(EventType::isend, 10, {1, 0, 0, 8, 7}).linked(end, 20, {7}));
    p.place(0);
    p.place(0, {.message = 3, .request = 4, .member = none});
    p.place(0, request(4));
    EXPECT_EQ(p.last().requestptr, 1u) << name(end);
  }
}

TEST(Placer, TheEndOfACollectivePointsToItsBeginAndWaitsForTheOthers) {
  PlacedByHand p;
  CollectiveOrder& order = p.placer.collectives();
  order.set(0, {CommId{0}, CollectiveOp::barrier, LocationId::none(), 2, false, false});
  for (const std::uint32_t m : {0u, 1u}) order.begin_member(m, LocationId{m}, true), order.join(m, 0);
  for (const std::size_t l : {0, 1})
    p.add(ChunkOfEvents(l).linked(EventType::collective_begin, 10).linked(EventType::collective_end, 20));
  EXPECT_EQ(p.place(0, member(0)).member, 0u);
  EXPECT_FALSE(p.may_place(0, member(0)));
  EXPECT_EQ(p.place(1, member(1)).member, 1u);
  EXPECT_TRUE(p.may_place(0, member(0)));
  EXPECT_EQ(p.place(0, member(0)).member, none) << "nobody waits for an end";
  EXPECT_EQ(p.last().beginptr, 0u);
  p.place(1, member(1));
  EXPECT_EQ(p.last().beginptr, 1u);
}

TEST(Placer, TheQueueHasSendsThatHaveNotBeenReceivedNorCancelled) {
  PlacedByHand p;
  p.placer.keep_queue();
  p.add(ChunkOfEvents(0).send(10, 1).send(20, 1).linked(EventType::isend, 30, {1, 0, 0, 8, 7}));
  p.add(ChunkOfEvents(1).receive(40, 0));
  p.place(0, message(0));
  p.place(0, message(1));
  p.place(0, {.message = Link::cancelled, .request = 2, .member = none});
  const auto queue = [&] { return p.placer.queue().sends({}, {}); };
  EXPECT_EQ(queue(), (std::vector<Position>{0, 1}));
  EXPECT_EQ(p.store.queue(2, {}, {}), (std::vector<Position>{0, 1})) << "as the store has it afterwards";
  p.place(1, message(0));
  EXPECT_EQ(queue(), std::vector<Position>{1});
  EXPECT_EQ(p.store.queue(3, {}, {}), std::vector<Position>{1});
}

TEST(Placer, ATaskTakesItsOpenRegionsToWhereverItGoesOn) {
  PlacedByHand p;
  p.definitions.locations[1].process = ProcessId{0};  // a thread of the same process
  replay::TaskEvent begins, ends;
  begins.begins = begins.aside = ends.aside = true;
  begins.team = ends.team = CommId{0};
  begins.task = ends.task = 5;
  p.add(ChunkOfEvents(0).enter(10, 1).task(begins).enter(20, 2).task(ends).event(EventType::thread_task_switch, 30));
  p.add(ChunkOfEvents(1).task(begins).exit(40, 2));
  for (int i = 0; i < 2; ++i) p.place(0);
  EXPECT_EQ(p.last().type, EventType::enter);
  p.place(0);
  EXPECT_EQ(p.last().enterptr, 0u) << "the thread goes on with what it did before the task";
  p.place(1);
  EXPECT_EQ(p.last().enterptr, 1u) << "the region was entered on the other thread";
}

// One event in each block of the store keeps the block: every event that the test looks at stays.
TEST(Placer, TheStoreKeepsWhatSomethingMayStillPointToAndNothingElse) {
  PlacedByHand p(true);
  const auto fill_blocks = [&] {
    ChunkOfEvents moves(1);
    for (Time t = 0; t < 10000; t += 2) moves.enter(t, 9).exit(t + 1, 9);
    p.add(moves);
    for (int i = 0; i < 10000; ++i) p.place(1);
  };
  p.add(ChunkOfEvents(0).enter(1, 1).send(2, 1).exit(3, 1).enter(4, 1));
  p.place(0);
  p.place(0, message(0));
  p.place(0);
  fill_blocks();
  EXPECT_EQ(p.store.event(1).type, EventType::send) << "it may be received";
  EXPECT_EQ(p.store.event(0).type, EventType::enter) << "and its call be asked for";
  EXPECT_THROW((void)p.store.event(5000), std::out_of_range);
  p.add(ChunkOfEvents(1).receive(20000, 0));
  p.place(1, message(0));
  EXPECT_THROW((void)p.store.event(1), std::out_of_range) << "it has been received";
}

TEST(Placer, NumbersOfLinksAreFreeWhenTheLastEventThatUsesThemHasBeenPlaced) {
  PlacedByHand p;
  p.add(ChunkOfEvents(0).send(10, 1));
  p.add(ChunkOfEvents(1).receive(20, 0));
  std::vector<std::uint32_t> free;
  p.place(0, message(3));
  p.placer.slots().take_free(free);
  EXPECT_TRUE(free.empty());
  p.place(1, message(3));
  p.placer.slots().take_free(free);
  EXPECT_EQ(free, std::vector<std::uint32_t>{3});
}

// A put of location 0 in a fence: its start and its end are in the innermost region at their places.
TEST(Placer, TransfersArePlacedWithTheRecordsThatTheyAreDerivedFrom) {
  PlacedByHand p;
  RmaWin window;
  window.comm = CommId{0};
  p.definitions.rma_wins.push_back(window);
  Region put;
  put.name = "MPI_Put";
  p.definitions.regions.push_back(put);
  p.definitions.finish();
  const CallPathId call = p.tree.find_or_add({{}, RegionId{0}, {}});
  p.placer.derive_transfers(p.tree, RmaModel::basic);
  EXPECT_FALSE(p.placer.only_moves({10, 0, EventType::enter})) << "a transfer may end before an exit";
  p.add(ChunkOfEvents(1).enter(5, call.value));
  p.add(ChunkOfEvents(0).enter(10, call.value).event(EventType::rma_put, 20, {0, 1, 8, 3}).exit(30, call.value));
  p.place(1);
  for (int i = 0; i < 3; ++i) p.place(0);
  std::vector<EventType> types;
  for (Position at = 0; at < p.store.size(); ++at) types.push_back(p.store.event(at).type);
  EXPECT_EQ(types, (std::vector{EventType::enter, EventType::enter, EventType::rma_put, EventType::put_1ts,
                                EventType::put_1te, EventType::exit}));
  EXPECT_EQ(p.store.event(3).enterptr, 1u);
  EXPECT_EQ(p.store.event(4).enterptr, 0u) << "the end is at the target";
  EXPECT_EQ(p.store.event(4).startptr, 3u);
  EXPECT_EQ(p.store.event(4).time, 30u);
}

TEST(Placer, ATraceWithoutWindowsHasNoTransfersToDerive) {
  PlacedByHand p;
  p.placer.derive_transfers(p.tree, RmaModel::basic);
  EXPECT_TRUE(p.placer.only_moves({10, 0, EventType::enter}));
}

}  // namespace
}  // namespace waitstate::merge
