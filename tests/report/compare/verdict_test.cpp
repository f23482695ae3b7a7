// Verdicts: the outcome of each gate, whether it can be judged or not, as text, JSON and JUnit XML.
#include "report/compare/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/compare/judge.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

using report::judge_all;
using report::parse_gate;
using report::Verdict;
using enum Verdict::Outcome;

std::vector<Verdict> verdicts(std::initializer_list<const char*> gates) {
  std::vector<report::Gate> parsed;
  for (const char* gate : gates) parsed.push_back(parse_gate(gate));
  return judge_all(parsed, small_result());
}

nlohmann::json json_of(const std::vector<Verdict>& all) {
  std::ostringstream out;
  report::write_verdicts_json({"a/traces.otf2"}, all, out);
  return nlohmann::json::parse(out.str());
}

std::string junit_of(const std::vector<std::string>& runs, const std::vector<Verdict>& all) {
  std::ostringstream out;
  report::write_verdicts_junit(runs, all, out);
  return out.str();
}

TEST(Verdicts, as_a_table) {
  EXPECT_EQ(report::verdicts_text({}), "");
  EXPECT_EQ(report::verdicts_text({{"a>1", "0", passed}, {"longer>5%", "7.25 %", failed}}),
            R"(gate        value  verdict
a>1             0  ok
longer>5%  7.25 %  fails
1 of 2 gates fails.
)");
  EXPECT_EQ(report::verdicts_text({{"a>1", "0", passed}}), "gate  value  verdict\na>1       0  ok\nNo gate fails.\n");
  EXPECT_EQ(report::verdicts_text({{"a>1", "0", passed}, {"b>1", "", undecided}}),
            "gate  value  verdict\na>1       0  ok\nb>1       -  undecided\nNo gate fails; 1 of 2 gates cannot be "
            "judged.\n");
  EXPECT_EQ(report::verdicts_text({{"a>1", "2", failed}, {"b>1", "", undecided}}),
            "gate  value  verdict\na>1       2  fails\nb>1       -  undecided\n1 of 2 gates fails; 1 cannot be "
            "judged.\n");
}

TEST(Verdicts, an_undecided_gate_leaves_the_others_alone) {
  const std::vector<Verdict> all = verdicts({"xyzzy>5%", "mpi_latesender>5%", "mpi_latesender>50%"});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].outcome, undecided);
  EXPECT_EQ(all[0].reason(), "gate 'xyzzy>5%': no metric has the id 'xyzzy'");
  EXPECT_EQ(all[1].outcome, failed);
  EXPECT_EQ(all[1].reason(), "gate 'mpi_latesender>5%' fails: 23.53 %");
  EXPECT_EQ(all[2].outcome, passed);
  EXPECT_EQ(all[2].reason(), "");
}

// mpi_latesender is 2 ms of 8.5 ms, and bytes are 2,048.
TEST(Verdicts, as_json) {
  const auto json = json_of(verdicts({"mpi_latesender>5%", "mpi_latesender@whole<=1ms", "bytes>=2KiB and time>1s"}));
  EXPECT_EQ(json["format"], "waitstate verdicts");
  EXPECT_EQ(json["runs"], nlohmann::json({"a/traces.otf2"}));
  EXPECT_EQ(json["verdict"], "failed");
  const auto& gates = json["gates"];
  EXPECT_EQ(gates[0]["gate"], "mpi_latesender>5%");
  EXPECT_EQ(gates[0]["verdict"], "failed");
  EXPECT_EQ(gates[0]["value"], "23.53 %");
  EXPECT_EQ(gates[0]["reason"], "gate 'mpi_latesender>5%' fails: 23.53 %");
  const auto& share = gates[0]["conditions"][0];
  EXPECT_EQ(share["metric"], "mpi_latesender");
  EXPECT_EQ(share["comparison"], ">");
  EXPECT_DOUBLE_EQ(share["limit"].get<double>(), 0.05);
  EXPECT_DOUBLE_EQ(share["value"].get<double>(), 0.002 / 0.0085);
  EXPECT_EQ(share["unit"], "ratio");
  EXPECT_EQ(share["growth"], "none");
  EXPECT_EQ(share["base"], "without_init_exit");
  EXPECT_EQ(share["at_least"], false);
  const auto& time = gates[1]["conditions"][0];
  EXPECT_EQ(gates[1]["verdict"], "passed");
  EXPECT_EQ(gates[1]["reason"], "");
  EXPECT_EQ(time["comparison"], "<=");
  EXPECT_DOUBLE_EQ(time["limit"].get<double>(), 0.001);
  EXPECT_DOUBLE_EQ(time["value"].get<double>(), 0.002);
  EXPECT_EQ(time["unit"], "sec");
  EXPECT_EQ(time["base"], "whole");
  EXPECT_EQ(gates[2]["gate"], "bytes>=2KiB and time>1s");
  ASSERT_EQ(gates[2]["conditions"].size(), 2u);
  EXPECT_EQ(gates[2]["verdict"], "passed");
  EXPECT_EQ(gates[2]["conditions"][0]["value"], 2048);
  EXPECT_EQ(gates[2]["conditions"][0]["unit"], "bytes");
  EXPECT_EQ(gates[2]["conditions"][1]["value"], 0.0085);
}

TEST(Verdicts, undecided_ones_have_no_value_and_win) {
  const auto json = json_of(verdicts({"mpi_latesender>5%", "mpi_barrier_wait>5%"}));
  EXPECT_EQ(json["verdict"], "undecided");
  const auto& gate = json["gates"][1];
  EXPECT_EQ(gate["verdict"], "undecided");
  EXPECT_TRUE(gate["conditions"][0]["value"].is_null());
  EXPECT_EQ(gate["conditions"][0]["limit"], 0.05);
  EXPECT_NE(gate["reason"].get<std::string>().find("--pattern mpi_barrier_wait"), std::string::npos) << gate;
}

TEST(Verdicts, growth_is_relative_or_absolute) {
  const AnalysisResult before = small_result();
  AnalysisResult after = small_result();
  after.severities.add(after.metrics.find("mpi_latesender"), CallPathId{2}, LocationId{1}, 200);  // 10 % more
  const auto gates =
      json_of(judge_all({parse_gate("mpi_latesender>+5%"), parse_gate("mpi_latesender>+1ms")}, before, after))["gates"];
  const auto &relative = gates[0]["conditions"][0], &absolute = gates[1]["conditions"][0];
  EXPECT_EQ(relative["growth"], "relative");
  EXPECT_EQ(relative["unit"], "ratio");
  EXPECT_NEAR(relative["value"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(absolute["growth"], "absolute");
  EXPECT_EQ(absolute["unit"], "sec");
  EXPECT_NEAR(absolute["value"].get<double>(), 0.0002, 1e-12);
}

TEST(Verdicts, as_junit) {
  EXPECT_EQ(junit_of({"a.otf2", "b.otf2"},
                     {{"a>1", "0", passed},
                      {"b<2%", "1 %", failed},
                      {.gate = "c>1", .value = "", .outcome = undecided, .why_undecided = "c is \"unknown\" & <odd>"}}),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="waitstate" tests="3" failures="1" errors="1" time="0">
  <testsuite name="a.otf2 to b.otf2" tests="3" failures="1" errors="1" skipped="0" time="0">
    <testcase name="a&gt;1" classname="waitstate" time="0"/>
    <testcase name="b&lt;2%" classname="waitstate" time="0">
      <failure message="gate &#39;b&lt;2%&#39; fails: 1 %" type="failed">gate &#39;b&lt;2%&#39; fails: 1 %</failure>
    </testcase>
    <testcase name="c&gt;1" classname="waitstate" time="0">
      <error message="c is &quot;unknown&quot; &amp; &lt;odd&gt;" type="undecided">c is &quot;unknown&quot; &amp; &lt;odd&gt;</error>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(Verdicts, junit_has_no_character_that_xml_forbids) {
  const std::string text = junit_of({"a\x01"
                                     "b\xff"},
                                    {{"x\x1b[0m>\xef\xbf\xbf"
                                      "1",
                                      "", passed}});
  EXPECT_NE(text.find("name=\"a?b?\""), std::string::npos) << text;
  EXPECT_EQ(text.find_first_of("\x01\x1b\xff"), std::string::npos) << text;
  EXPECT_EQ(text.find("\xef\xbf\xbf"), std::string::npos) << text;
}

}  // namespace
}  // namespace waitstate::test
