// Tests which ends of collective operations may be placed, given the begins that have been placed, and which numbers
// are free.
#include "merge/collective_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/records.hpp"

namespace waitstate::merge {
namespace {

using link::MergeStep;
using Numbers = std::vector<std::uint32_t>;

MergeStep::CollectiveOperation operation(CollectiveOp op, LocationId root = LocationId::none()) {
  return {CommId{0}, op, root, 3, false, false};
}

/// An operation of three members, one for each process.
struct ThreeMembers {
  explicit ThreeMembers(const MergeStep::CollectiveOperation& is, Definitions d = support::processes_of_one_location(3))
      : definitions(std::move(d)) {
    order.set(0, is);
    for (std::uint32_t m = 0; m < 3; ++m) {
      order.begin_member(m, LocationId{m}, true);
      order.join(m, 0);
    }
  }
  /// A letter for each member: y if its end may be placed.
  std::string may_end() const {
    std::string may;
    for (std::uint32_t m = 0; m < 3; ++m) may += order.may_end(m) ? 'y' : 'n';
    return may;
  }
  /// The same before any begin, and after each of those of members 2, 1 and 0.
  std::string from_the_last_on() {
    std::string all = may_end();
    for (const std::uint32_t m : {2u, 1u, 0u}) {
      order.place_begin(m, m);
      all += ' ' + may_end();
    }
    return all;
  }
  Definitions definitions;
  CollectiveOrder order{definitions};
};

TEST(CollectiveOrder, EndsWaitForTheBeginsTheyHadToWaitFor) {
  const auto ends = [](CollectiveOp op, LocationId root = LocationId::none()) {
    return ThreeMembers(operation(op, root)).from_the_last_on();
  };
  EXPECT_EQ(ends(CollectiveOp::barrier), "nnn nnn nnn yyy");
  EXPECT_EQ(ends(CollectiveOp::allreduce), "nnn nnn nnn yyy");
  EXPECT_EQ(ends(CollectiveOp::bcast, LocationId{1}), "nyn nyn yyy yyy");
  EXPECT_EQ(ends(CollectiveOp::reduce, LocationId{1}), "yny yny yny yyy");
  EXPECT_EQ(ends(CollectiveOp::scan), "ynn ynn ynn yyy");
  EXPECT_EQ(ends(CollectiveOp::create_handle), "yyy yyy yyy yyy") << "nobody has to wait for anybody";
  EXPECT_EQ(ends(CollectiveOp::bcast), "yyy yyy yyy yyy") << "nobody knows who the root is";
}

TEST(CollectiveOrder, AScanIsPlacedAsFarAsTheLowestRanksHaveBegun) {
  ThreeMembers scan(operation(CollectiveOp::scan));
  scan.order.place_begin(0, 0);
  EXPECT_EQ(scan.may_end(), "yyn");
  scan.order.place_begin(2, 1);
  EXPECT_EQ(scan.may_end(), "yyn") << "rank 1 is missing";
  EXPECT_TRUE(scan.order.is_scan(1));
  EXPECT_FALSE(ThreeMembers(operation(CollectiveOp::barrier)).order.is_scan(1));
}

TEST(CollectiveOrder, ARootIsAnyThreadOfItsProcess) {
  Definitions d = support::processes_of_one_location(3);
  d.locations.resize(4);
  d.locations[3].process = ProcessId{1};
  ThreeMembers bcast(operation(CollectiveOp::bcast, LocationId{3}), d);
  EXPECT_EQ(bcast.may_end(), "nyn");
  bcast.order.place_begin(1, 0);
  EXPECT_EQ(bcast.may_end(), "yyy");
  EXPECT_EQ(ThreeMembers(operation(CollectiveOp::bcast, LocationId{99})).from_the_last_on(), "nnn nnn nnn nnn")
      << "a root that is not in the trace never begins";
}

TEST(CollectiveOrder, NeighboursAndTheOtherGroupAreNotWaitedFor) {
  MergeStep::CollectiveOperation neighbours = operation(CollectiveOp::alltoall);
  neighbours.neighbourhood = true;
  EXPECT_EQ(ThreeMembers(neighbours).may_end(), "yyy");
  Definitions d = support::processes_of_one_location(3);
  d.comms[0].group_b = GroupId{1};
  EXPECT_EQ(ThreeMembers(operation(CollectiveOp::bcast, LocationId{0}), d).may_end(), "yyy");
  EXPECT_EQ(ThreeMembers(operation(CollectiveOp::barrier), d).may_end(), "nnn") << "a barrier is one of both groups";
}

TEST(CollectiveOrder, AMemberOfNoOperationWaitsForNobodyAndNeverCompletes) {
  const Definitions d = support::processes_of_one_location(3);
  CollectiveOrder order(d);
  order.begin_member(0, LocationId{0}, true);
  EXPECT_TRUE(order.may_end(0));
  EXPECT_TRUE(order.never_completes(0));
  EXPECT_FALSE(order.is_scan(0));
  EXPECT_EQ(order.operation_of(0), CollectiveOrder::none);
}

TEST(CollectiveOrder, AMemberWithoutABeginCountsAsBegunWhenItJoins) {
  const Definitions d = support::processes_of_one_location(3);
  CollectiveOrder order(d);
  order.set(0, {CommId{0}, CollectiveOp::barrier, LocationId::none(), 2, false, false});
  order.begin_member(0, LocationId{0}, true);
  order.begin_member(1, LocationId{1}, false);
  EXPECT_FALSE(order.join(0, 0)) << "others have to wait for its begin";
  EXPECT_TRUE(order.join(1, 0));
  EXPECT_FALSE(order.may_end(1));
  order.place_begin(0, 4);
  EXPECT_TRUE(order.may_end(1));
  EXPECT_EQ(order.begin_position(0), 4u);
  EXPECT_EQ(order.begin_position(1), no_position);
}

TEST(CollectiveOrder, ABeginThatIsPlacedBeforeItsMemberJoinsCountsThen) {
  const Definitions d = support::processes_of_one_location(3);
  CollectiveOrder order(d);
  order.set(0, {CommId{0}, CollectiveOp::barrier, LocationId::none(), 1, false, false});
  order.begin_member(0, LocationId{0}, true);
  order.place_begin(0, 4);
  EXPECT_TRUE(order.join(0, 0));
  EXPECT_TRUE(order.may_end(0));
}

TEST(CollectiveOrder, NumbersAreFreeWhenNothingRefersToThem) {
  const Definitions d = support::processes_of_one_location(3);
  CollectiveOrder order(d);
  MergeStep step;
  order.begin_member(4, LocationId{0}, true);
  order.begin_member(5, LocationId{1}, false);
  order.set(9, operation(CollectiveOp::barrier));
  order.join(4, 9);
  order.join(5, 9);
  EXPECT_FALSE(order.never_completes(4));
  order.set(9, {CommId{0}, CollectiveOp::barrier, LocationId::none(), 3, false, true});
  EXPECT_TRUE(order.never_completes(4));
  order.close(9);
  order.placed_end(5);
  order.placed_end(4);  // by force: its begin comes later
  order.take_free(step);
  EXPECT_EQ(step.free_members, Numbers{5});
  EXPECT_TRUE(step.free_operations.empty());
  order.place_begin(4, 17);
  MergeStep next;
  order.take_free(next);
  EXPECT_EQ(next.free_members, Numbers{4});
  EXPECT_EQ(next.free_operations, Numbers{9});
}

TEST(CollectiveOrder, AnOperationThatMayGetMoreMembersIsNotFree) {
  const Definitions d = support::processes_of_one_location(3);
  CollectiveOrder order(d);
  MergeStep step;
  order.begin_member(0, LocationId{0}, false);
  order.set(3, operation(CollectiveOp::barrier));
  order.join(0, 3);
  order.placed_end(0);
  order.take_free(step);
  EXPECT_EQ(step.free_members, Numbers{0});
  EXPECT_TRUE(step.free_operations.empty());
  order.close(3);
  MergeStep next;
  order.take_free(next);
  EXPECT_EQ(next.free_operations, Numbers{3});
}

}  // namespace
}  // namespace waitstate::merge
