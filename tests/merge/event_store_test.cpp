// The store: events come back as they were put in, with their links; open regions and the message queue at any position
// are those of a simulation; and without keep_all, events to which something points stay the same, in memory or in the
// scratch file, while all others are freed.
#include "merge/event_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "replay/chunk/attribute_record.hpp"
#include "waitstate/trace/call_tree.hpp"

namespace waitstate::merge {
namespace {

/// A send of `bytes` bytes to location 1, in the region entered at `enter`.
Position append_send(EventStore& store, Time time, Position enter, std::uint64_t bytes) {
  std::vector<std::uint8_t> record;
  for (const auto& [value, width] : {std::pair<std::uint64_t, std::size_t>{1, 4}, {7, 4}, {0, 4}, {bytes, 8}})
    replay::append_number(record, value, width);
  EventStore::Input e{};
  e.time = time;
  e.location = LocationId{0};
  e.type = EventType::send;
  e.enterptr = enter;
  e.record = record.data();
  e.record_size = record.size();
  return store.append(e);
}

TEST(EventStore, WhatSomethingPointsToStaysTheSameWhereverItLies) {
  CallTree tree;
  const CallPathId main = tree.find_or_add({{}, RegionId{0}, {}});
  for (const std::size_t room : {std::size_t{0}, std::size_t{1} << 20, EventStore::most_in_memory}) {
    EventStore store(tree, 2, false, room);
    std::mt19937 random(1);
    std::vector<Position> pinned, free;
    for (Time time = 0; time < 200'000; time += 4) {
      const Position enter = store.append_move(time, LocationId{0}, EventType::enter, main, no_position);
      const Position send = append_send(store, time + 1, enter, time);
      if (random() % 100 == 0) {
        store.pin_linked(send);
        pinned.push_back(send);
      } else {
        free.push_back(send);
      }
      store.append_move(time + 2, LocationId{0}, EventType::exit, main, enter);
      if (pinned.size() > 300) {  // any of them, so that hardly a block becomes free
        const std::size_t n = random() % pinned.size();
        store.unpin_linked(pinned[n]);
        pinned.erase(pinned.begin() + static_cast<std::ptrdiff_t>(n));
      }
      if (time % 1000 != 0) continue;
      const Event e = store.event(pinned.empty() ? send : pinned[random() % pinned.size()]);
      EXPECT_EQ(e.type, EventType::send);
      EXPECT_EQ(e.len(), e.time - 1);
      EXPECT_EQ(e.callpath, main);
      EXPECT_EQ(store.event(e.enterptr).time, e.time - 1);
      EXPECT_EQ(store.destination(e.pos), LocationId{1});
    }
    for (const Position p : pinned) {
      const Event e = store.event(p);
      EXPECT_EQ(e.pos, p);
      EXPECT_EQ(e.len(), e.time - 1);
    }
    EXPECT_EQ(store.spilled() > 0, room != EventStore::most_in_memory);
    for (const Position p : pinned) store.unpin_linked(p);
    EXPECT_EQ(store.spilled(), 0u);
    EXPECT_THROW((void)store.event(pinned.front()), std::out_of_range);
    EXPECT_THROW((void)store.event(free.front()), std::out_of_range);
  }
}

/// Appends an event with these attributes.
Position append(EventStore& store, EventType type, Time time, std::vector<std::uint64_t> attributes,
                EventStore::Input e = {}, const std::vector<Value>& tail = {}) {
  std::vector<std::uint8_t> record;
  attributes.resize(6);
  replay::append_attributes(record, type, attributes.data(), tail);
  e.time = time;
  e.location = LocationId{0};
  e.type = type;
  e.record = record.data();
  e.record_size = record.size();
  return store.append(e);
}

TEST(EventStore, EventsOfEachTypeComeBackAsTheyWerePutIn) {
  CallTree tree;
  EventStore store(tree, 1, true);
  const std::vector<Value> tail{{ValueType::uint64, 7}, {ValueType::int64, 8}};
  std::vector<EventType> types;
  for (std::size_t i = 0; i < event_type_count; ++i)
    if (const auto type = static_cast<EventType>(i); type != EventType::enter && type != EventType::exit)
      types.push_back(type);
  for (std::size_t i = 0; i < types.size(); ++i)
    append(store, types[i], 10 * i, {1, 2, 3, 4, 5, 6}, {}, spec(types[i]).has_tail ? tail : std::vector<Value>{});
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Event e = store.event(i);
    EXPECT_EQ(e.type, types[i]);
    EXPECT_EQ(store.type(i), types[i]);
    EXPECT_EQ(e.time, 10 * i);
    EXPECT_EQ(store.time(i), 10 * i);
    for (std::size_t a = 0; a < spec(e.type).attribute_count; ++a) EXPECT_EQ(e.attributes[a], a + 1) << name(e.type);
    EXPECT_EQ(e.tail, spec(e.type).has_tail ? tail : std::vector<Value>{}) << name(e.type);
    for (const Position link : {e.enterptr, e.sendptr, e.requestptr, e.beginptr, e.startptr, e.originptr})
      EXPECT_EQ(link, no_position) << name(e.type);
  }
}

TEST(EventStore, LinksAreThoseOfTheirTypeHoweverFarBack) {
  CallTree tree;
  EventStore store(tree, 1, true);
  EventStore::Input all{};
  all.sendptr = 0, all.requestptr = 1, all.beginptr = 2, all.startptr = 3, all.originptr = 4;
  for (int i = 0; i < 10000; ++i) store.append_move(i, LocationId{0}, EventType::enter, CallPathId{0}, no_position);
  const auto links = [&](EventType type) {
    const Event e = store.event(append(store, type, 10000, {}, all));
    std::string found;
    for (const auto& [name, link] : std::initializer_list<std::pair<const char*, Position>>{{"send ", e.sendptr},
                                                                                            {"request ", e.requestptr},
                                                                                            {"begin ", e.beginptr},
                                                                                            {"start ", e.startptr},
                                                                                            {"origin ", e.originptr}})
      if (link != no_position) found += name + std::to_string(link);
    return found;
  };
  EXPECT_EQ(links(EventType::recv), "send 0");
  EXPECT_EQ(links(EventType::irecv), "send 0request 1");
  EXPECT_EQ(links(EventType::isend_complete), "request 1");
  EXPECT_EQ(links(EventType::request_test), "request 1");
  EXPECT_EQ(links(EventType::request_cancelled), "request 1");
  EXPECT_EQ(links(EventType::nonblocking_collective_complete), "request 1");
  EXPECT_EQ(links(EventType::collective_end), "begin 2");
  EXPECT_EQ(links(EventType::put_1te), "start 3");
  EXPECT_EQ(links(EventType::get_1te), "start 3");
  EXPECT_EQ(links(EventType::get_1ts), "origin 4");
  EXPECT_EQ(links(EventType::send), "");
}

TEST(EventStore, RegionsAndCallPathsAreThoseOfTheEnter) {
  CallTree tree;
  const CallPathId main = tree.find_or_add({{}, RegionId{3}, {}});
  EventStore store(tree, 1, true);
  const Position enter = store.append_move(1, LocationId{0}, EventType::enter, main, no_position);
  EventStore::Input inside{};
  inside.enterptr = enter;
  const Position event = append(store, EventType::measurement_on_off, 2, {1}, inside);
  EXPECT_EQ(store.event(enter).region(), RegionId{3});
  EXPECT_EQ(store.event(event).callpath, main);
  EXPECT_EQ(store.event(event).enterptr, enter);
  EXPECT_EQ(store.enterptr(event), enter);
  EXPECT_EQ(store.event(append(store, EventType::measurement_on_off, 3, {1})).callpath, CallPathId::none());
}

TEST(EventStore, APositionThatDoesNotExistIsRefusedWithTheReason) {
  CallTree tree;
  const CallPathId main = tree.find_or_add({{}, RegionId{0}, {}});
  EventStore kept(tree, 1, true), let_go(tree, 1, false);
  const auto why = [](const EventStore& store, Position p) -> std::string {
    try {
      (void)store.event(p);
      return "";
    } catch (const std::out_of_range& e) {
      return e.what();
    }
  };
  for (int i = 0; i < 5000; ++i)
    for (EventStore* s : {&kept, &let_go}) s->append_move(i, LocationId{0}, EventType::enter, main, no_position);
  EXPECT_EQ(why(kept, 4999), "");
  EXPECT_EQ(why(kept, 5000), "event 5000 does not exist: the trace has 5000");
  EXPECT_EQ(why(let_go, 5000), "event 5000 is still to come or does not exist: there have been 5000");
  EXPECT_EQ(why(let_go, 7), "event 7 has been released: only events that something can still point to are kept");
}

/// Regions and messages of a few locations, with the open regions and the queue at some positions.
TEST(EventStore, StacksAndQueuesAtAnyPositionAreThoseOfASimulation) {
  constexpr std::size_t locations = 3;
  CallTree tree;
  EventStore store(tree, locations, true);
  std::mt19937 random(5);
  std::vector<std::vector<Position>> open(locations);
  std::vector<Position> waiting;  // sends
  std::map<Position, std::pair<std::vector<std::vector<Position>>, std::vector<Position>>> states;
  while (store.size() < 30'000) {
    const LocationId l{random() % locations};
    std::vector<Position>& stack = open[l.index()];
    EventStore::Input e{};
    e.enterptr = stack.empty() ? no_position : stack.back();
    e.location = l;
    switch (random() % 4) {
      case 0:
        stack.push_back(store.append_move(store.size(), l, EventType::enter, CallPathId{0}, e.enterptr));
        break;
      case 1:
        store.append_move(store.size(), l, EventType::exit, CallPathId{0}, e.enterptr);
        if (!stack.empty()) stack.pop_back();
        break;
      default: {
        const bool receives = !waiting.empty() && random() % 2 == 0;
        std::vector<std::uint8_t> record;
        const std::uint64_t attributes[] = {random() % locations, 0, 0, 8, 0, 0};
        e.type = receives ? EventType::recv : EventType::send;
        e.cancelled = !receives && random() % 10 == 0;
        replay::append_attributes(record, e.type, attributes, {});
        e.record = record.data(), e.record_size = record.size();
        const std::size_t n = waiting.empty() ? 0 : random() % waiting.size();
        if (receives) e.sendptr = waiting[n];
        const Position p = store.append(e);
        if (receives) {
          store.set_received(e.sendptr, p);
          waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(n));
        } else if (!e.cancelled) {
          waiting.push_back(p);
        }
      }
    }
    if (random() % 300 == 0) states[store.size() - 1] = {open, waiting};
  }
  for (const auto& [pos, state] : states) {
    for (std::size_t l = 0; l < locations; ++l)
      EXPECT_EQ(store.stack(LocationId{l}, pos), state.first[l]) << "location " << l << " after event " << pos;
    EXPECT_EQ(store.queue(pos, {}, {}), state.second) << "after event " << pos;
    std::vector<Position> from_1_to_2 = state.second;
    std::erase_if(from_1_to_2, [&](Position send) {
      return store.location(send) != LocationId{1} || store.destination(send) != LocationId{2};
    });
    EXPECT_EQ(store.queue(pos, LocationId{1}, LocationId{2}), from_1_to_2) << "after event " << pos;
  }
}

TEST(EventStore, AnotherStackWithWhichALocationGoesOnIsFound) {
  CallTree tree;
  EventStore store(tree, 2, true);
  const Position main = store.append_move(0, LocationId{0}, EventType::enter, CallPathId{0}, no_position);
  const Position task = store.append_move(1, LocationId{0}, EventType::enter, CallPathId{0}, no_position);
  const Position ends = store.append_move(2, LocationId{0}, EventType::exit, CallPathId{0}, no_position);
  EXPECT_EQ(store.stack(LocationId{0}, ends), std::vector<Position>{task}) << "an exit of nothing changes nothing";
  store.set_other_stack(ends, main);
  EXPECT_EQ(store.stack(LocationId{0}, ends), std::vector<Position>{main});
  EXPECT_EQ(store.stack(LocationId{1}, ends), std::vector<Position>{});
  EXPECT_EQ(store.stack(LocationId{9}, ends), std::vector<Position>{});
}

}  // namespace
}  // namespace waitstate::merge
