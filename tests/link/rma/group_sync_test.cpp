// Synchronisations with a group whose function is not recorded: which are epochs of accesses, and which exposures.
#include "link/rma/group_sync.hpp"

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

/// Group 2 has location 1, group 3 location 2, group 4 both and what is in no process.
struct GroupsOfThree {
  static Definitions define() {
    Definitions d = support::processes_of_one_location(3);
    for (const std::vector<std::uint64_t>& members : {std::vector<std::uint64_t>{1}, {2}, {2, 1, 2, 3}}) {
      Group group;
      group.type = GroupType::locations;
      group.members = members;
      d.groups.push_back(group);
    }
    d.locations.resize(4);
    return d;
  }
  Definitions definitions = define();
  RmaGroups groups{definitions};
  GroupSync sync;
};

constexpr GroupId one{2}, two{3}, both{4};

TEST(RmaGroups, MembersAreProcessesEachOnceInTheOrderOfTheGroup) {
  GroupsOfThree g;
  EXPECT_EQ(g.groups.members(both), (std::vector<LocationId>{LocationId{2}, LocationId{1}}));
  EXPECT_EQ(g.groups.index(both, LocationId{1}), 1u);
  EXPECT_EQ(g.groups.index(both, LocationId{2}), 0u);
  EXPECT_EQ(g.groups.index(both, LocationId{0}), RmaGroups::none);
  EXPECT_EQ(g.groups.members(GroupId{99}), std::vector<LocationId>{}) << "a group that is not defined";
  EXPECT_EQ(g.groups.index(GroupId{99}, LocationId{1}), RmaGroups::none);
}

TEST(RmaGroups, AnyThreadStandsForItsProcess) {
  GroupsOfThree g;
  g.definitions.locations[3].process = ProcessId{1};
  EXPECT_EQ(g.groups.index(one, LocationId{3}), 0u);
}

TEST(GroupSync, AnOperationOnAMemberShowsAnEpochOfAccesses) {
  GroupsOfThree g;
  EXPECT_TRUE(g.sync.empty());
  g.sync.open(one, 10);
  EXPECT_EQ(g.sync.operate(g.groups, LocationId{2}), nullptr) << "it is no member";
  const GroupSync::Epoch* const epoch = g.sync.operate(g.groups, LocationId{1});
  ASSERT_NE(epoch, nullptr);
  EXPECT_EQ(epoch->call, 10u);
  EXPECT_EQ(g.sync.operate(g.groups, LocationId{1}), nullptr) << "that is known";
  EXPECT_TRUE(g.sync.close(one)->access);
  EXPECT_TRUE(g.sync.empty());
}

TEST(GroupSync, AnEpochWithoutOperationsIsAnExposure) {
  GroupsOfThree g;
  g.sync.open(one, 10);
  const auto epoch = g.sync.close(one);
  ASSERT_TRUE(epoch.has_value());
  EXPECT_FALSE(epoch->access);
}

TEST(GroupSync, OfTwoThatHaveTheTargetTheOneOpenedLastIsOfAccesses) {
  GroupsOfThree g;
  g.sync.open(both, 10);
  g.sync.open(one, 20);
  EXPECT_EQ(g.sync.operate(g.groups, LocationId{1})->call, 20u);
}

TEST(GroupSync, OfTwoWithTheSameGroupTheOneOfAccessesEndsFirst) {
  GroupsOfThree g;
  g.sync.open(one, 10);
  g.sync.open(one, 20);
  g.sync.operate(g.groups, LocationId{1});
  EXPECT_EQ(g.sync.close(one)->call, 20u);
  EXPECT_EQ(g.sync.close(one)->call, 10u);
}

TEST(GroupSync, AnEndWithoutABeginIsOfNoEpoch) {
  GroupsOfThree g;
  g.sync.open(one, 10);
  EXPECT_FALSE(g.sync.close(two).has_value());
  EXPECT_EQ(g.sync.open().size(), 1u);
}

TEST(GroupSync, ThereIsRoomForOneOfEachKind) {
  GroupsOfThree g;
  EXPECT_FALSE(g.sync.open(one, 10).has_value());
  EXPECT_FALSE(g.sync.open(two, 20).has_value());
  const auto left_out = g.sync.open(both, 30);
  ASSERT_TRUE(left_out.has_value());
  EXPECT_EQ(left_out->call, 10u);
}

TEST(GroupSync, TheLevelSaysWhetherAccessesAreCompleted) {
  EXPECT_FALSE(completes_accesses(0));
  EXPECT_FALSE(completes_accesses(1));
  EXPECT_TRUE(completes_accesses(2));
  EXPECT_TRUE(completes_accesses(3));
}

}  // namespace
}  // namespace waitstate::link
