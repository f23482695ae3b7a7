// Sentences of reports about culprits that themselves waited, calls that never ended, reports without single waits or
// without any wait states, and about the use of time. The texts are given in full.
#include "report/facts/waits/waiting.hpp"

#include <gtest/gtest.h>

#include "report/format/names.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/small_result.hpp"
#include "report/text/analysis_text.hpp"
#include "report/words/waits/problems.hpp"

namespace waitstate::test {
namespace {

using namespace report;

constexpr CallPathId main_path{0}, work_path{1}, recv_path{2};

/// small_result() with a third rank; rank 0, for which rank 1 waits, may have waited for it.
AnalysisResult with_third_rank() {
  AnalysisResult r = small_result();
  LocationGroup process = r.definitions.processes[1];
  process.rank = 2;
  process.locations = {LocationId{2}};
  r.definitions.processes.push_back(process);
  Location location = r.definitions.locations[1];
  location.process = ProcessId{2};
  r.definitions.locations.push_back(location);
  r.locations.push_back({2, 1000, 6000});
  return r;
}

SevereInstance& instance_of(AnalysisResult& r) {
  return r.waits.at(r.metrics.at("mpi_latesender")).severe.at(recv_path).front();
}

/// Between the culprit's name and the advice.
std::string said_of_rank_0(const AnalysisResult& r) {
  const Style wide{1000, false};
  const std::string text = analysis_text(r, wide, {});
  const std::string before = " in one call for rank 0";
  const auto begin = text.find(before);
  if (begin == std::string::npos) return text;
  return text.substr(begin + before.size(), text.find(".\n", begin) - begin - before.size());
}

WaitChain chain_to_rank_2() {
  WaitChain chain;
  chain.steps = {{LocationId{1}, recv_path, 2000, 2000, Crossing::late_sender, LocationId{0}, 1},
                 {LocationId{0}, recv_path, 1900, 1900, Crossing::late_sender, LocationId{2}, 0.9}};
  chain.root = work_path, chain.root_ticks = 1700, chain.root_share = 0.9;
  chain.causes = {{LocationId{2}, work_path, 1700, 0.9}};
  return chain;
}

TEST(Culprits, are_not_the_cause_if_a_chain_leads_on) {
  AnalysisResult r = with_third_rank();
  SevereInstance& i = instance_of(r);
  i.chain = chain_to_rank_2();
  const std::string where = callpath_label(r, work_path) + " at p2p.c:3";
  EXPECT_EQ(said_of_rank_0(r), ", itself waiting for rank 2, which was in " + where +
                                   " (90.0 % of the delay). So rank 0 is not the cause: look first at "
                                   "what rank 2 does in " +
                                   where);
  i.chain->end = WaitChain::End::missing_record;
  EXPECT_NE(said_of_rank_0(r).find("the trace lacks the other half of a message, so the chain ends there"),
            std::string::npos);
  i.chain->end = WaitChain::End::missing_member;
  EXPECT_NE(said_of_rank_0(r).find("the trace lacks a member of the operation, so the chain ends there"),
            std::string::npos);
  for (const auto& [end, words] :
       {std::pair{WaitChain::End::missing_start,
                  ": the trace lacks the start of an operation that completes in it, so the chain ends there"},
        {WaitChain::End::missing_part,
         ": the trace lacks a part of the epoch, or the previous owner of the lock, so the chain ends there"},
        {WaitChain::End::no_record, ": the trace has no record of what it waited for, so the chain ends there"},
        {WaitChain::End::not_followed, ": waits there are followed only with --set critical_path.all_waits=1"}}) {
    i.chain->end = end;
    EXPECT_NE(said_of_rank_0(r).find(words), std::string::npos) << words;
  }
  i.chain->end = WaitChain::End::work, i.chain->waited_share = 0.105;  // the report mentions both
  EXPECT_NE(said_of_rank_0(r).find(" (90.0 % of the delay) and itself waited for 10.5 % of it"), std::string::npos);
  EXPECT_NE(analysis_text(r, {1000, false}, {})
                .find(". But rank 2 is not the only cause: it itself waited for 10.5 % of "
                      "the delay."),
            std::string::npos);
  i.chain->end = WaitChain::End::missing_member;
  i.chain->steps.pop_back();  // no cause is named if the culprit waited most of the time
  i.culprit_wait = {true, 1640, 1640, LocationId{2}, work_path};
  EXPECT_NE(said_of_rank_0(r).find(", which itself waited for rank 2"), std::string::npos);
}

// Each part above a tenth is named, and no process that has one is acquitted.
TEST(Culprits, share_the_guilt_with_those_that_the_chain_leads_to) {
  AnalysisResult r = with_third_rank();
  SevereInstance& i = instance_of(r);
  i.chain = chain_to_rank_2();
  i.chain->steps[1].share = i.chain->root_share = 0.51;
  i.chain->causes = {{LocationId{2}, work_path, 1000, 0.51}, {LocationId{0}, CallPathId{0}, 900, 0.49}};
  const std::string where = callpath_label(r, work_path) + " at p2p.c:3";
  EXPECT_EQ(said_of_rank_0(r),
            ", itself waiting for rank 2, which was in " + where +
                " (51.0 % of the delay); rank 0 was in main at p2p.c:3 (49.0 %). So rank 0 is not the only "
                "cause: look first at what rank 2 does in " +
                where + ", then at what rank 0 does in main at p2p.c:3");
}

TEST(Culprits, are_where_they_were_if_they_did_not_wait) {
  AnalysisResult r = with_third_rank();
  EXPECT_EQ(said_of_rank_0(r), ", which was in main at p2p.c:3");
  SevereInstance& i = instance_of(r);
  i.culprit_wait = {true, 0, 0, {}, {}};
  EXPECT_EQ(said_of_rank_0(r), ", which was in main at p2p.c:3");
  i.culprit_wait = {true, 19, 19, LocationId{2}, work_path};  // 19 of 2000
  EXPECT_EQ(said_of_rank_0(r), ", which was in main at p2p.c:3");
  i.longest.culprit_callpath = recv_path;  // an earlier call there, or a critical section
  EXPECT_EQ(said_of_rank_0(r), ", which was there too");
  i.longest.culprit_callpath = CallPathId::none();
  EXPECT_EQ(said_of_rank_0(r), ", which came late");
}

TEST(Culprits, that_waited_are_no_reason) {
  const std::string not_the_cause = ". So rank 0 is not the cause: look first at what it waited for";
  const std::string not_the_only_cause = ". So rank 0 is not the only cause: look first at what it waited for";
  AnalysisResult r = with_third_rank();
  SevereInstance& i = instance_of(r);
  i.culprit_wait = {true, 1800, 1800, LocationId{2}, work_path};
  EXPECT_EQ(
      said_of_rank_0(r),
      ", which itself waited for rank 2 in main/work<int, \"x\"> at p2p.c:3 for 90.0 % of that time" + not_the_cause);
  i.culprit_wait = {true, 1798, 1798, LocationId{2}, work_path};  // its time in main may be a tenth of the reason
  EXPECT_EQ(said_of_rank_0(r),
            ", which itself waited for rank 2 in main/work<int, \"x\"> at p2p.c:3 for 89.9 % of that time, and was "
            "also in main at p2p.c:3" +
                not_the_only_cause);
  i.culprit_wait = {true, 1640, 1000, LocationId{2}, work_path};
  EXPECT_EQ(said_of_rank_0(r),
            ", which itself waited for 82.0 % of that time, most of all for rank 2 in main/work<int, \"x\"> at p2p.c:3 "
            "(50.0 %), "
            "and was also in main at p2p.c:3" +
                not_the_only_cause);
  i.culprit_wait = {true, 2000, 2000, LocationId::none(), work_path};
  EXPECT_EQ(said_of_rank_0(r),
            ", which itself waited in main/work<int, \"x\"> at p2p.c:3 for 100.0 % of that time" + not_the_cause);
  i.culprit_wait = {true, 400, 300, LocationId{2}, work_path};
  EXPECT_EQ(said_of_rank_0(r),
            ", which was in main at p2p.c:3 and itself waited for rank 2 in main/work<int, \"x\"> at p2p.c:3 for 20.0 "
            "% of that time");
  i.culprit_wait.known = false;
  EXPECT_EQ(said_of_rank_0(r), ", which was in main at p2p.c:3");
}

TEST(Culprits, in_lists_have_a_line_of_what_they_waited) {
  AnalysisResult r = with_third_rank();
  instance_of(r).culprit_wait = {true, 1640, 1640, LocationId{2}, work_path};
  TextOptions options;
  options.full = true;
  EXPECT_NE(analysis_text(r, {}, options)
                .find("    2.000 ms at 0.002000000 s  rank 1 for rank 0 in main/work<int, \"x\">/MPI_Recv  p2p.c:3\n"
                      "      rank 0 itself waited 82.0 % of it for rank 2 in main/work<int, \"x\">  p2p.c:3\n"),
            std::string::npos)
      << analysis_text(r, {}, options);
}

TEST(Culprits, in_lists_that_waited_for_several_say_for_whom_most) {
  AnalysisResult r = with_third_rank();
  instance_of(r).culprit_wait = {true, 1640, 1000, LocationId{2}, work_path};
  TextOptions options;
  options.full = true;
  EXPECT_NE(
      analysis_text(r, {}, options)
          .find("\n      rank 0 itself waited 82.0 % of it, 50.0 % for rank 2 in main/work<int, \"x\">  p2p.c:3\n"),
      std::string::npos);
}

TEST(Culprits, where_they_were_says_how_much_they_waited_there) {
  AnalysisResult r = with_third_rank();
  const MetricIndex late = r.metrics.at("mpi_latesender");
  r.severities.add(late, main_path, LocationId{0}, 4365);  // 4365 of 4500
  TextOptions options;
  options.full = true;
  EXPECT_NE(analysis_text(r, {}, options)
                .find("  where the culprits were meanwhile\n"
                      "    2.000 ms  rank 0, itself waiting for 97.0 % of its time in main  p2p.c:3\n"),
            std::string::npos)
      << analysis_text(r, {}, options);
  EXPECT_NE(wait_graph_text(r, WaitGraph(r), Style{1000, false})
                .find("; meanwhile it was in main at p2p.c:3 (100.0 % of it), itself waiting for 97.0 % of its time "
                      "there\n"),
            std::string::npos)
      << wait_graph_text(r, WaitGraph(r), Style{1000, false});
  r.severities.add(late, main_path, LocationId{0}, -4365);
  r.waits.at(late).causes = {};
  r.waits.at(late).causes[{CallPathId::none(), LocationId{0}}] = {1, 2000};
  r.waits.at(late).causes[{CallPathId::none(), LocationId{2}}] = {1, 500};
  r.waits.at(late).causes[{work_path, LocationId{2}}] = {1, 400};
  EXPECT_NE(analysis_text(r, {}, options)
                .find("  where the culprits were meanwhile\n"
                      "    400.0 µs  rank 2 in main/work<int, \"x\">  p2p.c:3\n"
                      "    2.500 ms  in unknown places\n"),
            std::string::npos)
      << analysis_text(r, {}, options);
}

TEST(Culprits, in_pairs_say_how_long_they_waited) {
  AnalysisResult r = with_third_rank();
  auto& pairs = r.waits.at(r.metrics.at("mpi_latesender")).pairs;
  pairs.clear();
  pairs[{LocationId{0}, LocationId{1}}] = {1, 2000};
  pairs[{LocationId{1}, LocationId{2}}] = {2, 1500};
  pairs[{LocationId{2}, LocationId{0}}] = {1, 19};  // less than a hundredth of the 2000
  TextOptions options;
  options.full = true;
  EXPECT_NE(analysis_text(r, {}, options)
                .find("  who waited for whom\n"
                      "    rank 1 waited 2.000 ms for rank 0 (1 time)\n"
                      "    rank 2 waited 1.500 ms for rank 1 (2 times), which itself waited 2.000 ms\n"
                      "    rank 0 waited 19.00 µs for rank 2 (1 time), which itself waited 1.500 ms\n"),
            std::string::npos)
      << analysis_text(r, {}, options);
}

// Rank 0 is in main itself for 135 ticks without waiting: one tick more of waiting is less than a hundredth.
TEST(WaitingCulprits, are_those_that_waited_where_they_made_others_wait) {
  AnalysisResult r = with_third_rank();
  const MetricIndex late = r.metrics.at("mpi_latesender");
  const auto found = [&] {
    std::vector<std::tuple<CallPathId, LocationId, std::int64_t, std::int64_t>> rows;
    for (const WaitingCulprit& c : waiting_culprits(r))
      rows.emplace_back(c.callpath, c.culprit, c.own.time, c.own.waited);
    return rows;
  };
  r.waits.at(late).causes = {};
  EXPECT_TRUE(found().empty());
  r.waits.at(late).causes[{main_path, LocationId{0}}] = {1, 2000};
  r.waits.at(late).causes[{CallPathId::none(), LocationId{0}}] = {1, 2000};
  r.waits.at(late).causes[{main_path, LocationId::none()}] = {1, 2000};
  r.severities.add(late, main_path, LocationId{0}, 1);
  EXPECT_TRUE(found().empty());
  r.severities.add(late, main_path, LocationId{0}, 4364);
  EXPECT_EQ(found(), (std::vector{std::tuple{main_path, LocationId{0}, std::int64_t{4500}, std::int64_t{4365}}}));
}

TEST(OwnWaiting, counts_no_share_of_a_wait_twice) {
  AnalysisResult r = with_third_rank();
  const MetricIndex late = r.metrics.at("mpi_latesender");
  const MetricIndex inner =
      r.metrics.add("mpi_latesender_wo", "mpi_latesender", Unit::seconds, true, "", "", MetricKind::wait);
  r.severities.grow(r.metrics.size());
  r.severities.add(inner, recv_path, LocationId{1}, 500);
  r.waits[late];
  EXPECT_EQ(own_waiting(r, recv_path, LocationId{1}).time, 2500);
  EXPECT_EQ(own_waiting(r, recv_path, LocationId{1}).waited, 2000);
  EXPECT_EQ(own_waiting(r, recv_path, LocationId{0}).waited, 0);
  EXPECT_EQ(own_waiting(r, CallPathId::none(), LocationId{0}).time, 0);
}

/// The paragraphs between the header and the metrics.
std::string problem_rows(const AnalysisResult& r, std::optional<std::size_t> top = {}) {
  TextOptions options;
  options.top = top;
  const std::string text = analysis_text(r, {}, options);
  const auto begin = text.find("\n\n"), end = text.find("\n\nmetric");
  return begin == end ? "" : text.substr(begin + 2, end - begin - 1);
}

AnalysisResult without_waits() {
  AnalysisResult r = with_third_rank();
  r.waits.clear();
  r.severities = Severities(r.metrics.size());
  r.severities.add(r.metrics.at("time"), main_path, LocationId{0}, 3500);
  r.severities.add(r.metrics.at("mpi_point2point"), main_path, LocationId{0}, 500);
  return r;
}

TEST(OpenCalls, stand_before_everything_else) {
  AnalysisResult r = with_third_rank();
  r.open_calls = {{LocationId{1}, recv_path, RegionId{2}, 3000}};
  EXPECT_EQ(problem_rows(r),
            "Never ended: 1 process still waits in a call when the trace ends: rank 1 in main/work<int,\n"
            "\"x\">/MPI_Recv at p2p.c:3 since 0.002000000 s. No wait state includes that wait, since nothing in the\n"
            "trace ended it.\n"
            "1. Late Sender (mpi_latesender): 2.000 ms, 23.5 % of the total time. All in main/work<int,\n"
            "   \"x\">/MPI_Recv at p2p.c:3, where rank 1 waited up to 2.000 ms in one call for rank 0, which was in\n"
            "   main at p2p.c:3.\n");
}

TEST(OpenCalls, nobody_says_then_that_nobody_waited) {
  AnalysisResult r = without_waits();
  EXPECT_EQ(problem_rows(r), "Nobody waited for anybody. The time goes to Point-to-point (12.5 %).\n");
  r.open_calls = {{LocationId{0}, recv_path, RegionId{2}, 1500},
                  {LocationId{1}, recv_path, RegionId{2}, 1250},
                  {LocationId{2}, CallPathId::none(), RegionId{1}, 3000}};
  EXPECT_EQ(problem_rows(r),
            "Never ended: 3 processes still wait in calls when the trace ends: rank 0 and rank 1 in\n"
            "main/work<int, \"x\">/MPI_Recv at p2p.c:3, the first since 0.000250000 s; rank 2 in work<int, \"x\">\n"
            "since 0.002000000 s. No wait state includes that wait, since nothing in the trace ended it.\n"
            "No wait that ended was found. The time goes to Point-to-point (12.5 %).\n");
  EXPECT_NE(problem_rows(r, 1).find("the first since 0.000250000 s; and 1 more place. No wait"), std::string::npos)
      << problem_rows(r, 1);
  EXPECT_NE(problem_rows(r, 0).find("3 processes still wait in calls when the trace ends. No wait"), std::string::npos)
      << problem_rows(r, 0);
}

TEST(OpenCalls, of_libraries_are_calls_of_libraries) {
  AnalysisResult r = without_waits();
  const MetricIndex comp = r.metrics.add("comp", "time", Unit::seconds, false, "Computation", "");
  r.severities = Severities(r.metrics.size());
  r.severities.add(comp, main_path, LocationId{0}, 100);
  const char* const before = "unknown: the trace contains no calls of a communication library\n";
  EXPECT_NE(analysis_text(r, {}, {}).find(before), std::string::npos);
  r.open_calls = {{LocationId{1}, recv_path, RegionId{2}, 3000}};
  EXPECT_NE(analysis_text(r, {}, {}).find("unknown: no call of a communication library has ended in the trace\n"),
            std::string::npos);
}

TEST(OpenCalls, many_at_one_place_are_counted) {
  AnalysisResult r = without_waits();
  for (std::uint32_t i = 0; i < 3; ++i) r.open_calls.push_back({LocationId{i}, recv_path, RegionId{2}, 1000 + i});
  EXPECT_NE(problem_rows(r).find("rank 0, rank 1 and rank 2 in\nmain/"), std::string::npos) << problem_rows(r);
  r.open_calls.push_back({LocationId{2}, recv_path, RegionId{2}, 1003});
  EXPECT_NE(problem_rows(r).find("trace ends: 4 processes in main/"), std::string::npos) << problem_rows(r);
}

TEST(Problems, of_a_report_without_single_waits_are_known_by_what_they_are) {
  AnalysisResult r = without_waits();
  r.events_by_type = {};
  r.locations.clear();
  EXPECT_EQ(problem_rows(r),
            "This report has no wait states: it says where the time was spent (--metric time --by region), not\n"
            "who waited for whom. For that, analyse a trace of the run: waitstate analyze TRACE. The time goes to\n"
            "Point-to-point (12.5 %).\n");
  const MetricIndex barrier =
      r.metrics.add("mpi_barrier_wait", "time", Unit::seconds, true, "Wait at barrier", "", MetricKind::wait);
  const MetricIndex inner =
      r.metrics.add("part_of_it", "mpi_barrier_wait", Unit::seconds, true, "Part", "", MetricKind::wait);
  const MetricIndex idle =
      r.metrics.add("omp_idle_threads", "time", Unit::seconds, true, "Idle", "", MetricKind::idleness);
  const MetricIndex device =
      r.metrics.add("accelerator_wait", "time", Unit::seconds, true, "Wait for an accelerator", "", MetricKind::wait);
  const MetricIndex kernel = r.metrics.add("accelerator_wait_kernel", "accelerator_wait", Unit::seconds, false,
                                           "Kernels", "", MetricKind::wait);
  r.severities.grow(r.metrics.size());
  EXPECT_EQ(problem_rows(r), "All wait states of this report are zero. The time goes to Point-to-point (12.5 %).\n");
  r.severities.add(barrier, main_path, LocationId{0}, 400);
  r.severities.add(inner, main_path, LocationId{0}, 100);
  r.severities.add(idle, main_path, LocationId{1}, 300);
  r.severities.add(kernel, work_path, LocationId{1}, 200);
  EXPECT_EQ(problem_rows(r, 9),
            "1. Wait at barrier (mpi_barrier_wait): 400.0 µs, 10.0 % of the total time. All in main at p2p.c:3.\n"
            "2. Idle (omp_idle_threads): 300.0 µs, 7.5 % of the total time. All in main at p2p.c:3.\n"
            "3. Kernels (accelerator_wait_kernel): 200.0 µs, 5.0 % of the total time. All in main/work<int, \"x\">\n"
            "   at p2p.c:3.\n");
  r.severities.add(device, work_path, LocationId{1}, 50);  // more than the sum of its parts
  EXPECT_NE(problem_rows(r, 9).find("3. Wait for an accelerator (accelerator_wait): 250.0 µs"), std::string::npos)
      << problem_rows(r, 9);
}

TEST(TimeGoes, to_what_a_metric_has_itself_too) {
  AnalysisResult r = without_waits();
  const MetricIndex mpi = r.metrics.add("mpi", "time", Unit::seconds, false, "MPI", "");
  const MetricIndex in_mpi = r.metrics.add("mpi_collective", "mpi", Unit::seconds, false, "MPI collective", "");
  const MetricIndex wait = r.metrics.add("mpi_wait_nxn", "mpi_collective", Unit::seconds, true, "Wait", "");
  r.severities = Severities(r.metrics.size());
  r.severities.add(mpi, main_path, LocationId{0}, 6000);
  r.severities.add(in_mpi, main_path, LocationId{0}, 3000);
  r.severities.add(wait, main_path, LocationId{0}, 0);
  r.severities.add(r.metrics.at("mpi_point2point"), main_path, LocationId{0}, 1000);
  EXPECT_EQ(problem_rows(r),
            "Nobody waited for anybody. The time goes to other MPI (60.0 %), MPI collective (30.0 %),\n"
            "Point-to-point (10.0 %).\n");
}

}  // namespace
}  // namespace waitstate::test
