// The run in phases as text and as a table, and over time in JSON.
#include "report/text/tables/phases.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "report/csv/phases_csv.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/small_result.hpp"
#include "support/temporary_folder.hpp"

namespace waitstate::test {
namespace {

AnalysisResult in_two_stretches() {
  AnalysisResult r = small_result();
  const MetricIndex late = r.metrics.at("mpi_latesender");
  r.phases = Phases{
      RegionId{}, 2, 1, {{1000, 1500, 2, 900, 500, 600, 400, {{late, 250}}}, {1500, 2000, 1, 500, 500, 0, 0, {}}}};
  r.phases->phases[0].places[late] = {{{CallPathId{2}, 250}}, {{LocationId{1}, 240}, {LocationId{0}, 10}}};
  return r;
}

TEST(PhasesText, over_time) {
  EXPECT_EQ(report::phases_text(in_two_stretches(), 10, report::Style{}),
            R"(Phases: 2 stretches of time, 500.0 µs each
 phase          begin       longest  parallel %  balance %  communication %  waited most
     0  0.000000000 s      500.0 µs        60.0       75.0             80.0  Late Sender 250.0 µs
     1  0.000500000 s      500.0 µs           -          -                -
)");
}

TEST(PhasesText, csv) {
  std::ostringstream out;
  report::write_phases_csv(in_two_stretches(), out);
  EXPECT_EQ(out.str(), R"(phase,begin,end,quantity,value,callpath,location
0,0,0.0005,time,0.0009,,
0,0,0.0005,longest,0.0005,,
0,0,0.0005,parallel_efficiency,0.6,,
0,0,0.0005,load_balance,0.75,,
0,0,0.0005,communication_efficiency,0.8,,
0,0,0.0005,mpi_latesender,0.00025,,
0,0,0.0005,mpi_latesender,0.00025,"main/work<int, ""x"">/MPI_Recv",
0,0,0.0005,mpi_latesender,0.00024,,1
0,0,0.0005,mpi_latesender,1e-05,,0
1,0.0005,0.001,time,0.0005,,
1,0.0005,0.001,longest,0.0005,,
)");
}

TEST(PhasesText, over_time_in_json) {
  const AnalysisResult result = in_two_stretches();
  std::ostringstream out;
  report::write_json(result, out);
  EXPECT_NE(out.str().find("\"phases\": {\"region\":null,\"visits\":2,"), std::string::npos) << out.str();
  const support::TemporaryFolder folder;
  EXPECT_EQ(report::read_json(folder.file("report.json", out.str())).phases, result.phases);
}

}  // namespace
}  // namespace waitstate::test
