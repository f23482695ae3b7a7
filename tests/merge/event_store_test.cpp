// The store without keep_all: what something points to stays and is the same, in memory or in the scratch file; all
// else is let go.
#include "merge/event_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
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

}  // namespace
}  // namespace waitstate::merge
