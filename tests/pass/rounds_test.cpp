// The order in which locations are read on: by their numbers among those that are about equally far.
#include "pass/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <vector>

namespace waitstate::pass {
namespace {

const auto all_may = [](LocationId) { return true; };

std::vector<std::uint32_t> numbers(std::span<const LocationId> locations) {
  std::vector<std::uint32_t> result;
  for (const LocationId l : locations) result.push_back(l.value);
  return result;
}

TEST(Rounds, TheOneThatIsLeastFarComesFirstAsLongAsNothingIsKnownOfChunks) {
  Rounds rounds;
  for (const auto& [location, progress] : {std::pair{0u, Ticks{30}}, {1u, Ticks{10}}, {2u, Ticks{20}}})
    rounds.add(LocationId{location}, progress);
  EXPECT_EQ(rounds.next(all_may), LocationId{1u});
  rounds.advance(LocationId{1u}, 10, 40, false);
  EXPECT_EQ(rounds.by_progress().front(), (Rounds::Entry{20, LocationId{2u}}));
}

// Chunks of 400, 200, 100 and 150 ticks: the next round takes who is at most 150 ahead of the last.
TEST(Rounds, ARoundIsAsWideAsTheLowerQuartileOfChunksAndTakesEachOnceByItsNumber) {
  Rounds rounds;
  for (std::uint32_t i = 0; i < 4; ++i) rounds.add(LocationId{i}, -1);
  const Ticks first[] = {399, 199, 99, 149};
  std::vector<LocationId> order;
  for (int i = 0; i < 4; ++i) order.push_back(rounds.next(all_may));
  EXPECT_EQ(numbers(order), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  for (const LocationId l : order) rounds.advance(l, -1, first[l.index()], false);  // 400, 200, 100, 150
  EXPECT_EQ(rounds.next(all_may), LocationId{1u});                                  // the quartile is 150: up to 249
  EXPECT_EQ(numbers(rounds.to_come()), (std::vector<std::uint32_t>{2, 3}));
  rounds.advance(LocationId{1u}, 199, 209, false);
  EXPECT_EQ(rounds.next(all_may), LocationId{2u});  // 1 is still near, but has had its turn
  rounds.advance(LocationId{2u}, 99, 109, false);
  EXPECT_EQ(rounds.next(all_may), LocationId{3u});
  rounds.advance(LocationId{3u}, 149, 159, true);
  EXPECT_EQ(rounds.next(all_may), LocationId{2u});  // chunks of 10 ticks: nobody else is near
  EXPECT_TRUE(rounds.to_come().empty());
}

TEST(Rounds, WhoMayNotBeReadIsPassedOverAndOthersAreTakenHoweverFarTheyAre) {
  Rounds rounds;
  rounds.add(LocationId{0u}, 0);
  rounds.add(LocationId{1u}, 5);
  rounds.add(LocationId{2u}, 1000);
  EXPECT_EQ(rounds.next([](LocationId l) { return l.value == 2; }), LocationId{2u});
  EXPECT_FALSE(rounds.next([](LocationId) { return false; }).valid());
  EXPECT_EQ(rounds.next(all_may), LocationId{0u});
}

// A merge says itself what it needs: then no round ends, and nothing may be kept for one.
TEST(Rounds, ChunksReadOutsideOfARoundAreNotKept) {
  Rounds rounds;
  rounds.add(LocationId{0u}, 0);
  rounds.add(LocationId{1u}, 50);
  rounds.advance(LocationId{0u}, 0, 100, false);
  EXPECT_EQ(rounds.next(all_may), LocationId{1u});
  EXPECT_TRUE(rounds.to_come().empty());
}

TEST(Rounds, ProgressOverTheWholeRangeOfTicksIsCompared) {
  constexpr Ticks least = std::numeric_limits<Ticks>::min(), most = std::numeric_limits<Ticks>::max();
  Rounds rounds;
  rounds.add(LocationId{0u}, least);
  rounds.add(LocationId{1u}, least);
  EXPECT_EQ(rounds.next(all_may), LocationId{0u});
  rounds.advance(LocationId{0u}, least, most, false);
  EXPECT_EQ(rounds.next(all_may), LocationId{1u});
  EXPECT_EQ(rounds.next(all_may), LocationId{0u});  // the only chunk covered all there is
}

TEST(Rounds, AheadThoseOfThisRoundComeFirstAndThenTheLeastFar) {
  Rounds rounds;
  for (std::uint32_t i = 0; i < 4; ++i) rounds.add(LocationId{i}, i < 2 ? 0 : 10 * i);
  EXPECT_EQ(rounds.next(all_may), LocationId{0u});
  const auto ahead = [&](std::size_t near, std::initializer_list<std::uint32_t> busy) {
    return rounds.next_ahead(near,
                             [&](LocationId l) { return std::find(busy.begin(), busy.end(), l.value) == busy.end(); });
  };
  EXPECT_EQ(ahead(9, {}), LocationId{1u}) << "the round goes on with it";
  EXPECT_EQ(ahead(9, {0, 1}), LocationId{2u});
  EXPECT_EQ(ahead(9, {0, 1, 2}), LocationId{3u});
  EXPECT_EQ(ahead(9, {0, 1, 2, 3}), LocationId::none());
  EXPECT_EQ(ahead(1, {0, 1}), LocationId::none()) << "only so many are looked at";
  EXPECT_EQ(ahead(0, {}), LocationId::none());
  EXPECT_EQ(rounds.next(all_may), LocationId{1u}) << "looking ahead is not a turn";
}

}  // namespace
}  // namespace waitstate::pass
