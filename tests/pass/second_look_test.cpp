// A part of a location's time, looked at again: its regions, messages and transfers, cut at both ends.
#include "pass/second_look.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pass/marked_trace.hpp"

namespace waitstate::pass {
namespace {

using Rows = std::vector<std::string>;

Look looked(MarkedTrace& trace, LocationId location, Time from, Time to) {
  std::vector<Look> looks(1);
  looks[0].location = location;
  looks[0].from = from;
  looks[0].to = to;
  look_again(trace.input, trace.index, looks);
  return looks[0];
}
Look looked(const std::string& text, Time from, Time to) {
  MarkedTrace trace(text);
  return looked(trace, LocationId{0}, from, to);
}
Rows regions(const Look& look) {
  Rows rows;
  for (const Look::Region& r : look.regions)
    rows.push_back(
        fmt::format("{}region {}: {} to {}", std::string(2 * r.depth, ' '), r.region.value, r.enter, r.exit));
  return rows;
}
Rows ends(const std::vector<Look::MessageEnd>& ends) {
  Rows rows;
  for (const Look::MessageEnd& e : ends)
    rows.push_back(fmt::format("{}: partner {} tag {} communicator {}, {} bytes", e.time, e.partner.value, e.tag,
                               e.comm.value, e.bytes));
  return rows;
}
Rows transfers(const Look& look) {
  Rows rows;
  for (const Look::Transfer& t : look.transfers)
    rows.push_back(fmt::format("{} at {} to {}, {} bytes, completed {}", enum_name(t.kind), t.started, t.target.value,
                               t.bytes, t.completed ? std::to_string(*t.completed) : "never"));
  return rows;
}

const std::string nested = R"(
region 0 name=main
region 1 name=step
region 2 name=solve
0 0 enter main
0 10 enter step
0 20 enter solve
0 30 exit
0 40 exit
0 50 enter step
0 60 exit
0 90 exit
)";

TEST(SecondLook, RegionsAreCutAtBothEndsOuterOnesFirst) {
  EXPECT_EQ(regions(looked(nested, 0, 1000)),
            (Rows{"region 0: 0 to 90", "  region 1: 10 to 40", "    region 2: 20 to 30", "  region 1: 50 to 60"}));
  EXPECT_EQ(regions(looked(nested, 25, 55)),
            (Rows{"region 0: 25 to 55", "  region 1: 25 to 40", "    region 2: 25 to 30", "  region 1: 50 to 55"}));
}

TEST(SecondLook, WhatOnlyTouchesTheTimeIsNotInIt) {
  EXPECT_EQ(regions(looked(nested, 30, 50)), (Rows{"region 0: 30 to 50", "  region 1: 30 to 40"}));
  EXPECT_EQ(regions(looked(nested, 90, 95)), Rows{});
  EXPECT_EQ(regions(looked(nested, 41, 49)), Rows{"region 0: 41 to 49"}) << "nothing happens in that time";
}

TEST(SecondLook, ARegionThatIsNeverLeftLastsToTheEndOfTheTime) {
  EXPECT_EQ(regions(looked("region 0 name=main\n0 10 enter main\n", 0, 100)), Rows{"region 0: 10 to 100"});
}

TEST(SecondLook, AnExitOfAnOuterRegionLeavesTheInnerOnesAndOneOfNoOpenRegionNone) {
  const std::string regions_of_two = "region 0 name=main\nregion 1 name=step\nregion 2 name=solve\n";
  EXPECT_EQ(regions(looked(regions_of_two + "0 0 enter main\n0 10 enter step\n0 20 exit main\n", 0, 100)),
            (Rows{"region 0: 0 to 20", "  region 1: 10 to 20"}));
  EXPECT_EQ(regions(looked(regions_of_two + "0 0 enter main\n0 10 exit solve\n0 20 exit\n", 0, 100)),
            Rows{"region 0: 0 to 20"});
}

TEST(SecondLook, ItBeginsAtAMarkInTheMiddleOfTheTrace) {
  MarkedTrace trace(busy_location(4000));
  // The mark at 15000 has main and work open: work is left at 15005.
  EXPECT_EQ(regions(looked(trace, LocationId{0}, 15'002, 15'012)),
            (Rows{"region 0: 15002 to 15012", "  region 1: 15002 to 15005", "  region 1: 15010 to 15012"}));
  EXPECT_EQ(regions(looked(trace, LocationId{0}, 39'998, 50'000)),
            (Rows{"region 0: 39998 to 40010", "  region 1: 40000 to 40005"}));
}

TEST(SecondLook, MessagesOfTheTimeAreListedBothKindsOfBoth) {
  const Look look = looked(R"(
0 0 enter main
0 5 send dest=1 tag=3 com=0 len=8
0 10 send dest=1 tag=4 com=0 len=9
0 12 isend dest=2 tag=5 com=0 len=10 request=1
0 14 recv src=2 tag=6 com=0 len=11
0 16 irecv src=1 tag=7 com=0 len=12 request=2
0 20 send dest=1 tag=8 com=0 len=13
0 90 exit
1 0 enter main
2 0 enter main
)",
                           10, 20);
  EXPECT_EQ(ends(look.sends),
            (Rows{"10: partner 1 tag 4 communicator 0, 9 bytes", "12: partner 2 tag 5 communicator 0, 10 bytes"}));
  EXPECT_EQ(ends(look.receives),
            (Rows{"14: partner 2 tag 6 communicator 0, 11 bytes", "16: partner 1 tag 7 communicator 0, 12 bytes"}));
  EXPECT_TRUE(look.whole);
}

TEST(SecondLook, ATransferIsCompleteWithTheLastRecordOfItsNumber) {
  const Look look = looked(R"(
rma_win 0 name=window comm=0
0 0 enter main
0 10 rma_put win=0 remote=1 bytes=8 match=1
0 11 rma_get win=0 remote=1 bytes=16 match=2
0 12 rma_op_complete_blocking win=0 match=2
0 13 rma_op_complete_nonblocking win=0 match=1
0 14 rma_op_complete_remote win=0 match=1
0 15 rma_put win=0 remote=1 bytes=32 match=1
0 16 rma_atomic win=0 remote=1 type=swap sent=4 received=2 match=3
0 17 rma_op_complete_nonblocking win=0 match=1
0 90 exit
1 0 enter main
)",
                           0, 50);
  EXPECT_EQ(transfers(look),
            (Rows{"put at 10 to 1, 8 bytes, completed 14", "get at 11 to 1, 16 bytes, completed 12",
                  "put at 15 to 1, 32 bytes, completed 17", "atomic at 16 to 1, 4 bytes, completed never"}))
      << "a number that is used again belongs to the later one";
}

TEST(SecondLook, OfTooManyEventsOnlyTheFirstAreLookedAt) {
  MarkedTrace trace(busy_location(Look::most_events));
  const Look all = looked(trace, LocationId{0}, 0, ~Time{0});
  EXPECT_FALSE(all.whole);
  EXPECT_GE(all.regions.size(), Look::most_events / 2);
  EXPECT_LT(all.regions.size(), Look::most_events / 2 + 1000);
  EXPECT_TRUE(looked(trace, LocationId{0}, 0, 1000).whole);
}

TEST(SecondLook, SeveralAtOnceInAnyOrderAndWhatWasFoundBeforeIsForgotten) {
  MarkedTrace trace("region 0 name=main\n0 0 enter main\n0 50 exit\n1 10 enter main\n1 90 exit\n2 95 enter main\n");
  std::vector<Look> looks(3);
  looks[0].location = LocationId{1};
  looks[1].location = LocationId{0};
  looks[2].location = LocationId{2};
  for (Look& look : looks) look.from = 20, look.to = 60;
  for (int time = 0; time < 2; ++time) {
    look_again(trace.input, trace.index, looks);
    EXPECT_EQ(regions(looks[0]), Rows{"region 0: 20 to 60"});
    EXPECT_EQ(regions(looks[1]), Rows{"region 0: 20 to 50"});
    EXPECT_EQ(regions(looks[2]), Rows{}) << "its events are later";
  }
}

}  // namespace
}  // namespace waitstate::pass
