// One flipped bit in the last time stamp of a recorded trace, and sums beyond 64 bits: every report says so, none shows
// a time that means nothing, and no gate is passed.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <regex>
#include <sstream>
#include <string>

#include "otf2/trace_copy.hpp"
#include "report/compare/diff.hpp"
#include "report/compare/judge.hpp"
#include "report/csv/view_csv.hpp"
#include "report/facts/completeness.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/info_text.hpp"
#include "report/text/tables/views.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate::test {
namespace {

using namespace report;

/// The trace p2p, with one bit of the last time stamp of rank 0 flipped.
AnalysisResult with_flipped(unsigned bit) {
  const otf2::test::TraceCopy trace("p2p");
  const auto path = trace.path() / "traces" / "0.evt";
  constexpr std::streamoff lowest_byte = 7597;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(lowest_byte + bit / 8);
  const int byte = file.get();
  file.seekp(lowest_byte + bit / 8);
  file.put(static_cast<char>(byte ^ (1 << bit % 8)));
  file.close();
  return analyze(trace.anchor());
}

std::string all_texts(const AnalysisResult& r) {
  const Style style{100, false};
  std::ostringstream csv;
  waitstate::write_csv(r, csv);
  std::string text = analysis_text(r, style, {}) + analysis_text(r, style, {.full = true}) + info_text(r, style) +
                     csv.str() + wait_graph_text(r, WaitGraph(r), style, {});
  for (const char* id : {"time", "mpi_latesender", "costs"})
    for (const ViewBy by : {ViewBy::callpath, ViewBy::location, ViewBy::region}) {
      text += view_text(r, r.metrics.at(id), by, style, {});
      std::ostringstream view;
      view_csv(r, r.metrics.at(id), by, view);
      text += view.str();
    }
  return text + diff_text(difference(r, r, {}), {}, 5, style);
}

void expect_nothing_passes(const AnalysisResult& r, const std::string& what) {
  for (const char* gate : {"time>100s", "time<1000000000s", "mpi_latesender>5%", "mpi_latesender>100s",
                           "mpi_latesender@whole>5%", "costs>100s", "mpi_latesender<99%"})
    EXPECT_THROW(judge(parse_gate(gate), r), UsageError) << gate << ", " << what;
  EXPECT_THROW(judge(parse_gate("time>+10%"), r, r), UsageError) << what;
}

void expect_unknown_times(const AnalysisResult& r, const std::string& what) {
  const std::string text = all_texts(r);
  EXPECT_FALSE(std::regex_search(text, std::regex("[ ,]-[0-9]"))) << what << '\n' << text;
  EXPECT_NE(text.find("total time     unknown: "), std::string::npos) << what << '\n' << text;
  expect_nothing_passes(r, what);
  const Completeness completeness(r);
  for (const char* id : {"time", "comp", "mpi_latesender", "costs"})
    EXPECT_EQ(completeness.told(r.metrics.at(id), 5), Told::unknown) << id << ", " << what;
  EXPECT_EQ(completeness.told(r.metrics.at("visits"), 5), Told::exactly) << what;
}

TEST(DamagedTimes, a_flipped_bit_in_a_last_time_stamp_is_said) {
  for (unsigned bit = 44; bit < 64; ++bit) {
    const AnalysisResult r = with_flipped(bit);
    const DiagnosticEntry& e = r.diagnostics[DiagnosticId::time_outside];
    ASSERT_EQ(e.count, 1u) << bit;
    EXPECT_EQ(e.places[0].location, LocationId{0}) << bit;
    const Time by = Time{1} << bit;
    EXPECT_NEAR(static_cast<double>(e.largest),
                std::min(static_cast<double>(by), static_cast<double>(std::numeric_limits<Ticks>::max())), 2e9)
        << bit;
    expect_unknown_times(r, std::to_string(bit));
  }
}

TEST(DamagedTimes, what_is_said_of_it) {
  const AnalysisResult r = with_flipped(63);
  const std::string text = analysis_text(r, {100, false}, {});
  EXPECT_NE(text.find("total time     unknown: time stamps of 1 of 4 locations are damaged: times mean nothing\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Missing from the results: 1 location with damaged time stamps"), std::string::npos) << text;
  try {
    judge(parse_gate("time>100s"), r);
    FAIL() << "passed";
  } catch (const UsageError& e) {
    EXPECT_EQ(std::string(e.what()), "gate 'time>100s' cannot be judged on " + r.path +
                                         ": time stamps of 1 of 4 locations are damaged: times mean nothing");
  }
}

TEST(DamagedTimes, reports_read_back_say_the_same) {
  const AnalysisResult r = with_flipped(50);
  const support::TemporaryFolder folder;
  std::ostringstream out;
  waitstate::write_json(r, out);
  expect_unknown_times(read_report(folder.file("run.json", out.str())), "JSON");
  waitstate::write_cube(r, folder / "run.cubex");
  const AnalysisResult cube = read_report(folder / "run.cubex");
  expect_nothing_passes(cube, "CUBE");
  EXPECT_EQ(Completeness(cube).told(cube.metrics.at("time"), 5), Told::unknown);
}

TEST(DamagedTimes, sums_too_large_are_unknown) {
  std::string text;
  for (int l = 0; l < 4; ++l)
    text += std::to_string(l) + " 0 enter main\n" + std::to_string(l) + " 1 enter f\n" + std::to_string(l) +
            " 4611686018427387905 exit\n" + std::to_string(l) + " 4611686018427387906 exit\n";
  const support::TraceFile trace(text);
  expect_unknown_times(analyze(trace.path()), "four locations");
}

TEST(DamagedTimes, bytes_too_large_are_unknown_and_times_are_not) {
  const support::TraceFile trace(
      "0 0 enter MPI_Send\n0 10 send dest=1 tag=7 com=0 len=9223372036854775808\n"
      "0 20 send dest=1 tag=7 com=0 len=9223372036854775808\n0 30 exit\n"
      "1 0 enter MPI_Recv\n1 40 recv src=0 tag=7 com=0 len=9223372036854775808\n"
      "1 50 recv src=0 tag=7 com=0 len=9223372036854775808\n1 60 exit\n");
  const AnalysisResult r = analyze(trace.path());
  const Completeness completeness(r);
  EXPECT_EQ(completeness.told(r.metrics.at("bytes_sent"), r.duration()), Told::unknown);
  EXPECT_EQ(completeness.told(r.metrics.at("time"), 5), Told::exactly);
  EXPECT_THROW(judge(parse_gate("bytes_sent>1000"), r), UsageError);
  EXPECT_THROW(judge(parse_gate("bytes_sent<1000"), r), UsageError);
  EXPECT_FALSE(judge(parse_gate("time>1s"), r).failed());
  EXPECT_NE(view_text(r, r.metrics.at("bytes_sent"), ViewBy::callpath, {100, false}, {}).find(": unknown\n"),
            std::string::npos);
}

/// Adds a quarter of 2^64 on each of four locations: all together are 0 in 64 bits.
class Huge : public Pattern {
 public:
  PatternInfo info() const override {
    PatternInfo info;
    MetricSpec metric;
    metric.id = "huge";
    metric.unit = Unit::occurrences;
    info.metrics = {metric};
    return info;
  }
  void wrapup(Context& context) override {
    for (std::uint32_t l = 0; l < 4; ++l)
      context.add({CallPathId{0u}, LocationId{l}}, std::int64_t{1} << 62, first_metric);
  }
};

TEST(DamagedTimes, what_a_plug_in_adds_beyond_64_bits_is_unknown) {
  AnalysisOptions options;
  options.patterns = {make_pattern<Huge>()};
  const AnalysisResult r = analyze(otf2::test::recorded("p2p"), options);
  EXPECT_EQ(Completeness(r).told(r.metrics.at("huge"), 0), Told::unknown);
  EXPECT_THROW(judge(parse_gate("huge>5"), r), UsageError);
  EXPECT_THROW(judge(parse_gate("huge<5"), r), UsageError);
  EXPECT_FALSE(judge(parse_gate("mpi_latesender>90%"), r).failed()) << "nothing else is unknown";
}

}  // namespace
}  // namespace waitstate::test
