// Tests the positions of events that others link to: when they are known, and how long the store keeps the events.
#include "merge/link_slots.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace waitstate::merge {
namespace {

using Numbers = std::vector<std::uint32_t>;

struct SlotsOfAStore {
  explicit SlotsOfAStore(bool pin = false) : slots(store, pin) { slots.grow(4); }
  Position append() { return store.append_move(time++, LocationId{0}, EventType::enter, CallPathId{0}, no_position); }
  /// The block of an event is freed when it is full and no event in it is pinned.
  bool is_kept_when_full(Position p) {
    while (store.size() <= 4096) append();
    try {
      return store.event(p).pos == p;
    } catch (const std::out_of_range&) {
      return false;
    }
  }
  Numbers free() {
    Numbers numbers;
    slots.take_free(numbers);
    return numbers;
  }

  Time time = 0;
  CallTree tree;
  CallPathId main = tree.find_or_add({{}, RegionId{0}, {}});
  EventStore store{tree, 1, false};
  LinkSlots slots;
};

TEST(LinkSlots, AnEventIsKnownOnceItIsPlacedOrMissing) {
  SlotsOfAStore s;
  EXPECT_FALSE(s.slots.known(1));
  EXPECT_EQ(s.slots.position(1), no_position);
  s.slots.fill(1, s.append());
  EXPECT_TRUE(s.slots.known(1));
  EXPECT_EQ(s.slots.position(1), 0u);
  s.slots.miss(2);
  EXPECT_TRUE(s.slots.known(2));
  EXPECT_EQ(s.slots.position(2), no_position);
  EXPECT_EQ(s.free(), Numbers{}) << "somebody may still link to them";
}

TEST(LinkSlots, ANumberIsFreeWhenTheEventAndAllThatLinkToItAreThere) {
  SlotsOfAStore s;
  s.slots.keep(1);  // by a test of the request
  s.slots.fill(1, s.append());
  s.slots.release(1);
  EXPECT_EQ(s.free(), Numbers{});
  s.slots.release(1);
  EXPECT_EQ(s.free(), Numbers{1});
  EXPECT_EQ(s.free(), Numbers{}) << "once";
  EXPECT_FALSE(s.slots.known(1)) << "the number stands for another event by now";
  s.slots.release(2);  // its effect is placed by force
  s.slots.fill(2, s.append());
  EXPECT_EQ(s.free(), Numbers{2});
}

TEST(LinkSlots, TheStoreKeepsWhatSomethingStillLinksTo) {
  SlotsOfAStore linked(true);
  linked.slots.fill(1, linked.append());
  EXPECT_TRUE(linked.is_kept_when_full(0));
  linked.slots.release(1);
  EXPECT_FALSE(linked.is_kept_when_full(0));

  SlotsOfAStore not_linked(true);
  not_linked.slots.release(1);
  not_linked.slots.fill(1, not_linked.append());
  EXPECT_FALSE(not_linked.is_kept_when_full(0));

  SlotsOfAStore without_pins(false);
  without_pins.slots.fill(1, without_pins.append());
  EXPECT_FALSE(without_pins.is_kept_when_full(0));
}

}  // namespace
}  // namespace waitstate::merge
