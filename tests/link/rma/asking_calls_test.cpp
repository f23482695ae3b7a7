// Calls that ask the homes of several targets: what listeners hear of them, and when.
#include "link/rma/away/asking_calls.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "link/rma/passive_target.hpp"
#include "support/heard_events.hpp"
#include "support/records.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;

struct AskingCallsOfThree {
  /// A call of location 0 that needs processes 1 and 2.
  std::uint32_t add(Time enter, Time exit) {
    const CallRef c = support::add_call(calls, 0, enter, exit);
    const ProcessId targets[] = {ProcessId{1}, ProcessId{2}};
    const std::uint32_t id = asking.add(c, RmaWinId{0}, targets);
    calls.release(c);
    return id;
  }
  static Call entered(std::size_t location, Time enter, Time exit) {
    Call call;
    call.location = LocationId{location};
    call.enter = enter;
    call.exit = exit;
    return call;
  }

  Definitions definitions = support::processes_with_a_window(3);
  Calls calls;
  support::HeardEvents heard;
  AskingCalls asking{definitions, calls, heard};
};

TEST(AskingCalls, AreToldWithTheirLastAnswerInTheOrderInWhichTheirReleasesWereFound) {
  AskingCallsOfThree a;
  const std::uint32_t first = a.add(10, 50), second = a.add(60, 90);
  a.asking.found(first, CallState::none, 0, true);
  a.asking.found(second, CallState::none, 0, true);
  for (int i = 0; i < 2; ++i) a.asking.answered(second);
  a.asking.answered(first);
  EXPECT_EQ(a.heard.take(), Rows{});
  a.asking.answered(first);
  EXPECT_EQ(a.heard.take(), (Rows{"passive 0@10 after nobody", "passive 0@60 after nobody"}));
  EXPECT_EQ(a.calls.alive(), 0u);
}

TEST(AskingCalls, NeedTheirTargetsFromTheReleaseOn) {
  AskingCallsOfThree a;
  const std::uint32_t id = a.add(10, 50);
  EXPECT_EQ(a.asking.from(id), 10u);
  const CallRef release = support::add_call(a.calls, 2, 15, 25);
  a.asking.found(id, release, 20, true);
  a.calls.release(release);
  EXPECT_EQ(a.asking.from(id), 20u);
  EXPECT_EQ(a.asking.exit(id), 50u);
  a.asking.gap(id, 30, 40, AskingCallsOfThree::entered(2, 40, 45));
  a.asking.answered(id);
  a.asking.gap(id, 20, 35, AskingCallsOfThree::entered(1, 35, 99));
  a.asking.answered(id);
  EXPECT_EQ(a.heard.take(), Rows{"passive 0@10 after 2@15 released 20 gap 20-35 gap 35-40"});
  EXPECT_EQ(a.calls.alive(), 0u);
}

// So long the homes of the targets may not forget what these did.
TEST(AskingCalls, SayWhichTimesTheyMayStillAskFor) {
  AskingCallsOfThree a;
  EXPECT_EQ(a.asking.least_enter(), ~Time{0});
  const std::uint32_t outer = a.add(10, 90), inner = a.add(20, 50);
  EXPECT_EQ(a.asking.least_enter(), 10u);
  EXPECT_EQ(a.asking.least_exit(), 50u);
  for (const std::uint32_t id : {inner, outer}) {
    a.asking.found(id, CallState::none, 0, true);
    for (int i = 0; i < 2; ++i) a.asking.answered(id);
    EXPECT_EQ(a.asking.least_exit(), id == inner ? 90 : ~Time{0});
  }
  EXPECT_EQ(a.asking.least_enter(), ~Time{0});
}

}  // namespace
}  // namespace waitstate::link
