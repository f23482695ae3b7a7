// Two results side by side: changes, values that exist on one side only, and differences that do not count as changes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/compare/diff.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "waitstate/error.hpp"

namespace waitstate::test {
namespace {

using report::Difference;
using report::difference;

/// The wait grew by 1 ms, and a new call path of 0.000500 s came in.
AnalysisResult slower() {
  AnalysisResult r = small_result();
  r.path = "slow/traces.otf2";
  Region region;
  region.name = "extra";
  r.definitions.regions.push_back(region);
  const CallPathId extra = r.call_tree.find_or_add({CallPathId{0}, RegionId{3}, StringId::none()});
  r.severities.add(r.metrics.find("mpi_point2point"), CallPathId{2}, LocationId{1}, 1000);
  r.severities.add(r.metrics.find("mpi_latesender"), CallPathId{2}, LocationId{1}, 1000);
  r.severities.add(r.metrics.find("mpi_latereceiver"), extra, LocationId{0}, 500);
  return r;
}

TEST(Diff, text) {
  const AnalysisResult before = small_result(), after = slower();
  EXPECT_EQ(diff_text(difference(before, after, {}), {}, 10, {}),
            R"(A  run/traces.otf2 (2 processes, 8.500 ms in all locations together)
B  slow/traces.otf2 (2 processes, 9.500 ms in all locations together)

metric                    A          B     change
mpi_latesender     2.000 ms   3.000 ms  +1.000 ms    +50.0 %
mpi_point2point    2.500 ms   3.500 ms  +1.000 ms    +40.0 %
time               8.500 ms   9.500 ms  +1.000 ms    +11.8 %
mpi_latereceiver        0 s   500.0 µs  +500.0 µs        new

   change             metric            call path
+1.000 ms    +40.0 %  mpi_point2point   main/work<int, "x">/MPI_Recv
+1.000 ms    +50.0 %  mpi_latesender    main/work<int, "x">/MPI_Recv
+500.0 µs  only in B  mpi_latereceiver  main/extra
)");
}

TEST(Diff, the_same_is_said_to_be) {
  const AnalysisResult a = small_result(), b = small_result();
  EXPECT_NE(diff_text(difference(a, b, {}), {}, 10, {}).find("\nThe two are the same in all metrics and call paths.\n"),
            std::string::npos);
  EXPECT_NE(diff_text(difference(a, b, {"bytes"}), {}, 10, {}).find("\nbytes is the same in both.\n"),
            std::string::npos);
}

/// A trace and its own reports, in which bytes that are not text, and in .cubex control characters, have been replaced.
TEST(Diff, names_that_are_no_text_are_what_reports_make_of_them) {
  AnalysisResult trace = small_result(), json = small_result(), cube = small_result();
  trace.definitions.regions[1].name = "m\xe4\xdf\t(\x01)";
  json.definitions.regions[1].name = "m\xef\xbf\xbd\t(\x01)";
  cube.definitions.regions[1].name = "m\xef\xbf\xbd\xef\xbf\xbd (\xef\xbf\xbd)";
  for (const AnalysisResult* report : {&json, &cube}) {
    EXPECT_TRUE(difference(trace, *report, {}).callpaths.empty());
    EXPECT_TRUE(difference(*report, trace, {}).callpaths.empty());
  }
  json.definitions.regions[1].name = "m";
  EXPECT_FALSE(difference(trace, json, {}).callpaths.empty());
}

TEST(Diff, top_limits_and_counts) {
  const AnalysisResult a = small_result(), b = slower();
  const std::string text = diff_text(difference(a, b, {}), {}, 1, {});
  EXPECT_NE(text.find("\nand 3 more metrics that changed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nand 2 more changes in call paths\n"), std::string::npos) << text;
}

TEST(Diff, metric_of_one_side_only) {
  const AnalysisResult a = small_result();
  AnalysisResult b;
  b.path = "b";
  b.definitions = a.definitions;
  b.metrics.add("time", "", Unit::seconds, false, "", "");
  b.severities = Severities(1);
  const std::string text = diff_text(difference(a, b, {"mpi_latesender"}), {}, 10, {});
  EXPECT_NE(text.find("mpi_latesender      2.000 ms  not analysed             only in A\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("0.000000"), std::string::npos) << text;
  EXPECT_EQ(text.find("MPI_Recv"), std::string::npos) << "what is on one side only is no change of a call path";
  EXPECT_NE(diff_text(difference(b, a, {}), {}, 10, {}).find("\nOnly in B, zero there: mpi_latereceiver, visits.\n"),
            std::string::npos)
      << diff_text(difference(b, a, {}), {}, 10, {});
  std::ostringstream csv, json;
  diff_csv(difference(a, b, {"mpi_latesender"}), csv);
  EXPECT_EQ(csv.str(), "metric,callpath,before,after,change,relative\nmpi_latesender,,0.002,,,\n");
  diff_json(difference(a, b, {"mpi_latesender"}), {}, json);
  const auto metric = nlohmann::json::parse(json.str())["metrics"][0];
  EXPECT_TRUE(metric["after"].is_null() && metric["change"].is_null() && metric["relative"].is_null());
  EXPECT_EQ(metric["after_told"], "not analysed");
}

TEST(Diff, what_one_side_cannot_tell_is_no_zero) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.events_by_type[static_cast<std::size_t>(EventType::isend)] = 2;
  b.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"});
  b = judged(std::move(b));
  EXPECT_EQ(diff_text(difference(a, b, {"mpi_latesender", "mpi_latereceiver"}), {}, 10, {}),
            R"(A  run/traces.otf2 (2 processes, 8.500 ms in all locations together)
B  run/traces.otf2 (2 processes, 8.500 ms in all locations together)

metric                            A                  B     change
mpi_latesender             2.000 ms  at least 2.000 ms    unknown
mpi_latereceiver                0 s            unknown    unknown

Unknown in B
  mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was
  late
  mpi_latereceiver: 2 of 2 non-blocking sends without a completion in the trace: it is not known how
  long they waited
)");
  EXPECT_NE(diff_text(difference(b, b, {"mpi_latereceiver"}), {}, 10, {})
                .find("\nmpi_latereceiver is unknown in both.\n\nUnknown in A and B\n"),
            std::string::npos);
  EXPECT_NE(diff_text(difference(b, b, {}), {}, 10, {})
                .find("\nThe two are the same in all metrics and call paths, as far as that is known.\n"),
            std::string::npos);
  std::ostringstream out;
  diff_json(difference(a, b, {}), {}, out);
  for (const auto& metric : nlohmann::json::parse(out.str())["metrics"])
    if (metric["metric"] == "mpi_latereceiver") {
      EXPECT_EQ(metric["before"], 0);
      EXPECT_TRUE(metric["after"].is_null() && metric["change"].is_null());
      EXPECT_EQ(metric["after_told"], "unknown");
    }
}

TEST(Diff, another_size_is_said) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.definitions.processes.push_back(b.definitions.processes.back());
  EXPECT_EQ(difference(a, b, {}).not_comparable(),
            "A has 2 processes, B has 3 processes: sums over all of them are not directly comparable");
  b = small_result();
  b.definitions.locations.push_back(b.definitions.locations.back());
  EXPECT_EQ(difference(a, b, {}).not_comparable(),
            "A has 2 locations, B has 3 locations: sums over all of them are not directly comparable");
}

TEST(Diff, another_part_of_the_run_is_said) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.focus.region = "solve";
  b.focus.from = 1000 + 2000;
  EXPECT_EQ(
      difference(a, b, {}).not_comparable(),
      "A is about the whole run, B about only what happens inside solve, from 0.002000000 s on: they are not about the "
      "same part of a run");
  const std::string text = diff_text(difference(a, b, {}), {}, 10, {200});
  EXPECT_NE(
      text.find("\nB  run/traces.otf2 (2 processes, 8.500 ms in all locations together): only what happens inside "
                "solve, from 0.002000000 s on\nNot directly comparable\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(difference(b, b, {}).not_comparable(), "");
  std::ostringstream out;
  diff_json(difference(a, b, {}), {}, out);
  EXPECT_EQ(nlohmann::json::parse(out.str())["after"]["focus"],
            "only what happens inside solve, from 0.002000000 s on");
}

TEST(Diff, rounding_between_clocks_is_no_change) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.definitions.clock.resolution = 1'000'001;  // each value is off by a few nanoseconds
  EXPECT_NE(diff_text(difference(a, b, {}), {}, 10, {}).find("The two are the same"), std::string::npos);
  b.definitions.clock.resolution = 1'000'000;
  b.severities.add(0, CallPathId{0}, LocationId{0}, 1);  // one tick of the same clock
  EXPECT_EQ(diff_text(difference(a, b, {}), {}, 10, {}).find("The two are the same"), std::string::npos);
}

TEST(Diff, unknown_metric) {
  const AnalysisResult a = small_result();
  try {
    difference(a, a, {"visit"});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "neither report has a metric 'visit': did you mean 'visits'?");
  }
  try {
    difference(a, a, {"mpi_barrier_wait"});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(),
                 "neither report says anything about 'mpi_barrier_wait': it was not analysed; for that, give the trace "
                 "with --pattern mpi_barrier_wait");
  }
}

TEST(Diff, csv) {
  const AnalysisResult a = small_result(), b = slower();
  std::ostringstream out;
  diff_csv(difference(a, b, {"mpi_latesender", "mpi_latereceiver"}), out);
  EXPECT_EQ(out.str(), R"(metric,callpath,before,after,change,relative
mpi_latesender,,0.002,0.003,0.001,0.5
mpi_latereceiver,,0,0.0005,0.0005,
mpi_latesender,"main/work<int, ""x"">/MPI_Recv",0.002,0.003,0.001,0.5
mpi_latereceiver,main/extra,,0.0005,0.0005,
)");
}

TEST(Diff, json) {
  const AnalysisResult a = small_result(), b = slower();
  std::ostringstream out;
  diff_json(difference(a, b, {"mpi_latereceiver"}), {{"time>1s", "9.500 ms", report::Verdict::Outcome::passed}}, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["format"], "waitstate diff");
  EXPECT_EQ(json["before"]["path"], "run/traces.otf2");
  EXPECT_EQ(json["comparable"], true);
  EXPECT_EQ(json["metrics"].size(), 1u);
  EXPECT_EQ(json["callpaths"][0]["callpath"], "main/extra");
  EXPECT_TRUE(json["callpaths"][0]["before"].is_null());
  EXPECT_EQ(json["callpaths"][0]["after"], 0.0005);
  EXPECT_EQ(json["gates"][0]["gate"], "time>1s");
  EXPECT_EQ(json["gates"][0]["verdict"], "passed");
}

}  // namespace
}  // namespace waitstate::test
