// How long locations were in regions, and how much of that they computed, by stretches of time.
#include "pass/time_bins.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/case_file.hpp"

namespace waitstate::pass {
namespace {

using Rows = std::vector<std::string>;

/// A row for each location: time in regions, and computation, of each bin.
Rows in_bins(const std::vector<Time>& bounds, const std::string& trace) {
  const support::TraceFile file(trace);
  TraceInput input(file.path());
  Rows rows;
  times_in_bins(input, bounds, [&](LocationId l, std::span<const BinTimes> bins) {
    std::string row = fmt::format("location {}:", l.value);
    for (const BinTimes& bin : bins) row += fmt::format(" {}/{}", bin.computation, bin.in_regions);
    rows.push_back(row);
  });
  return rows;
}

// Two stretches of 2^63 - 1 ticks in one bin: the sum wraps around, as those of severities do, and is not undefined.
TEST(TimeBins, SumsOfDamagedTimesWrapAround) {
  EXPECT_EQ(in_bins({0, ~Time{0}},
                    "0 0 enter main\n0 9223372036854775807 exit\n0 9223372036854775807 enter main\n"
                    "0 18446744073709551614 exit\n"),
            Rows{"location 0: -2/-2"});
}

TEST(TimeBins, ARegionIsSpreadOverTheBinsThatItTouches) {
  // main computes from 5 to 12 and from 18 to 25.
  EXPECT_EQ(in_bins({0, 10, 20, 30, 40}, R"(
0 5 enter main
0 12 enter MPI_Send
0 18 exit
0 25 exit
0 38 enter main
0 40 exit
)"),
            Rows{"location 0: 5/5 4/10 5/5 2/2"});
}

TEST(TimeBins, TimeOutsideOfTheBoundsOrOfRegionsDoesNotCount) {
  EXPECT_EQ(in_bins({10, 20}, "0 0 enter main\n0 12 exit\n0 14 enter main\n0 30 exit\n"), Rows{"location 0: 8/8"});
  EXPECT_EQ(in_bins({100, 200}, "0 0 enter main\n0 12 exit\n"), Rows{"location 0: 0/0"});
}

TEST(TimeBins, EachLocationHasItsOwnInTheirOrder) {
  EXPECT_EQ(in_bins({0, 10, 20}, "1 12 enter main\n1 20 exit\n0 1 enter MPI_Send\n0 11 exit\n"),
            (Rows{"location 0: 0/9 0/1", "location 1: 0/0 8/8"}));
}

TEST(TimeBins, WhatWasNotMeasuredDoesNotCount) {
  EXPECT_EQ(in_bins({0, 100}, R"(
0 10 enter main
0 20 measurement_on_off mode=off
0 50 measurement_on_off mode=on
0 60 exit
)"),
            Rows{"location 0: 20/20"});
}

TEST(EventSpan, IsFromTheFirstToTheLastEventOfAnyLocation) {
  const support::TraceFile file(
      "0 20 enter main\n0 90 exit\n1 10 enter main\n1 70 metric metric=0 values=()\n"
      "metric 0 members=()\n");
  TraceInput input(file.path());
  EXPECT_EQ(event_span(input), (std::pair<Time, Time>{10, 90}));
  EXPECT_EQ(event_span(input), (std::pair<Time, Time>{10, 90})) << "the trace cannot be read again";
}

TEST(EventSpan, OfATraceWithoutEventsTheFirstIsLater) {
  const support::TraceFile file("location 0 name=\"Master thread\" process=0\nprocess 0 name=\"Rank 0\"\n");
  TraceInput input(file.path());
  const auto [first, last] = event_span(input);
  EXPECT_GT(first, last);
}

TEST(SpreadOverBins, StartsAtTheBinThatIsGivenAndAddsNoEmptyParts) {
  const std::vector<Time> bounds{0, 10, 20, 30};
  const auto spread = [&](std::size_t bin, Time from, Time to) {
    Rows rows;
    spread_over_bins(bounds, bin, from, to,
                     [&](std::size_t b, Time ticks) { rows.push_back(fmt::format("{} ticks in bin {}", ticks, b)); });
    return rows;
  };
  EXPECT_EQ(spread(0, 5, 25), (Rows{"5 ticks in bin 0", "10 ticks in bin 1", "5 ticks in bin 2"}));
  EXPECT_EQ(spread(1, 5, 25), (Rows{"10 ticks in bin 1", "5 ticks in bin 2"}));
  EXPECT_EQ(spread(0, 10, 20), Rows{"10 ticks in bin 1"});
  EXPECT_EQ(spread(0, 10, 10), Rows{});
  EXPECT_EQ(spread(0, 25, 99), Rows{"5 ticks in bin 2"});
}

}  // namespace
}  // namespace waitstate::pass
