// When a target was outside of MPI, of a call that waited for it.
#include "link/rma/progress_gaps.hpp"

#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

namespace waitstate::link {
namespace {

using Spans = std::vector<std::pair<Time, Time>>;

/// Process 0 waits; processes 1 and 2, of one location each, and 3, of two, are its targets.
struct Waits {
  static Definitions four() {
    Definitions d;
    for (std::size_t i = 0; i < 4; ++i) {
      d.processes.emplace_back().locations = {LocationId{i}};
      d.locations.emplace_back().process = ProcessId{i};
    }
    d.processes.back().locations.push_back(LocationId{4});
    d.locations.emplace_back().process = ProcessId{3};
    return d;
  }
  Definitions definitions = four();
  ProgressGaps gaps{definitions};
  JoinedGaps joined;
  std::span<const RmaProgressGap> told;  ///< by of()

  /// MPI calls, from enter to exit; an exit of 0 is not known.
  void in_mpi(std::size_t location, const Spans& calls) {
    std::vector<Call> enters;
    std::vector<Time> exits;
    for (const auto& [enter, exit] : calls) {
      Call c;
      c.location = LocationId{location};
      c.enter = enter;
      c.exit = ~Time{0};
      enters.push_back(c);
      if (exit != 0) exits.push_back(exit);
    }
    gaps.read(LocationId{location}, enters, exits);
  }
  Spans of(Time from, Time exit, const std::vector<std::size_t>& targets) {
    gaps.begin(from, exit);
    for (const std::size_t t : targets) gaps.add_target(ProcessId{t});
    Spans found;
    told = joined.join(gaps.gaps(), from, exit);
    for (const RmaProgressGap& g : told) found.emplace_back(g.begin, g.end);
    return found;
  }
};

TEST(ProgressGaps, ATargetThatIsInMpiAtTheEndHadToComeForTheLastTime) {
  Waits w;
  w.in_mpi(1, {{10, 20}, {40, 50}, {70, 0}});
  EXPECT_EQ(w.of(15, 80, {1}), (Spans{{20, 40}, {50, 70}}));
  EXPECT_EQ(w.of(45, 80, {1}), (Spans{{50, 70}}));
}

TEST(ProgressGaps, ATargetThatHasLeftMpiAgainCountsUntilItFirstCame) {
  Waits w;
  w.in_mpi(1, {{40, 50}, {60, 65}});
  EXPECT_EQ(w.of(30, 80, {1}), (Spans{{30, 40}}));
  EXPECT_EQ(w.of(45, 80, {1}), Spans{});  // it was in MPI when the wait began
}

TEST(ProgressGaps, ATargetThatDoesNotComeToMpiKeptNobody) {
  Waits w;
  w.in_mpi(1, {{10, 20}, {90, 95}});
  EXPECT_EQ(w.of(30, 80, {1}), Spans{});
}

TEST(ProgressGaps, OfSeveralTargetsNoTimeCountsTwice) {
  Waits w;
  w.in_mpi(1, {{40, 0}});
  w.in_mpi(2, {{60, 0}});
  EXPECT_EQ(w.of(30, 80, {1, 2}), (Spans{{30, 40}, {40, 60}}));
}

// If two calls were entered at one time, the first lasted no time.
TEST(ProgressGaps, ATargetOfSeveralThreadsGoesOnInTheFirstOfTheirCalls) {
  Waits w;
  Spans calls;
  for (Time t = 10; t < 300; t += 10) calls.insert(calls.end(), {{t, t}, {t, t + 1}});
  w.in_mpi(3, calls);
  w.in_mpi(4, {{305, 0}});
  EXPECT_EQ(w.of(5, 310, {3}).size(), calls.size() / 2 + 1);
  for (const RmaProgressGap& g : w.told)
    if (g.end < 300) {
      EXPECT_EQ(g.next.exit, g.end);
    }
}

TEST(ProgressGaps, AnExitAfterTheWaitIsNotToldWhetherItHasBeenReadOrNot) {
  for (const Time exit : {Time{0}, Time{90}, Time{80}}) {
    Waits w;
    w.in_mpi(1, {{40, exit}});
    EXPECT_EQ(w.of(30, 80, {1}), (Spans{{30, 40}}));
    EXPECT_EQ(w.told[0].next.exit, exit == 80 ? 80 : ~Time{0});
  }
}

TEST(ProgressGaps, WhatNobodyAsksForIsForgotten) {
  Waits w;
  w.in_mpi(1, {{10, 20}, {40, 0}});
  w.gaps.forget_before(30, 30);
  EXPECT_EQ(w.of(30, 80, {1}), (Spans{{30, 40}}));
  w.gaps.forget_before(1000, 1000);  // a call that is open stays
  EXPECT_EQ(w.of(30, 80, {1}), (Spans{{30, 40}}));
}

// A target makes 100,000 calls: the last 65,536 count, whether the older ones are still kept or not.
TEST(ProgressGaps, OfManyCallsOfATargetTheLastCount) {
  constexpr Time calls = 100'000, counted = 65'536;
  Spans all;
  for (Time i = 1; i <= calls; ++i) all.emplace_back(10 * i, 10 * i + 5);
  all.back().second = 0;
  Waits at_once, in_pieces;
  at_once.in_mpi(1, all);
  const Spans found = at_once.of(1, 10 * calls + 1, {1});
  EXPECT_EQ(found.size(), counted - 1);
  EXPECT_EQ(found.front(), (std::pair<Time, Time>(10 * (calls - counted + 1) + 5, 10 * (calls - counted + 2))));
  for (std::size_t i = 0; i < all.size(); i += 1000) {
    in_pieces.in_mpi(1, Spans(all.begin() + static_cast<std::ptrdiff_t>(i),
                              all.begin() + static_cast<std::ptrdiff_t>(std::min(i + 1000, all.size()))));
    in_pieces.gaps.forget_before(1, 10 * (i + 1000));
  }
  EXPECT_EQ(in_pieces.of(1, 10 * calls + 1, {1}), found);
}

}  // namespace
}  // namespace waitstate::link
