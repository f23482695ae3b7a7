// Locks and changes of memory, brought into one order of time from what locations tell one after the other.
#include "link/rma/passive_target.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/heard_events.hpp"
#include "support/records.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;
constexpr RmaWinId win{0};

/// Three processes of one location each, whose window is MPI's.
struct PassiveTargetOfThree {
  static RmaLockRef lock(std::size_t target, bool exclusive = true) { return {win, ProcessId{target}, 0, exclusive}; }

  CallRef call(std::size_t location, Time enter, Time exit) { return support::add_call(calls, location, enter, exit); }
  /// A call that needs the lock.
  void uses(std::size_t location, Time enter, Time exit, const RmaLockRef& lock, bool progress = false) {
    const CallRef c = call(location, enter, exit);
    passive.uses(LocationId{location}, c, lock, progress);
    calls.release(c);
  }
  /// A call that releases the lock at its enter.
  void releases(std::size_t location, Time t, const RmaLockRef& lock) {
    const CallRef c = call(location, t, t + 5);
    passive.released(LocationId{location}, t, c, lock);
    calls.release(c);
  }
  void writes(std::size_t location, Time enter, Time exit, std::size_t target) {
    const CallRef c = call(location, enter, exit);
    passive.written(LocationId{location}, c, win, LocationId{target});
    calls.release(c);
  }
  void waits_for_change(std::size_t location, Time enter, Time exit, LocationId origin = LocationId::none()) {
    const CallRef c = call(location, enter, exit);
    passive.waits_for_change(LocationId{location}, c, win, origin);
    calls.release(c);
  }
  /// The events up to where all have been read.
  Rows told() {
    passive.promised(0, progress.promise());
    return heard.take();
  }
  Rows finish() {
    passive.finish();
    return heard.take();
  }

  Definitions definitions = support::processes_with_a_window(3);
  Calls calls;
  support::HeardEvents heard;
  PassiveTarget passive{definitions, calls, heard};
  PassiveProgress progress{{LocationId{0}, LocationId{1}, LocationId{2}}, 3};
};

// With several workers, all of them have to be that far.
TEST(PassiveTarget, TheWorkerThatIsLeastFarDecides) {
  PassiveTargetOfThree p;
  PassiveTarget of_two{p.definitions, p.calls, p.heard, 2};
  const CallRef c = p.call(0, 10, 50);
  of_two.uses(LocationId{0}, c, PassiveTargetOfThree::lock(2), false);
  for (int i = 0; i < 2; ++i) of_two.promised(0, {100, 100});
  EXPECT_EQ(p.heard.take(), Rows{});
  for (int i = 0; i < 2; ++i) of_two.promised(1, {50, 50});
  EXPECT_EQ(p.heard.take(), Rows{}) << "there may be a release at 50";
  for (int i = 0; i < 2; ++i) of_two.promised(1, {51, 51});
  EXPECT_EQ(p.heard.take(), Rows{"passive 0@10 after nobody"});
}

TEST(PassiveTarget, ACallWaitedForTheLastConflictingReleaseInIt) {
  PassiveTargetOfThree p;
  p.uses(0, 10, 50, PassiveTargetOfThree::lock(2));
  p.releases(1, 20, PassiveTargetOfThree::lock(2));
  p.releases(1, 30, PassiveTargetOfThree::lock(2));
  p.releases(1, 60, PassiveTargetOfThree::lock(2));
  p.releases(1, 5, PassiveTargetOfThree::lock(2));
  EXPECT_EQ(p.finish(), Rows{"passive 0@10 after 1@30 released 30"});
  EXPECT_EQ(p.calls.alive(), 1u) << "the last release is kept, for those who may still ask";
}

TEST(PassiveTarget, LocksOfOtherTargetsAndSharedOnesDoNotConflict) {
  PassiveTargetOfThree p;
  p.uses(0, 10, 50, PassiveTargetOfThree::lock(2, false));
  p.releases(1, 20, PassiveTargetOfThree::lock(0));
  p.releases(1, 30, PassiveTargetOfThree::lock(2, false));
  EXPECT_EQ(p.finish(), Rows{"passive 0@10 after nobody"});
}

TEST(PassiveTarget, CallsAreDeliveredInTheOrderOfTheirExitsWhateverIsToldFirst) {
  PassiveTargetOfThree p;
  p.uses(1, 10, 90, PassiveTargetOfThree::lock(2));
  p.uses(0, 20, 80, PassiveTargetOfThree::lock(2));
  p.uses(0, 85, 95, PassiveTargetOfThree::lock(2));
  EXPECT_EQ(p.finish(), (Rows{"passive 0@20 after nobody", "passive 1@10 after nobody", "passive 0@85 after nobody"}));
  EXPECT_EQ(p.calls.alive(), 0u);
}

TEST(PassiveTarget, NothingIsDeliveredBeforeAllHaveBeenReadThatFar) {
  PassiveTargetOfThree p;
  p.uses(0, 10, 50, PassiveTargetOfThree::lock(2));
  const auto read = [&](std::size_t l, Time up_to) {
    p.progress.read(LocationId{l}, up_to, up_to, false);
    return p.told();
  };
  EXPECT_EQ(read(0, 100), Rows{});
  EXPECT_EQ(read(1, 100), Rows{});
  EXPECT_EQ(read(2, 50), Rows{}) << "there may be a release at 50";
  EXPECT_EQ(read(2, 51), Rows{"passive 0@10 after nobody"});
}

TEST(PassiveTarget, WhatALocationHoldsBackIsWaitedFor) {
  PassiveTargetOfThree p;
  p.uses(0, 10, 50, PassiveTargetOfThree::lock(2));
  p.progress.hold_back(LocationId{1}, 40, 40);
  for (const std::size_t l : {0, 1, 2}) p.progress.read(LocationId{l}, 100, 100, true);
  EXPECT_EQ(p.told(), Rows{});
  p.progress.hold_back(LocationId{1}, ~Time{0}, ~Time{0});
  EXPECT_EQ(p.told(), Rows{"passive 0@10 after nobody"});
}

// A call that asks for a lock and releases it again: what others release later it did not wait for.
TEST(PassiveTarget, AReleaseOfItsOwnEndsWhatACallWaitedFor) {
  PassiveTargetOfThree p;
  const CallRef c = p.call(0, 10, 50);
  p.passive.uses(LocationId{0}, c, PassiveTargetOfThree::lock(2), false);
  p.passive.released(LocationId{0}, 30, c, PassiveTargetOfThree::lock(2));
  p.passive.released_own(LocationId{0}, 30, c);
  p.releases(1, 20, PassiveTargetOfThree::lock(2));
  p.releases(1, 40, PassiveTargetOfThree::lock(2));
  EXPECT_EQ(p.finish(), Rows{"passive 0@10 after 1@20 released 20"});
}

TEST(PassiveTarget, ACallThatUsesSeveralLocksIsToldOnce) {
  PassiveTargetOfThree p;
  const CallRef c = p.call(0, 10, 50);
  for (const std::size_t target : {2, 1, 2})
    p.passive.uses(LocationId{0}, c, PassiveTargetOfThree::lock(target), false);
  p.releases(1, 20, PassiveTargetOfThree::lock(2));
  p.releases(2, 30, PassiveTargetOfThree::lock(1));
  EXPECT_EQ(p.finish(), Rows{"passive 0@10 after 2@30 released 30"});
}

TEST(PassiveTarget, TimesInWhichTheTargetWasOutsideOfMpiAreToldToWhoNeedsItsProgress) {
  for (const bool progress : {true, false}) {
    PassiveTargetOfThree p;
    p.uses(0, 10, 50, PassiveTargetOfThree::lock(2), progress);
    Call entered;
    entered.location = LocationId{2};
    entered.enter = 30;
    entered.exit = ~Time{0};
    const std::vector<Time> exits{60};
    p.passive.mpi_calls(LocationId{2}, {&entered, 1}, exits);
    EXPECT_EQ(p.finish(), Rows{progress ? "passive 0@10 after nobody gap 10-30" : "passive 0@10 after nobody"});
  }
}

TEST(PassiveTarget, AWaitIsOverWithTheLastChangeThatOverlapsIt) {
  PassiveTargetOfThree p;
  p.writes(1, 5, 8, 0);
  p.writes(1, 20, 25, 0);
  p.writes(2, 30, 35, 1);  // another process's memory
  p.writes(0, 40, 45, 0);  // by itself
  p.waits_for_change(0, 10, 50);
  p.waits_for_change(0, 60, 70);
  EXPECT_EQ(p.finish(), (Rows{"wait 0@10 changed by 1@20", "wait 0@60 changed by nobody"}));
}

TEST(PassiveTarget, ANotificationIsWaitedForFromTheProcessThatSendsIt) {
  PassiveTargetOfThree p;
  for (const std::size_t origin : {1, 2}) {
    const CallRef c = p.call(origin, 20 + origin, 30);
    p.passive.notifies(LocationId{origin}, c, win, LocationId{0});
    p.calls.release(c);
  }
  p.waits_for_change(0, 10, 50, LocationId{1});
  EXPECT_EQ(p.finish(), Rows{"wait 0@10 changed by 1@21"});
}

TEST(PassiveTarget, StepsThatComeFarTooLateAreBroughtIntoOrderAllTheSame) {
  PassiveTargetOfThree p;
  for (Time t = 100; t < 200; t += 2) p.releases(1, t, PassiveTargetOfThree::lock(2));
  p.releases(1, 20, PassiveTargetOfThree::lock(2));  // by a clock that ran backwards
  p.uses(0, 10, 50, PassiveTargetOfThree::lock(2));
  p.uses(0, 60, 151, PassiveTargetOfThree::lock(2));
  EXPECT_EQ(p.finish(), (Rows{"passive 0@10 after 1@20 released 20", "passive 0@60 after 1@150 released 150"}));
}

}  // namespace
}  // namespace waitstate::link
