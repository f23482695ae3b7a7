// Tests the locations that wait, and those that an event wakes.
#include "merge/waiting_locations.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace waitstate::merge {
namespace {

using Locations = std::vector<LocationId>;
constexpr std::uint32_t none = link::Link::none;
constexpr auto every_location = [](LocationId) { return true; };

struct ThreeWait {
  ThreeWait() {
    waiting.add(LocationId{2}, {.message = none, .operation = 7});
    waiting.add(LocationId{0}, {.message = 5, .operation = none});
    waiting.add(LocationId{1}, {.message = none, .operation = 7});
  }
  template <class May>
  Locations woken(std::uint32_t operation, May may) {
    Locations woken;
    waiting.take_members(operation, may, [&](LocationId l) { woken.push_back(l); });
    return woken;
  }
  WaitingLocations waiting;
};

TEST(WaitingLocations, ASendWakesItsReceiverOnce) {
  ThreeWait w;
  EXPECT_EQ(w.waiting.take_receiver(4), LocationId::none());
  EXPECT_EQ(w.waiting.take_receiver(5), LocationId{0});
  EXPECT_FALSE(w.waiting.contains(LocationId{0}));
  EXPECT_EQ(w.waiting.take_receiver(5), LocationId::none());
  EXPECT_EQ(w.waiting.all().size(), 2u);
}

TEST(WaitingLocations, AnOperationWakesThoseThatMayEndInTheOrderInWhichTheyCame) {
  ThreeWait w;
  EXPECT_EQ(w.waiting.members(7), (Locations{LocationId{2}, LocationId{1}}));
  EXPECT_EQ(w.woken(6, every_location), Locations{});
  EXPECT_EQ(w.woken(7, [](LocationId l) { return l == LocationId{1}; }), Locations{LocationId{1}});
  EXPECT_TRUE(w.waiting.contains(LocationId{2})) << "it still waits";
  EXPECT_EQ(w.woken(7, every_location), Locations{LocationId{2}});
  EXPECT_EQ(w.waiting.members(7), Locations{});
  EXPECT_FALSE(w.waiting.empty());
}

TEST(WaitingLocations, WhoIsRemovedIsNotWokenAnyMore) {
  ThreeWait w;
  for (const std::size_t l : {0, 1, 3}) w.waiting.remove(LocationId{l});
  EXPECT_EQ(w.waiting.take_receiver(5), LocationId::none());
  EXPECT_EQ(w.woken(7, every_location), Locations{LocationId{2}});
  EXPECT_TRUE(w.waiting.empty());
}

TEST(WaitingLocations, WhoseLinkIsNotKnownWaitsForNothingThatWakesIt) {
  WaitingLocations waiting;
  waiting.add(LocationId{4}, {});
  EXPECT_TRUE(waiting.contains(LocationId{4}));
  EXPECT_EQ(waiting.take_receiver(none), LocationId::none());
  EXPECT_EQ(waiting.members(none), Locations{});
  waiting.remove(LocationId{4});
  EXPECT_TRUE(waiting.empty());
}

}  // namespace
}  // namespace waitstate::merge
