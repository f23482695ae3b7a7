// CSV and JSON of a small result, to the last byte.
#include <gtest/gtest.h>

#include <sstream>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

std::string csv(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_csv(result, out);
  return out.str();
}

TEST(Csv, is_inclusive_along_metrics_and_quotes_what_needs_it) {
  EXPECT_EQ(csv(small_result()), R"(metric,callpath,location,value
time,main,0,0.0045
time,main,1,0.0015
time,"main/work<int, ""x"">/MPI_Recv",1,0.0025
mpi_point2point,"main/work<int, ""x"">/MPI_Recv",1,0.0025
mpi_latesender,"main/work<int, ""x"">/MPI_Recv",1,0.002
bytes,"main/work<int, ""x"">/MPI_Recv",1,2048
)");
}

TEST(Csv, seconds_have_twelve_significant_digits) {
  AnalysisResult result = small_result();
  result.definitions.clock.resolution = 3;
  EXPECT_NE(csv(result).find("\ntime,main,1,500\n"), std::string::npos);
  EXPECT_NE(csv(result).find("\nmpi_latesender,\"main/work<int, \"\"x\"\">/MPI_Recv\",1,666.666666667\n"),
            std::string::npos);
}

TEST(Csv, of_nothing_is_its_header) { EXPECT_EQ(csv(AnalysisResult{}), "metric,callpath,location,value\n"); }

TEST(Json, whole) {
  AnalysisResult result = small_result();
  result.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{0}, ProcessId{1}, {LocationId{1}, 1600, "MPI_Recv"}, 7);
  std::ostringstream out;
  report::write_json(result, out);
  const std::string text = out.str();
  const auto diagnostics = text.find("\"diagnostics\": [");
  EXPECT_EQ(text.substr(0, diagnostics), R"({
"format": "waitstate",
"version": 1,
"trace": {"path":"run/traces.otf2","creator":"Score-P 8.4","machine":"Linux","description":"","otf2_version":"3.0.2","trace_id":"0000000000001234","properties":{},"clock":{"ticks_per_second":1000000,"offset":1000,"realtime_ns":1600000000000000000},"first_time":1000,"last_time":6000,"duration":5000,"events":10,"messages":1},
"processes": [
  {"name":"MPI Rank 0","type":"process","rank":0},
  {"name":"MPI Rank 1","type":"process","rank":1}
],
"locations": [
  {"name":"Master thread","type":"cpu_thread","process":0,"events":4,"first_time":1000,"last_time":5500},
  {"name":"Master thread","type":"cpu_thread","process":1,"events":6,"first_time":1500,"last_time":6000}
],
"call_tree": [
  {"parent":null,"name":"main","file":"p2p.c","line":3},
  {"parent":0,"name":"work<int, \"x\">","file":null,"line":null},
  {"parent":1,"name":"MPI_Recv","file":"MPI","line":null}
],
"metrics": [
  {"id":"time","title":"Time","unit":"ticks","parent":null,"within_parent":false,"total":8500,"summary":"Total time of all locations."},
  {"id":"mpi_point2point","title":"Point-to-point","unit":"ticks","parent":"time","within_parent":false,"total":2500,"summary":""},
  {"id":"mpi_latesender","title":"Late Sender","unit":"ticks","parent":"mpi_point2point","within_parent":true,"total":2000,"summary":"Receives that wait for their send."},
  {"id":"mpi_latereceiver","title":"Late Receiver","unit":"ticks","parent":"mpi_point2point","within_parent":true,"total":0,"summary":""},
  {"id":"bytes","title":"Bytes","unit":"bytes","parent":null,"within_parent":false,"total":2048,"summary":""},
  {"id":"visits","title":"Visits","unit":"occ","parent":null,"within_parent":false,"total":0,"summary":""}
],
"severities": {"columns": ["metric","callpath","location","value"], "rows": [
  ["time",0,0,4500],
  ["time",0,1,1500],
  ["time",2,1,2500],
  ["mpi_point2point",2,1,2500],
  ["mpi_latesender",2,1,2000],
  ["bytes",2,1,2048]
]},
"waits": {
  "mpi_latesender": [{"culprit":0,"victim":1,"count":1,"value":2000}]
},
"unanswered": [],
"events_by_type": {"enter":4,"exit":4,"send":1,"recv":1},
)");
  EXPECT_NE(text.find(R"(
  {"id":"clock_violation","severity":"odd","sentence":"messages received before they were sent, by their time stamps: clocks disagree","count":1,"largest":7,"places":[{"location":1,"time":1600,"text":"MPI_Recv"}]},
)"),
            std::string::npos)
      << text.substr(diagnostics);
  EXPECT_EQ(text.substr(text.find("\"clock_violations\"")), R"("clock_violations": [
  {"sender":0,"receiver":1,"count":1,"largest":7}
]
}
)");
}

TEST(Json, text_that_is_no_utf8_is_replaced) {
  AnalysisResult result = small_result();
  result.definitions.regions[0].name = "ma\xffin";
  std::ostringstream out;
  report::write_json(result, out);
  EXPECT_NE(out.str().find("\"name\":\"ma\xef\xbf\xbdin\""), std::string::npos);
}

}  // namespace
}  // namespace waitstate::test
