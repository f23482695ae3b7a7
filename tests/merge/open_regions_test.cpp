// The regions that are open where an event is placed, also those of tasks that go from thread to thread.
#include "merge/open_regions.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace waitstate::merge {
namespace {

struct RegionsOfThreads {
  explicit RegionsOfThreads(bool pin = false) : regions(store, pin) {}

  Position enter(std::size_t thread, std::uint32_t path) {
    const Position p = store.append_move(0, LocationId{thread}, EventType::enter, CallPathId{path}, no_position);
    regions.open(stacks[thread], p, CallPathId{path});
    return p;
  }
  Position enter_of(std::size_t thread, EventType type, std::uint32_t path) {
    return regions.enter_of(stacks[thread], type, CallPathId{path});
  }
  void task(std::size_t thread, std::uint64_t number, bool begins, bool aside, bool completed = false) {
    replay::TaskEvent t;
    t.begins = begins;
    t.aside = aside;
    t.completed = completed;
    t.team = CommId{0};
    t.task = number;
    regions.switch_task(stacks[thread], ProcessId{0}, t);
  }
  std::vector<Position> open(std::size_t thread) const {
    std::vector<Position> enters;
    for (const RegionStack::Open& r : stacks[thread].regions) enters.push_back(r.enter);
    return enters;
  }
  bool kept_when_full(Position p) {
    while (store.size() <= 4096) store.append_move(0, LocationId{0}, EventType::enter, CallPathId{0}, no_position);
    try {
      return store.event(p).pos == p;
    } catch (const std::out_of_range&) {
      return false;
    }
  }

  CallTree tree;
  CallPathId main = tree.find_or_add({{}, RegionId{0}, {}});
  EventStore store{tree, 2, false};
  std::vector<RegionStack> stacks{2};
  OpenRegions regions;
};

using Positions = std::vector<Position>;

TEST(OpenRegions, AnEventBelongsToTheInnermostOneAndAnExitToItsOwn) {
  RegionsOfThreads r;
  EXPECT_EQ(r.enter_of(0, EventType::send, 0), no_position) << "nothing is open";
  const Position outer = r.enter(0, 1), inner = r.enter(0, 2);
  EXPECT_EQ(r.enter_of(0, EventType::send, 0), inner);
  EXPECT_EQ(r.enter_of(0, EventType::enter, 3), inner);
  EXPECT_EQ(r.enter_of(0, EventType::exit, 2), inner);
  EXPECT_EQ(r.enter_of(0, EventType::exit, 9), no_position) << "that is not open";
  EXPECT_EQ(r.regions.enter_of(r.stacks[0], EventType::exit, CallPathId::none()), no_position);
  EXPECT_EQ(r.open(0), (Positions{outer, inner}));
  EXPECT_EQ(r.enter_of(0, EventType::exit, 1), outer);
  EXPECT_EQ(r.open(0), Positions{outer}) << "what was open inside it is closed";
  EXPECT_EQ(OpenRegions::close(r.stacks[0]), outer);
  EXPECT_EQ(r.open(0), Positions{});
}

TEST(OpenRegions, OfARegionThatCallsItselfTheInnermostOneIsLeft) {
  RegionsOfThreads r;
  r.enter(0, 1);
  const Position again = r.enter(0, 1);
  EXPECT_EQ(r.enter_of(0, EventType::exit, 1), again);
}

TEST(OpenRegions, ATaskThatIsInterruptedGoesOnAnotherThreadWithItsRegions) {
  RegionsOfThreads r;
  const Position main = r.enter(0, 1);
  r.task(0, 7, true, true);
  EXPECT_EQ(r.open(0), Positions{}) << "a task begins with no regions";
  const Position in_task = r.enter(0, 2);
  r.task(0, 7, false, true);
  EXPECT_EQ(r.open(0), Positions{main});
  const Position other = r.enter(1, 3);
  r.task(1, 7, true, true);
  EXPECT_EQ(r.open(1), Positions{in_task});
  r.task(1, 7, false, true, true);
  EXPECT_EQ(r.open(1), Positions{other});
  r.task(1, 7, true, true);
  EXPECT_EQ(r.open(1), Positions{}) << "another task of that number";
}

TEST(OpenRegions, TasksAreExecutedInsideOfOthers) {
  RegionsOfThreads r;
  const Position main = r.enter(0, 1);
  r.task(0, 1, true, true);
  const Position first = r.enter(0, 2);
  r.task(0, 2, true, true);
  r.enter(0, 3);
  r.task(0, 2, false, true, true);
  EXPECT_EQ(r.open(0), Positions{first});
  r.task(0, 1, false, true, true);
  EXPECT_EQ(r.open(0), Positions{main});
}

TEST(OpenRegions, OneTaskMayFollowAnotherWithNothingInBetween) {
  RegionsOfThreads r;
  r.enter(0, 1);
  r.task(0, 1, false, false);  // the task ends, and no other continues
  EXPECT_EQ(r.open(0), Positions{});
  r.task(0, 2, true, false);
  const Position second = r.enter(0, 2);
  r.task(0, 2, false, false);
  r.task(0, 1, true, false);
  EXPECT_EQ(r.open(0), Positions{0});
  r.task(0, 1, false, false);
  r.task(0, 2, true, false);
  EXPECT_EQ(r.open(0), Positions{second});
}

TEST(OpenRegions, TasksOfTheSameNumberOfOtherTeamsOrProcessesAreOthers) {
  RegionsOfThreads r;
  replay::TaskEvent t;
  t.task = 7;
  t.team = CommId{0};
  t.begins = true;
  const Position enter = r.enter(0, 2);
  t.begins = false;
  r.regions.switch_task(r.stacks[0], ProcessId{0}, t);
  t.begins = true;
  r.regions.switch_task(r.stacks[1], ProcessId{1}, t);
  EXPECT_EQ(r.open(1), Positions{});
  t.team = CommId{1};
  r.regions.switch_task(r.stacks[1], ProcessId{0}, t);
  EXPECT_EQ(r.open(1), Positions{});
  t.team = CommId{0};
  t.thread = true;
  r.regions.switch_task(r.stacks[1], ProcessId{0}, t);
  EXPECT_EQ(r.open(1), Positions{});
  t.thread = false;
  r.regions.switch_task(r.stacks[1], ProcessId{0}, t);
  EXPECT_EQ(r.open(1), Positions{enter});
}

TEST(OpenRegions, TheStoreKeepsTheEntersOfOpenRegions) {
  RegionsOfThreads open(true);
  const Position p = open.enter(0, 0);
  EXPECT_TRUE(open.kept_when_full(p));

  RegionsOfThreads closed(true);
  closed.enter(0, 0);
  closed.regions.let_go(OpenRegions::close(closed.stacks[0]));
  EXPECT_FALSE(closed.kept_when_full(0));

  RegionsOfThreads of_task(true);
  of_task.enter(0, 0);
  of_task.task(0, 1, false, false);
  EXPECT_TRUE(of_task.kept_when_full(0)) << "the task may go on";

  RegionsOfThreads of_completed_task(true);
  of_completed_task.enter(0, 0);
  of_completed_task.task(0, 1, false, false, true);
  EXPECT_FALSE(of_completed_task.kept_when_full(0));
}

}  // namespace
}  // namespace waitstate::merge
