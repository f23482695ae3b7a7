// The statistics file: every line of it, what is left out for few waits, and the copy in the report.
#include "report/cube/trace_stat.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "report/cube/cube_support.hpp"
#include "report/cube/writer.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

using TraceStat = CubeTest;

// 4 waits of 1, 2, 3 and 6 ms; the worst instance of the call path is one of 6 ms that began 0.00150 s after
// the first event (tick 1000).
AnalysisResult with_waits() {
  AnalysisResult r = small_result();
  const MetricIndex late = r.metrics.find("mpi_latesender");
  WaitSummary& w = r.waits[late];
  // Mean 3 ms, variance of the sample (4 + 1 + 0 + 9) / 3 ms²; in the file of all: 14 / 4 = 3.5 ms².
  w.statistics = {4, 12'000, 1000, 6000, 3000, 14e6 / 3, 1750, 2500, 3750, 0};
  Wait wait;
  wait.location = LocationId{1};
  wait.callpath = CallPathId{2};
  wait.enter = 2500;
  wait.exit = 9000;
  wait.ticks = 6000;
  w.severe[CallPathId{2}] = {{wait, 6000, 1}, {wait, 3000, 1}};
  wait.location = LocationId{0};
  wait.callpath = CallPathId{1};
  w.severe[CallPathId{1}] = {{wait, 7000, 2}};
  return r;
}

TEST_F(TraceStat, StatisticsLookAsTheViewerExpects) {
  AnalysisResult r = with_waits();
  const std::string head =
      "PatternName               Count      Mean    Median      Minimum      Maximum      Sum     Variance    "
      "Quartil25    Quartil75\n";
  const std::string severe =
      "- cnode 1 enter: 0.0015000000 exit: 0.0080000000 duration: 0.0070000000 rank: 0\n"
      "- cnode 2 enter: 0.0015000000 exit: 0.0080000000 duration: 0.0060000000 rank: 1\n\n";
  std::ostringstream text;
  report::write_trace_stat(r, text);
  EXPECT_EQ(text.str(), head +
                            "mpi_latesender                     4 0.0030000 0.0025000 0.0010000000 0.0060000000 "
                            "0.0120000000 0.0000035000\n" +
                            severe);

  WaitStatistics& statistics = r.waits.begin()->second.statistics;
  statistics.count = 5;
  text.str("");
  report::write_trace_stat(r, text);
  EXPECT_EQ(text.str(), head +
                            "mpi_latesender                     5 0.0030000 0.0025000 0.0010000000 0.0060000000 "
                            "0.0120000000 0.0000037333 0.0017500000 0.0037500000\n" +
                            severe);

  statistics.count = 1;
  text.str("");
  report::write_trace_stat(r, text);
  EXPECT_EQ(text.str(), head +
                            "mpi_latesender                     1 0.0030000 0.0025000 0.0010000000 0.0060000000 "
                            "0.0120000000\n" +
                            severe);

  report::write_cube(r, file());
  EXPECT_EQ(members_of(file()).front(), std::pair(std::string("trace.stat"), text.str()));
}

TEST_F(TraceStat, StatisticsOfARunWithoutWaitsAreTheirHead) {
  AnalysisResult r = small_result();
  r.waits.clear();
  std::ostringstream text;
  report::write_trace_stat(r, text);
  EXPECT_EQ(text.str().find('\n'), text.str().size() - 1);
}

}  // namespace
}  // namespace waitstate::test
