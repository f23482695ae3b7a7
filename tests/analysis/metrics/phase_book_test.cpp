// The places that have most of the waits of a phase.
#include "analysis/metrics/phase_book.hpp"

#include <gtest/gtest.h>

namespace waitstate::analysis {
namespace {

struct TwoPhases : PhaseBook {
  TwoPhases() { phases_.phases.resize(2); }
  void add(MetricIndex metric, const Wait& wait) override {
    count(metric, wait.begin, wait, static_cast<std::uint64_t>(wait.ticks));
  }
  std::unique_ptr<PhaseBook> another() const override { return std::make_unique<TwoPhases>(); }
  void add(std::size_t phase, std::uint32_t callpath, std::uint32_t location, Ticks ticks) {
    Wait w;
    w.begin = phase, w.callpath = CallPathId{callpath}, w.location = LocationId{location}, w.ticks = ticks;
    add(3, w);
  }
  /// Call path 0 comes last.
  Phases finished() {
    CallTree tree;
    for (std::size_t i = 0; i < 1000; ++i)
      tree.seen(tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}}), LocationId{0},
                static_cast<std::uint32_t>(i == 0 ? 1000 : i));
    return finish(CallPathOrder(tree));
  }
};

template <class Id>
using Places = std::vector<std::pair<Id, Ticks>>;

TEST(PhaseBook, TheLargestPlacesComeFirstAndOfEqualOnesThatWhichIsFirstInTheTrace) {
  TwoPhases book;
  for (const auto& [place, ticks] : Places<std::uint32_t>{{7, 10}, {0, 10}, {3, 5}, {9, 2}, {3, 5}, {1, 1}, {8, 0}})
    book.add(0, place, place, ticks);
  book.add(1, 4, 5, 100);
  const Phases made = book.finished();
  EXPECT_EQ(made.phases[0].waits.at(3), 33);
  const Phases::Places& first = made.phases[0].places.at(3);
  EXPECT_EQ(
      first.callpaths,
      (Places<CallPathId>{
          {CallPathId{3}, 10}, {CallPathId{7}, 10}, {CallPathId{0u}, 10}, {CallPathId{9}, 2}, {CallPathId{1}, 1}}));
  EXPECT_EQ(
      first.locations,
      (Places<LocationId>{
          {LocationId{0u}, 10}, {LocationId{3}, 10}, {LocationId{7}, 10}, {LocationId{9}, 2}, {LocationId{1}, 1}}));
  EXPECT_EQ(made.phases[1].places.at(3).callpaths, (Places<CallPathId>{{CallPathId{4}, 100}}));
  EXPECT_EQ(made.phases[1].places.at(3).locations, (Places<LocationId>{{LocationId{5}, 100}}));
}

// Each waits a little each time, so that none of them ever stands out from those that came before.
TEST(PhaseBook, ThereMayBeAnyNumberOfPlaces) {
  TwoPhases book;
  for (int round = 0; round < 10; ++round)
    for (std::uint32_t p = 0; p < 1000; ++p) book.add(0, p, p, 1 + p % 500);
  const Phases made = book.finished();
  const Places<LocationId> expected{{LocationId{499}, 5000},
                                    {LocationId{999}, 5000},
                                    {LocationId{498}, 4990},
                                    {LocationId{998}, 4990},
                                    {LocationId{497}, 4980}};
  EXPECT_EQ(made.phases[0].places.at(3).locations, expected);
}

}  // namespace
}  // namespace waitstate::analysis
