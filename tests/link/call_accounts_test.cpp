// How the time in calls was spent: waited until what they depended on, transferred, local, or not known.
#include "link/call_accounts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;

Call call_of(Time enter, Time exit, std::uint32_t location = 0, std::uint32_t callpath = 0) {
  Call c;
  c.location = LocationId{location};
  c.callpath = CallPathId{callpath};
  c.enter = enter;
  c.exit = exit;
  return c;
}

/// A row for each sum: the parts of the time that are not 0.
Rows sums(CallAccounts& accounts) {
  Rows rows;
  for (const MpiAccount& a : accounts.take()) {
    std::string row = fmt::format("call path {} location {}:", a.callpath.value, a.location.value);
    const auto add = [&](const char* what, Ticks ticks) {
      if (ticks != 0) row += fmt::format(" {} {}", what, ticks);
    };
    add("wait", a.wait);
    add("transfer", a.transfer);
    add("local", a.local);
    add("without partner", a.without_partner);
    add("without member", a.without_member);
    add("without start", a.without_start);
    rows.push_back(row);
  }
  return rows;
}

/// Accounts with one call, from 10 to 50, of which 40 ticks are exclusive unless said otherwise.
struct OneCall {
  explicit OneCall(Time from = 0, Time to = ~Time{0}, Ticks exclusive = 40) : accounts(from, to) {
    accounts.add(0);
    accounts.open(0, exclusive);
  }
  Rows close() {
    accounts.close(0, call_of(10, 50));
    return sums(accounts);
  }
  CallAccounts accounts;
};

TEST(CallAccounts, ACallThatDependsOnNobodyIsLocal) {
  OneCall c;
  EXPECT_EQ(c.close(), Rows{"call path 0 location 0: local 40"});
}

TEST(CallAccounts, ACallWaitsUntilTheLatestOfItsDependencies) {
  OneCall c;
  c.accounts.depends(0, 30);
  c.accounts.depends(0, 35);
  c.accounts.depends(0, 20);
  EXPECT_EQ(c.close(), Rows{"call path 0 location 0: wait 25 transfer 15"});
}

TEST(CallAccounts, ADependencyBeforeTheCallIsNoWaitAndOneAfterItIsTheWholeCall) {
  OneCall before, after;
  before.accounts.depends(0, 5);
  after.accounts.depends(0, 70);
  EXPECT_EQ(before.close(), Rows{"call path 0 location 0: transfer 40"});
  EXPECT_EQ(after.close(), Rows{"call path 0 location 0: wait 40"});
}

TEST(CallAccounts, AWaitIsNotLongerThanTheExclusiveTime) {
  OneCall c(0, ~Time{0}, 10);
  c.accounts.depends(0, 40);
  EXPECT_EQ(c.close(), Rows{"call path 0 location 0: wait 10"});
}

TEST(CallAccounts, OnlyTheChosenTimeCounts) {
  OneCall late(20, ~Time{0}, 30), early(0, 30, 20);
  late.accounts.depends(0, 35);
  early.accounts.depends(0, 35);
  EXPECT_EQ(late.close(), Rows{"call path 0 location 0: wait 15 transfer 15"});
  EXPECT_EQ(early.close(), Rows{"call path 0 location 0: wait 20"});
}

TEST(CallAccounts, WhatIsLackingIsToldByTheFirstOfItsReasons) {
  using Lack = CallAccounts::Lack;
  const auto lacking = [](const std::vector<Lack>& reasons) {
    OneCall c;
    for (const Lack reason : reasons) c.accounts.lacks(0, reason);
    return c.close();
  };
  EXPECT_EQ(lacking({Lack::start}), Rows{"call path 0 location 0: without start 40"});
  EXPECT_EQ(lacking({Lack::start, Lack::member}), Rows{"call path 0 location 0: without member 40"});
  EXPECT_EQ(lacking({Lack::start, Lack::member, Lack::partner}), Rows{"call path 0 location 0: without partner 40"});
  OneCall both;
  both.accounts.lacks(0, Lack::partner);
  both.accounts.depends(0, 30);
  EXPECT_EQ(both.close(), Rows{"call path 0 location 0: wait 20 without partner 20"});
}

TEST(CallAccounts, SumsAreByCallPathAndLocationInTheirOrder) {
  CallAccounts accounts(0, ~Time{0});
  // More calls than are added up at once.
  for (std::uint32_t i = 0; i < 12; ++i) {
    accounts.add(0);
    accounts.open(0, 10);
    accounts.close(0, call_of(0, 10, 1 - i % 2, 2 - i % 3));
  }
  EXPECT_EQ(sums(accounts), (Rows{"call path 0 location 0: local 20", "call path 0 location 1: local 20",
                                  "call path 1 location 0: local 20", "call path 1 location 1: local 20",
                                  "call path 2 location 0: local 20", "call path 2 location 1: local 20"}));
}

TEST(CallAccounts, ACallWithoutAnOpenAccountDoesNotCount) {
  OneCall c;
  EXPECT_TRUE(c.accounts.is_open(0));
  EXPECT_EQ(c.accounts.exclusive(0), 40);
  c.accounts.add(0);  // the number is given to another call
  EXPECT_FALSE(c.accounts.is_open(0));
  EXPECT_EQ(c.close(), Rows{});
  c.accounts.add(7);
  EXPECT_GT(c.accounts.size(), 7u);
  EXPECT_FALSE(c.accounts.is_open(7));
}

TEST(CallAccounts, ACallCountsOnce) {
  OneCall c;
  c.accounts.close(0, call_of(10, 50));
  EXPECT_EQ(c.close(), Rows{"call path 0 location 0: local 40"});
}

TEST(CallAccounts, CallsWithoutANumberAreAddedAtOnce) {
  CallAccounts accounts(0, ~Time{0});
  accounts.add_depending(call_of(10, 50), 40, 20);
  accounts.add_lacking(call_of(60, 70), 10, CallAccounts::Lack::member);
  EXPECT_EQ(sums(accounts), Rows{"call path 0 location 0: wait 10 transfer 30 without member 10"});
}

}  // namespace
}  // namespace waitstate::link
