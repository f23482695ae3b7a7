// Every case file under tests/cases is a test of its own: its trace is analysed and compared with its tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "support/case_file.hpp"
#include "waitstate/error.hpp"

namespace waitstate {
namespace {

using support::CaseFile;

// `mpi_latesender/waitall_maximum` as a test name.
std::string test_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  const std::filesystem::path& path = info.param;
  std::string name = path.parent_path().filename().string() + "__" + path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Cases : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Cases, gives_exactly_its_tables) {
  const CaseFile expected = support::read_case(GetParam());
  const support::TraceFile trace(expected.trace);
  const AnalysisResult found = support::analyze_case(expected, trace.path());
  EXPECT_EQ(differences(expected, found), "") << expected.path.string();
}

TEST_P(Cases, names_only_metrics_and_diagnostics_that_exist) {
  const CaseFile expected = support::read_case(GetParam());
  const support::TraceFile trace(expected.trace);
  const MetricTree metrics = support::analyze_case(expected, trace.path()).metrics;  // counters are the trace's own
  for (const std::string& id : expected.metrics) EXPECT_NE(metrics.find(id), no_metric) << id;
  for (const std::string& row : expected.severities)
    EXPECT_NE(metrics.find(row.substr(0, row.find(','))), no_metric) << row;
  for (const std::string& row : expected.diagnostics) {
    bool known = false;
    for (int i = 0; i < diagnostic_count; ++i)
      known = known || name(static_cast<DiagnosticId>(i)) == row.substr(0, row.find(' '));
    EXPECT_TRUE(known) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(files, Cases, testing::ValuesIn(support::case_paths()), test_name);

// The comparison itself: a test that cannot fail proves nothing.
TEST(CaseFiles, every_difference_is_named) {
  EXPECT_EQ(support::differences({"a,main,0,1", "b,main,0,2"}, {"b,main,0,3", "a,main,0,1"}),
            "missing:    b,main,0,2\n"
            "unexpected: b,main,0,3\n");
  EXPECT_EQ(support::differences({"a,main,0,1"}, {"a,main,0,1", "a,main,0,1"}), "unexpected: a,main,0,1\n");
  EXPECT_EQ(support::differences(support::Rows{}, support::Rows{}), "");
}

TEST(CaseFiles, waits_instances_and_parameters_are_compared) {
  CaseFile c;
  c.metrics = {"slow_slaves"};
  c.parameters = {{"slow_slaves.master", "1"}};
  const support::TraceFile trace(
      "0 160 enter MPI_Send\n0 165 send dest=1 tag=1 com=0 len=8\n0 170 exit\n"
      "1 100 enter MPI_Recv\n1 175 recv src=0 tag=1 com=0 len=8\n1 180 exit\n");
  c.severities = {"slow_slaves,MPI_Recv,1,60"};
  c.waits = {"slow_slaves 0 1 1 60"};
  c.instances = {"slow_slaves 60 1 1 100 60"};
  const AnalysisResult found = support::analyze_case(c, trace.path());
  EXPECT_EQ(differences(c, found), "");
  c.waits = {"slow_slaves 0 1 0 0"};
  c.instances = {"slow_slaves 60 2 1 100 60"};
  EXPECT_EQ(differences(c, found),
            "unexpected: slow_slaves 0 1 1 60\n"
            "missing:    slow_slaves 60 2 1 100 60\n"
            "unexpected: slow_slaves 60 1 1 100 60\n");
  c.parameters = {{"slow_slaves.mister", "1"}};
  EXPECT_THROW(support::analyze_case(c, trace.path()), UsageError);
}

TEST(CaseFiles, shifting_moves_times_and_nothing_else) {
  EXPECT_EQ(
      support::shifted("# 1 2 3\nprocess name=\"7 8\"\n0 0 enter main\n10 10 send dest=10 tag=1 com=0 len=8\n", 5),
      "# 1 2 3\nprocess name=\"7 8\"\n0 5 enter main\n10 15 send dest=10 tag=1 com=0 len=8\n");
}

}  // namespace
}  // namespace waitstate
