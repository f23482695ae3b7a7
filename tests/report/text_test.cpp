// The reports for people: the complete text of small ones, and each rule of layout at its edges.
#include <gtest/gtest.h>

#include "report/analysis_text.hpp"
#include "report/info_text.hpp"
#include "report/layout.hpp"
#include "report/names.hpp"
#include "report/small_result.hpp"
#include "report/units.hpp"

namespace waitstate::test {
namespace {

using namespace report;

TEST(AnalysisText, whole) {
  EXPECT_EQ(analysis_text(small_result(), {}), R"(trace          run/traces.otf2
recorder       Score-P 8.4 (OTF2 3.0.2)
size           2 processes, 2 locations, 10 events, 1 matched message
duration       0.005000000 s; 0.008500000 s in all locations together

metric                          value  % of time
time                    0.008500000 s      100.0
  mpi_point2point       0.002500000 s       29.4
    mpi_latesender      0.002000000 s       23.5
    mpi_latereceiver    0.000000000 s        0.0
bytes                 2.0 KiB (2,048)

mpi_latesender  Late Sender
  Receives that wait for their send.
  0.002000000 s, 23.5 % of the total time
  worst call paths
    0.002000000 s  23.5 %  main/work<int, "x">/MPI_Recv
  worst locations
    0.002000000 s  23.5 %  rank 1
  who waited for whom
    rank 1 waited 0.002000000 s for rank 0 (1 time)

Nothing is missing from this trace, and nothing about it is odd.
)");
}

TEST(AnalysisText, says_what_the_trace_cannot_tell_and_what_is_damaged) {
  AnalysisResult result = small_result();
  result.events_by_type[static_cast<std::size_t>(EventType::isend)] = 2;
  result.events_by_type[static_cast<std::size_t>(EventType::recv)] = 3;
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"}, 0, 2);
  result.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{0}, ProcessId{1}, {LocationId{1}, 1600, ""}, 7);
  const std::string text = analysis_text(result, {});
  EXPECT_NE(text.find("    mpi_latesender    at least 0.002000000 s       23.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    mpi_latereceiver                 unknown\n"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.find("Cannot be told")), R"(Cannot be told from this trace
  mpi_latesender: 2 of 3 receives have no send in the trace: whether their sender was late is not
                  known
  mpi_latereceiver: 2 of 2 non-blocking sends never complete in the trace: how long they waited is
                    not known

Missing from the results
  2  receives whose send is not in the trace
      rank 1 at 0.001500000 s: MPI_Recv

Odd, but analysed
  1  messages received before they were sent, by their time stamps: clocks disagree (by up to
     0.000007000 s)
      rank 0 to rank 1: 1 message, up to 0.000007000 s too early
      rank 1 at 0.000600000 s
)");
}

TEST(AnalysisText, of_a_trace_without_events) {
  AnalysisResult result;
  result.path = "empty";
  result.metrics.add("time", "", Unit::seconds, false, "", "");
  result.severities = Severities(1);
  EXPECT_EQ(analysis_text(result, {}), R"(trace          empty
recorder       unknown
size           0 processes, 0 locations, 0 events, 0 matched messages
duration       0.000000000 s; 0.000000000 s in all locations together

metric  value  % of time

Nothing is missing from this trace, and nothing about it is odd.
)");
}

TEST(InfoText, whole) {
  EXPECT_EQ(info_text(small_result(), {}), R"(trace          run/traces.otf2
recorder       Score-P 8.4 (OTF2 3.0.2)
machine        Linux
trace id       0000000000001234
clock          1,000,000 ticks per second, offset 1000, started 2020-09-13 12:26:40 UTC
duration       0.005000000 s from the first to the last event
size           2 processes, 2 locations, 10 events, 1 matched message
processes      2, ranks 0 to 1
locations      2 cpu_thread
communicators  none

events by type
  4   40.0 %  enter
  4   40.0 %  exit
  1   10.0 %  send
  1   10.0 %  recv

Nothing is missing from this trace, and nothing about it is odd.
)");
}

TEST(Names, thread_and_stream_of_a_rank) {
  Definitions d;
  LocationGroup process;
  process.rank = 2;
  process.locations = {LocationId{0}, LocationId{1}, LocationId{2}};
  d.processes.push_back(process);
  for (const LocationType type :
       {LocationType::cpu_thread, LocationType::accelerator_stream, LocationType::cpu_thread}) {
    Location location;
    location.name = "CUDA[0:7]";
    location.type = type;
    location.process = ProcessId{0};
    d.locations.push_back(location);
  }
  EXPECT_EQ(location_label(d, LocationId{0}), "rank 2 thread 0");
  EXPECT_EQ(location_label(d, LocationId{1}), "rank 2 CUDA[0:7]");
  EXPECT_EQ(location_label(d, LocationId{2}), "rank 2 thread 1");
  EXPECT_EQ(location_label(d, LocationId::none()), "unknown location");
}

TEST(Units, numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(bytes(1023), "1,023");
  EXPECT_EQ(bytes(1024), "1.0 KiB (1,024)");
  EXPECT_EQ(bytes(1'048'575), "1.0 MiB (1,048,575)");
  EXPECT_EQ(percent(1, 0), "-");
  EXPECT_EQ(percent(0, 5), "0.0");
  EXPECT_EQ(percent(1, 10'000), "<0.1");
  EXPECT_EQ(percent(1, 8), "12.5");
}

TEST(Units, decimals_by_the_largest_duration) {
  Clock clock;
  clock.resolution = 1000;
  EXPECT_EQ(Seconds(clock, 99).text(5), "0.005000000");
  EXPECT_EQ(Seconds(clock, 100).text(5), "0.005000");
  EXPECT_EQ(Seconds(clock, 10'000'000).text(5), "0.005");
}

TEST(Layout, call_paths_are_shortened_in_the_middle) {
  const std::string path = "program/main/solve/exchange/MPI_Waitall";
  EXPECT_EQ(shorten_path(path, 39), path);
  EXPECT_EQ(shorten_path(path, 38), "program/…in/solve/exchange/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 20), "pr…hange/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 12), "…MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 8), "…Waitall");
  EXPECT_EQ(shorten_path(path, 1), "…");
}

TEST(Layout, columns_are_code_points) {
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(right("ö", 3), "  ö");
  EXPECT_EQ(shorten_path("öööööööö/ä", 6), "ö…öö/ä");
}

TEST(Layout, paragraphs_are_indented_by_their_lead) {
  EXPECT_EQ(paragraph("  7  ", "one two three", 12), "  7  one two\n     three\n");
  EXPECT_EQ(paragraph("  ", "averyveryverylongword b", 10), "  averyveryverylongword\n  b\n");
  EXPECT_EQ(paragraph("  ", "", 10), "  \n");
}

TEST(Layout, a_hostile_name_cannot_control_the_terminal) {
  AnalysisResult result = small_result();
  result.definitions.regions[2].name = "MPI\x1b[2J\n";
  EXPECT_NE(analysis_text(result, {}).find("work<int, \"x\">/MPI?[2J?\n"), std::string::npos);
}

}  // namespace
}  // namespace waitstate::test
