// When locations were in a region, and how much of that they computed.
#include "pass/visits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/case_file.hpp"

namespace waitstate::pass {
namespace {

using Rows = std::vector<std::string>;

/// Visits of the regions of this name: a row for each, with its location, its time and its computation.
Rows visits_of(const std::string& region_name, const std::string& trace) {
  const support::TraceFile file(trace);
  TraceInput input(file.path());
  std::vector<bool> regions;
  for (const Region& region : input.definitions().regions) regions.push_back(region.name == region_name);
  Rows rows;
  const std::vector<std::vector<Visit>> visits = find_visits(input, regions);
  for (std::size_t l = 0; l < visits.size(); ++l)
    for (const Visit& v : visits[l])
      rows.push_back(fmt::format("location {}: {} to {}, {} computed", l, v.enter, v.exit, v.computation));
  return rows;
}

TEST(Visits, ComputationIsExclusiveTimeOfRegionsOfComputationAlsoOfCalledOnes) {
  // MPI_Send takes 3 of the 20 ticks.
  EXPECT_EQ(visits_of("step", R"(
0 0 enter main
0 10 enter step
0 12 enter solve
0 15 exit
0 16 enter MPI_Send
0 19 exit
0 30 exit
0 35 enter solve
0 40 exit
0 50 enter step
0 55 exit
0 60 exit
)"),
            (Rows{"location 0: 10 to 30, 17 computed", "location 0: 50 to 55, 5 computed"}));
}

TEST(Visits, OfARegionThatCallsItselfTheOutermostVisitCounts) {
  EXPECT_EQ(visits_of("step", "0 10 enter step\n0 12 enter step\n0 20 exit\n0 30 exit\n"),
            Rows{"location 0: 10 to 30, 20 computed"});
}

TEST(Visits, LocationsAreListedInTheirOrder) {
  EXPECT_EQ(visits_of("step", "1 1 enter step\n1 2 exit\n0 5 enter step\n0 9 exit\n2 0 enter main\n2 1 exit\n"),
            (Rows{"location 0: 5 to 9, 4 computed", "location 1: 1 to 2, 1 computed"}));
}

TEST(Visits, OneThatIsNotLeftEndsWithTheLastEventOfItsLocation) {
  EXPECT_EQ(visits_of("step", "0 5 enter step\n0 9 enter solve\n1 100 enter main\n"),
            Rows{"location 0: 5 to 9, 4 computed"});
}

TEST(Visits, TheExitOfAnOuterRegionEndsTheVisit) {
  EXPECT_EQ(visits_of("step",
                      "0 0 enter main\n0 5 enter step\n0 7 enter solve\n0 9 exit main\n0 20 enter step\n"
                      "0 21 exit\n"),
            (Rows{"location 0: 5 to 9, 4 computed", "location 0: 20 to 21, 1 computed"}));
}

TEST(Visits, AnExitOfARegionThatIsNotOpenIsPassedOver) {
  EXPECT_EQ(visits_of("step", "0 0 enter main\n0 5 enter step\n0 7 exit solve\n0 9 exit\n"),
            Rows{"location 0: 5 to 9, 4 computed"});
}

TEST(Visits, ATimeThatRunsBackwardsIsTakenAsThePreviousOne) {
  EXPECT_EQ(visits_of("step", "0 10 enter step\n0 5 enter solve\n0 12 exit\n0 20 exit\n"),
            Rows{"location 0: 10 to 20, 10 computed"});
}

TEST(Visits, TheEndOfTheProgramLeavesAllRegions) {
  EXPECT_EQ(visits_of("step", "0 0 program_begin \"app\"\n0 5 enter step\n0 9 program_end\n0 20 enter main\n"),
            Rows{"location 0: 5 to 9, 4 computed"});
}

}  // namespace
}  // namespace waitstate::pass
