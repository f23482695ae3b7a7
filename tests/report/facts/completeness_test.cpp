// Statements about how complete a report is: about values, the whole, the trace; and no report may claim what another
// one, or another line of it, denies.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "report/compare/diff.hpp"
#include "report/compare/judge.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/efficiency.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/info_text.hpp"
#include "report/text/tables/views.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/words/completeness.hpp"
#include "report/words/efficiency.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate::test {
namespace {

using namespace report;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The result without rank 1 from 0.003500000 s on.
AnalysisResult cut_off() {
  AnalysisResult result = small_result();
  result.diagnostics.add(DiagnosticId::location_truncated, {LocationId{1}, 1000 + 3500, "1.evt: ends early"});
  return judged(std::move(result));
}

/// A result with an undetermined wait state, without any damage.
AnalysisResult open_question() {
  AnalysisResult result = small_result();
  result.undetermined.push_back({result.metrics.at("mpi_latereceiver"), "there is no record of it"});
  return result;
}

TEST(Completeness, of_values) {
  const AnalysisResult result = cut_off();
  const Completeness c(result);
  const MetricIndex late = result.metrics.at("mpi_latesender");
  EXPECT_EQ(c.told(late, 5), Told::at_least);
  EXPECT_EQ(c.told(late, 0), Told::unknown);
  EXPECT_EQ(c.told(no_metric, 5), Told::not_analysed);
  EXPECT_EQ(told_text(c, late, 5, "5 s"), "at least 5 s");
  EXPECT_EQ(told_text(c, late, 0, "0 s"), "unknown");
  EXPECT_EQ(c.why(late), "1 of 2 locations could not be read, or not to the end: it is not known what happened there");
  const AnalysisResult open = open_question();
  EXPECT_EQ(Completeness(open).told(open.metrics.at("mpi_latesender"), 0), Told::exactly);
  EXPECT_EQ(told_text(Completeness(open), open.metrics.at("mpi_latesender"), 0, "0 s"), "0 s");
  EXPECT_EQ(Completeness(open).why(open.metrics.at("mpi_latesender")), "");
}

TEST(Completeness, of_missing_locations) {
  const AnalysisResult whole = small_result();
  EXPECT_EQ(missing_text(Completeness(whole)), "");
  EXPECT_EQ(missing_sentence(Completeness(whole)), "");
  AnalysisResult result = cut_off();
  EXPECT_EQ(missing_text(Completeness(result)), "rank 1 from 0.003500000 s on");
  result.diagnostics.add(DiagnosticId::location_unreadable, {LocationId{0}, ~Time{0}, "0.evt: no such file"});
  EXPECT_EQ(missing_sentence(Completeness(result)),
            "Missing: the events of rank 0, rank 1 from 0.003500000 s on; the location named for a wait is the last of "
            "those whose events are in the trace.");
  result.diagnostics.add(DiagnosticId::location_unreadable, {LocationId{}, ~Time{0}, "9.evt"}, 0, 3);
  EXPECT_EQ(missing_text(Completeness(result)), "rank 0, rank 1 from 0.003500000 s on, and 3 more");
  EXPECT_EQ(Completeness(result).missing_count(), 5u);
}

TEST(Completeness, of_the_part_that_a_report_is_about) {
  AnalysisResult result = small_result();
  EXPECT_EQ(where(Completeness(result)), "in all locations together");
  EXPECT_TRUE(limits(Completeness(result)).empty());
  result.focus.locations = {LocationId{1}};
  EXPECT_EQ(where(Completeness(result)), "on rank 1");
  EXPECT_EQ(focus_sentence(Completeness(result)), "This is only about what happens on rank 1.");
  result.focus.locations = {LocationId{0}, LocationId{1}};
  result.focus.region = "solve";
  result.patterns = {{"mpi_latesender", {}}};
  EXPECT_EQ(where(Completeness(result)), "in 2 of 2 locations together");
  EXPECT_EQ(limits(Completeness(result)),
            (std::vector<std::string>{"This is only about what happens inside solve, on 2 of 2 locations.",
                                      "Only mpi_latesender was looked for."}));
  EXPECT_EQ(limits(Completeness(result), false).size(), 1u);
}

TEST(Completeness, nothing_is_missing_only_where_nothing_is) {
  const auto clean = [](const AnalysisResult& r) { return nothing_damaged(Completeness(r)); };
  const auto no_loss = [](const AnalysisResult& r) { return nothing_lost(Completeness(r)); };
  AnalysisResult result = small_result();
  EXPECT_EQ(clean(result), "Nothing is missing from this trace, and it has no anomalies.");
  EXPECT_EQ(no_loss(result), "Nothing is missing from the results.");
  const AnalysisResult open = open_question();
  EXPECT_EQ(clean(open), "This trace is not damaged and has no anomalies: what is unknown was never recorded.");
  EXPECT_EQ(no_loss(open), "No record is lost: what is unknown was never recorded.");
  result.patterns = {{"mpi_latesender", {}}};  // the others may lack something
  EXPECT_EQ(clean(result), "Nothing that was looked for is missing from this trace, and it has no anomalies.");
  EXPECT_EQ(no_loss(result), "Nothing that was looked for is missing from the results.");
  AnalysisResult unseen = small_result();
  unseen.definitions.strings.emplace_back("opened");
  unseen.definitions.processes.at(0).properties.push_back(
      {"WAITSTATE::SESSIONS", {ValueType::string, unseen.definitions.strings.size() - 1}});
  EXPECT_EQ(clean(unseen),
            "This trace is not damaged and has no anomalies, but its recorder could not see all calls (see \"not "
            "recorded\").");
  EXPECT_EQ(no_loss(unseen), "No record is lost, but the recorder could not see all calls (see \"not recorded\").");
  for (const char* const name : {"WAITSTATE::UNPAIRED_MESSAGES", "WAITSTATE::UNCERTAIN_COMMUNICATORS"}) {
    AnalysisResult unsure = small_result();
    unsure.definitions.recorder.properties.emplace_back(name, "2");
    EXPECT_EQ(clean(unsure),
              "This trace is not damaged and has no anomalies, but not everything in it could be paired for certain "
              "(see \"not recorded\").");
    EXPECT_EQ(no_loss(unsure),
              "No record is lost, but not everything could be paired for certain (see \"not recorded\").");
  }
  AnalysisResult foreign = small_result();
  foreign.events_by_type = {};
  foreign.locations.clear();
  EXPECT_EQ(clean(foreign), "This report does not say whether anything was missing from its trace.");
  EXPECT_EQ(no_loss(foreign), clean(foreign));
  foreign.diagnostics.add(DiagnosticId::metric_left_out, {LocationId{}, ~Time{0}, "a metric"});
  EXPECT_TRUE(has(analysis_text(foreign, {}),
                  "\nThis report does not say whether anything was missing from its "
                  "trace.\nAnomalies: 1 metric of a report left out"))
      << analysis_text(foreign, {});
}

// In short and in full, by the command that analyses and by the one that only looks.
TEST(Completeness, no_text_has_both_an_open_question_and_nothing_missing) {
  AnalysisResult odd = open_question();
  odd.diagnostics.add(DiagnosticId::request_never_completed, {LocationId{1}, 2500, ""});
  AnalysisResult part = open_question();
  part.focus.region = "main";
  AnalysisResult few = open_question();
  few.patterns = {{"mpi_latesender", {}}};
  for (const AnalysisResult& result : {open_question(), odd, part, few, cut_off()})
    for (const bool full : {false, true}) {
      const std::string text = analysis_text(result, {}, {full}), info = info_text(result, {});
      EXPECT_TRUE(has(text, "Unknown in this trace")) << text;
      EXPECT_FALSE(has(text, "Nothing is missing")) << text;
      EXPECT_TRUE(has(info, "Unknown in this trace")) << info;
      EXPECT_FALSE(has(info, "Nothing is missing")) << info;
    }
}

TEST(Completeness, what_no_pattern_looked_at_is_no_question_to_the_trace) {
  AnalysisResult result = small_result();
  const MetricIndex barrier = result.metrics.add("mpi_sync_collective", "time", Unit::seconds, false, "", "");
  result.severities = Severities(result.metrics.size());
  result.severities.add(barrier, CallPathId{0}, LocationId{0}, 500);
  result.patterns = {{"mpi_latesender", {}}};
  const std::string text = analysis_text(result, {});
  EXPECT_TRUE(has(text,
                  "\nNot looked at\n  mpi_sync_collective: 100.0 % of the total time, in which no pattern looked "
                  "for waiting\n\nNothing that was looked for is missing from this trace"))
      << text;
  EXPECT_FALSE(has(text, "Cannot be told")) << text;
}

TEST(Completeness, counts_are_of_the_whole_trace_where_the_report_is_not) {
  AnalysisResult result = cut_off();
  result.diagnostics.add(DiagnosticId::time_backwards, {LocationId{0}, 1600, ""}, 3);
  EXPECT_TRUE(has(trace_warnings_text(result, {}), "Missing from the results\n"));
  EXPECT_TRUE(has(trace_warnings_text(result, {}), "\nAnomalies\n"));
  result.focus.region = "main";
  for (const bool full : {false, true}) {
    const std::string text = analysis_text(result, {}, {full});
    EXPECT_TRUE(has(text, "\nUnknown in this trace (counts are of the whole trace)\n")) << text;
    EXPECT_TRUE(has(text, full ? "\nMissing from the whole trace\n" : "\nMissing from the whole trace: 1 ")) << text;
    EXPECT_TRUE(has(text, full ? "\nAnomalies of the whole trace\n" : "\nAnomalies of the whole trace: 1 ")) << text;
  }
}

// JSON, text, comparison, gate, graph and view agree.
TEST(Completeness, all_reports_name_the_missing_location_and_the_lower_bound) {
  const AnalysisResult result = cut_off();
  const std::string missing = "rank 1 from 0.003500000 s on";
  for (const bool full : {false, true}) {
    const std::string text = analysis_text(result, {}, {full});
    EXPECT_TRUE(has(text, "\nmissing        the events of " + missing + "; the location")) << text;
    EXPECT_TRUE(has(text, "\ntotal time     at least 8.500 ms in all locations together, in a run of ")) << text;
    EXPECT_TRUE(has(text, "1. Late Sender (mpi_latesender): at least 2.000 ms")) << text;
    EXPECT_TRUE(has(text, " for rank 0 (as far as")) << text;
    EXPECT_FALSE(has(analysis_text(small_result(), {}, {full}), "as far as the trace"));
  }
  std::ostringstream out;
  waitstate::write_json(result, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["missing_locations"], nlohmann::json::parse(R"([{"location": 1, "from": 4500}])"));
  for (const auto& metric : json["metrics"])
    EXPECT_EQ(metric["told"], metric["total"] == 0 ? "unknown" : "at least") << metric["id"];

  const AnalysisResult whole = small_result();
  const std::string diff = diff_text(difference(whole, result, {}), {}, 10, {200});
  EXPECT_TRUE(has(diff,
                  "\nB  run/traces.otf2 (2 processes, at least 8.500 ms in all locations together); missing are the "
                  "events of " +
                      missing + '\n'))
      << diff;
  std::ostringstream diff_out;
  diff_json(difference(whole, result, {}), {}, diff_out);
  EXPECT_EQ(nlohmann::json::parse(diff_out.str())["after"]["missing"], missing);
  EXPECT_EQ(nlohmann::json::parse(diff_out.str())["before"]["missing"], "");

  const WaitGraph graph(result, {}, WaitGraph::Level::process);
  EXPECT_TRUE(has(wait_graph_text(result, graph, {}, {}),
                  "who waits for whom\n  at least 2.000 ms in 1 wait: "
                  "mpi_latesender\n  Missing: the events of " +
                      missing + "; the location"))
      << wait_graph_text(result, graph, {}, {});
  EXPECT_TRUE(has(view_text(result, result.metrics.at("mpi_latesender"), ViewBy::callpath, {}, {}),
                  "\nMissing: the events of " + missing + "; the location"));
  EXPECT_TRUE(has(table_note(result), "time, bytes, visits: 1 of 2 locations could not be read"));
  EXPECT_EQ(table_note(whole), "");
}

TEST(Completeness, a_table_lacks_only_what_is_in_it) {
  const AnalysisResult open = open_question();
  EXPECT_EQ(table_note(open), "  mpi_latereceiver: there is no record of it");
  EXPECT_EQ(table_note(open, {open.metrics.at("mpi_latereceiver")}), table_note(open));
  EXPECT_EQ(table_note(open, {open.metrics.at("mpi_latesender")}), "");
}

TEST(Completeness, no_share_is_judged_where_events_of_locations_are_missing) {
  const AnalysisResult result = cut_off();
  EXPECT_TRUE(judge(parse_gate("mpi_latesender>1ms"), result).failed()) << "so long it is at least";
  for (const char* gate : {"mpi_latesender>1%", "mpi_latesender>99%", "mpi_latesender@whole<99%"}) try {
      judge(parse_gate(gate), result);
      FAIL() << gate;
    } catch (const UsageError& e) {
      EXPECT_TRUE(has(e.what(), "cannot be judged on run/traces.otf2: 1 of 2 locations could not be read")) << e.what();
    }
}

TEST(Completeness, a_change_of_what_is_not_all_told_is_marked) {
  const AnalysisResult before = small_result();
  AnalysisResult after = cut_off();
  after.severities.add(after.metrics.at("mpi_latesender"), CallPathId{2}, LocationId{1}, 1000);
  const Difference d = difference(before, after, {});
  EXPECT_TRUE(has(diff_text(d, {}, 10, {}),
                  "+1.000 ms    +50.0 %  mpi_latesender  main/work<int, \"x\">/MPI_Recv\n"
                  "Only a part of these metrics is known: mpi_latesender.\n"))
      << diff_text(d, {}, 10, {});
  std::ostringstream out;
  diff_json(d, {}, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["callpaths"][0]["after_told"], "at least");
  EXPECT_EQ(json["callpaths"][0]["change"], 0.001);
}

/// 1000 ticks for each of four ranks, whose computation is 500, 600, 800 and 100; the last one ends early.
AnalysisResult four_ranks() {
  AnalysisResult result = small_result();
  const MetricIndex comp = result.metrics.add("comp", "time", Unit::seconds, false, "", "");
  while (result.definitions.locations.size() < 4) {
    result.definitions.locations.push_back(result.definitions.locations.back());
    result.definitions.locations.back().process = ProcessId{result.definitions.processes.size()};
    result.definitions.processes.push_back(result.definitions.processes.back());
    result.definitions.processes.back().rank += 1;
  }
  result.severities = Severities(result.metrics.size());
  const int computed[] = {500, 600, 800, 100};
  for (std::size_t l = 0; l < 4; ++l) {
    result.severities.add(comp, CallPathId{0}, LocationId{l}, computed[l]);
    result.severities.add(1, CallPathId{2}, LocationId{l}, 1000 - computed[l]);
  }
  return result;
}

TEST(Completeness, efficiency_is_of_locations_that_are_there_to_their_end) {
  AnalysisResult result = four_ranks();
  const auto text = [](const AnalysisResult& r) { return efficiency_text(r, efficiency(r, Totals(r))); };
  EXPECT_TRUE(has(text(result), "parallel 50.0 % ")) << text(result);
  result.diagnostics.add(DiagnosticId::location_truncated, {LocationId{3}, 3000, ""});
  EXPECT_TRUE(has(text(result), "parallel 63.3 % ")) << text(result);  // (500 + 600 + 800) / 3 of 1000
  EXPECT_TRUE(has(text(result), ", for the 3 processes whose events are complete")) << text(result);
  result.focus.locations = {LocationId{0}, LocationId{1}};
  EXPECT_FALSE(has(text(result), "complete")) << text(result) << ": both of them are";
  result.focus.locations = {LocationId{0}};
  EXPECT_EQ(text(result), "unknown: only one location was chosen");
  result.focus.locations = {LocationId{0}, LocationId{3}};
  EXPECT_EQ(text(result), "unknown: the events of rank 3 from 0.002000000 s on are missing");
  result.focus.locations.clear();
  for (std::size_t l = 0; l < 4; ++l)
    result.diagnostics.add(DiagnosticId::location_truncated, {LocationId{l}, 2000, ""}, 0, 2);
  EXPECT_EQ(text(result), "unknown: events of 9 locations are missing") << "which is not known";
}

}  // namespace
}  // namespace waitstate::test
