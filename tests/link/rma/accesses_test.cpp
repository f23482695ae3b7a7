// The accesses of a process within an epoch, summed up by target.
#include "link/rma/accesses.hpp"

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct AccessesOfAProcess {
  void add(RmaOperationKind kind, std::size_t target, std::uint64_t put, std::uint64_t got, Time exit) {
    const CallRef call = support::add_call(calls, 0, exit - 1, exit);
    accesses.add(calls, {kind, LocationId{target}, put, got, call});
    calls.release(call);
  }
  Calls calls;
  RmaAccesses accesses;
};

TEST(RmaAccesses, AreSummedUpByTargetAndKind) {
  AccessesOfAProcess a;
  a.add(RmaOperationKind::put, 2, 10, 0, 10);
  a.add(RmaOperationKind::get, 1, 0, 5, 20);
  a.add(RmaOperationKind::put, 2, 20, 0, 30);
  a.add(RmaOperationKind::atomic, 2, 1, 2, 40);
  ASSERT_EQ(a.accesses.entries().size(), 2u);
  EXPECT_EQ(a.accesses.entries()[0].target, LocationId{1}) << "targets ascend";
  const RmaAccess two = view(a.calls, LocationId{0}, LocationId{2}, a.accesses.find(LocationId{2}));
  EXPECT_EQ((std::vector{two.puts, two.gets, two.atomics, two.bytes_put, two.bytes_got}),
            (std::vector<std::uint64_t>{2, 0, 1, 31, 2}));
  EXPECT_EQ(two.last->exit, 40u);
  EXPECT_EQ(a.accesses.find(LocationId{0}), nullptr);
}

TEST(RmaAccesses, OfATargetThatWasNotAccessedThereAreNoOperations) {
  const Calls calls;
  const RmaAccess nothing = view(calls, LocationId{0}, LocationId{2}, nullptr);
  EXPECT_EQ(nothing.operations(), 0u);
  EXPECT_EQ(nothing.last, nullptr);
}

TEST(RmaAccesses, OnlyTheOperationThatWasLeftLastIsKept) {
  AccessesOfAProcess a;
  a.add(RmaOperationKind::put, 2, 1, 0, 30);
  a.add(RmaOperationKind::put, 2, 1, 0, 20);
  EXPECT_EQ(a.calls.alive(), 1u);
  EXPECT_EQ(a.calls[a.accesses.find(LocationId{2})->last].call.exit, 30u);
  a.add(RmaOperationKind::put, 2, 1, 0, 40);
  EXPECT_EQ(a.calls.alive(), 1u);
  EXPECT_EQ(a.calls[a.accesses.find(LocationId{2})->last].call.exit, 40u);
  a.accesses.clear(a.calls);
  EXPECT_EQ(a.calls.alive(), 0u);
  EXPECT_TRUE(a.accesses.entries().empty());
}

}  // namespace
}  // namespace waitstate::link
