// Metrics that a trace cannot tell: any pattern may name them, its answers are in the result in the order of the metric
// tree, and reports keep them.
#include "analysis/conclusions/evidence.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

using support::TraceFile;

const char* const without_send =
    "0 0 enter main\n0 500 exit\n"
    "1 0 enter main\n1 10 enter MPI_Recv\n1 40 recv src=0 len=8\n1 50 exit\n1 500 exit\n";

std::string sentences(const AnalysisResult& result) {
  std::string text;
  for (const UndeterminedMetric& u : result.undetermined)
    text += result.metrics[u.metric].id + ": " + u.sentence + '\n';
  return text;
}

class Doubtful : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "doubtful_count", .parent = "visits", .unit = Unit::occurrences},
                        {.id = "doubtful", .parent = "time"}}};
  }
  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    u.because(MetricHandle{0}, e.of(e.warnings(DiagnosticId::recv_unmatched), e.events(EventType::recv), "receive") +
                                   " of " + e.called([](const Region& r) { return r.name != "main"; }));
    u.because(MetricHandle{1}, "first reason");
    u.because(MetricHandle{1}, "second reason");
  }
};

TEST(Evidence, AnswersOfAnyPatternStandInTheOrderOfTheTree) {
  const TraceFile trace(without_send);
  AnalysisOptions options;
  options.patterns = {make_pattern<Doubtful>()};
  EXPECT_EQ(sentences(analyze(trace.path(), options)),
            "mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
            "doubtful: first reason\n"
            "doubtful: second reason\n"
            "doubtful_count: 1 of 1 receive of MPI_Recv\n");
  options.built_in = false;
  options.patterns.clear();
  EXPECT_EQ(sentences(analyze(trace.path(), options)), "");  // metrics that were not analysed are not mentioned
}

TEST(Evidence, WhatTheEventsSay) {
  const TraceFile trace(without_send);
  const AnalysisResult result = analyze(trace.path());
  const TraceEvidence e(result);
  EXPECT_EQ(e.open_receives() + e.open_sends() + e.open_collectives(), 0);
  EXPECT_TRUE(e.has_events_of(LocationType::cpu_thread));
  EXPECT_FALSE(e.has_events_of(LocationType::accelerator_stream));
  EXPECT_EQ(e.called([](const Region&) { return true; }), "main");
  EXPECT_EQ(e.called([](const Region&) { return false; }), "");
  const auto receives = [](const Region& r) { return r.name == "MPI_Recv"; };
  EXPECT_EQ(e.called_without({"comms_recv", "syncs_recv"}, receives), "MPI_Recv");
  EXPECT_EQ(e.called_without({"visits"}, receives), "");
  EXPECT_EQ(e.called_without({"no_such_metric"}, receives), "");
  EXPECT_FALSE(e.for_nobody("MPI_Recv"));
}

// The message that is received was sent after MPI_Probe had returned: it found another one, and its zero means nothing.
TEST(Evidence, AProbeThatFoundAnotherMessageIsUnknown) {
  const TraceFile trace(
      "0 0 enter main\n0 100 enter MPI_Send\n0 101 send dest=1 tag=1 com=0 len=8\n0 102 exit\n0 200 exit\n"
      "1 0 enter main\n1 10 enter MPI_Probe\n1 50 exit\n"
      "1 60 enter MPI_Recv\n1 110 recv src=0 tag=1 com=0 len=8\n1 111 exit\n1 200 exit\n");
  EXPECT_EQ(
      sentences(analyze(trace.path())),
      "mpi_probe_wait: 1 call looked for a message: it is not known what was found, or whether anybody was late\n");
}

// Each thread begins a team of its own, so that thread 1 would be idle while it works: its own time is 80, the time of
// thread 0 outside of parallel regions 20, and in its region, where thread 1 is not, 80. 80 + 100 are more than the
// run.
const char* const teams_of_other_numbers = R"(
region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name=work
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
comm 1 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=1
0 10 enter #1
0 90 exit
0 90 thread_team_end team=1
0 90 thread_join paradigm=openmp
0 100 exit
1 10 thread_team_begin team=0
1 10 enter #1
1 20 enter work
1 80 exit
1 90 exit
1 90 thread_team_end team=0
)";

TEST(Evidence, IdleTimeBeyondTheRunIsUnknown) {
  const AnalysisResult r = analyze(TraceFile(teams_of_other_numbers).path());
  EXPECT_EQ(sentences(r),
            "omp_idle_threads: the records of teams contradict each other: they leave 1 of 2 locations idle for longer "
            "than the run without its own time\n");
  EXPECT_EQ(r.diagnostics[DiagnosticId::idle_too_long].count, 1u);
  std::int64_t time = 0, idle = 0;
  for (const SeverityRow& row : r.table()) {
    if (row.metric == r.metrics.at("time")) time += row.value;
    if (row.metric == r.metrics.at("omp_idle_threads")) idle += row.value;
  }
  EXPECT_EQ(time, 180);
  EXPECT_EQ(idle, 0);
}

TEST(Evidence, CallsForNobodyNeedNoRecord) {
  const std::string calls = "0 0 enter main\n0 10 enter MPI_Sendrecv\n0 20 exit\n0 500 exit\n";
  EXPECT_EQ(sentences(analyze(TraceFile(calls).path())),
            "mpi_latesender: MPI_Sendrecv is called, but the trace has no record of a receive\n"
            "mpi_latereceiver: MPI_Sendrecv is called, but the trace has no record of a send\n");
  const TraceFile said("process 0 name=r0 properties=(\"WAITSTATE::MPI_PROC_NULL::MPI_Sendrecv\"=string:called)\n" +
                       calls);
  const AnalysisResult result = analyze(said.path());
  EXPECT_EQ(sentences(result), "");
  const TraceEvidence e(result);
  EXPECT_TRUE(e.for_nobody("MPI_Sendrecv"));
  EXPECT_FALSE(e.for_nobody("MPI_Send"));
  EXPECT_EQ(e.called([](const Region& r) { return r.name == "MPI_Sendrecv"; }), "MPI_Sendrecv");
}

AnalysisResult evidence_of_causes(const std::string& text, bool all_waits = false) {
  AnalysisOptions options;
  PatternRegistry registry;
  if (all_waits) registry.set("critical_path.all_waits", "1");
  options.built_in = false;
  options.patterns = registry.chosen({"critical_path", "delay"}, {});
  return analyze(TraceFile(text).path(), options);
}

// Causes are made of waits: what these lack is missing from them.
TEST(Evidence, CausesAreNoMoreCertainThanTheWaitsThatTheyAreMadeOf) {
  const std::string barrier =
      "0 200 enter MPI_Barrier\n0 200 collective_begin\n0 210 collective_end op=barrier sent=0 received=0\n"
      "0 210 exit\n1 200 enter MPI_Barrier\n1 200 collective_begin\n"
      "1 210 collective_end op=barrier sent=0 received=0\n1 210 exit\n";
  EXPECT_EQ(
      sentences(evidence_of_causes("0 0 enter main\n1 0 enter main\n1 10 enter MPI_Recv\n"
                                   "1 40 recv src=0 len=8\n1 50 exit\n" +
                                   barrier + "0 500 exit\n1 500 exit\n")),
      "mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
      "critical_path: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
      "performance_impact: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
      "delay: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
      "waitstates_direct_vs_indirect: 1 of 1 receive without a send in the trace: it is not known whether the sender "
      "was late\n"
      "waitstates_propagating_vs_terminal: 1 of 1 receive without a send in the trace: it is not known whether the "
      "sender was late\n");
  const std::string alone =
      "0 0 enter main\n0 10 enter MPI_Barrier\n0 10 collective_begin\n"
      "0 90 collective_end op=barrier sent=0 received=0\n0 90 exit\n0 100 exit\n1 0 enter main\n1 100 exit\n";
  EXPECT_EQ(sentences(evidence_of_causes(alone)),
            "critical_path: the path is known only after MPI_Barrier on location 0: the trace lacks a member of the "
            "operation there\n"
            "critical_path: 1 collective operation lacks a member: it is not known how long the others waited\n"
            "performance_impact: the costs of activities are known only for a complete critical path\n"
            "performance_impact: 1 collective operation lacks a member: it is not known how long the others waited\n"
            "delay: 1 collective operation lacks a member: it is not known how long the others waited\n"
            "waitstates_direct_vs_indirect: 1 collective operation lacks a member: it is not known how long the others "
            "waited\n"
            "waitstates_propagating_vs_terminal: 1 collective operation lacks a member: it is not known how long the "
            "others waited\n");
}

TEST(Evidence, CausesOfRequestsThatNeverComplete) {
  const std::string text =
      "0 0 enter main\n0 10 enter MPI_Irecv\n0 11 irecv_request request=1\n0 12 exit\n0 20 enter MPI_Wait\n"
      "0 90 exit\n0 100 exit\n1 0 enter main\n1 5 exit\n";
  const std::string why =
      ": 1 of 1 non-blocking receive without a completion in the trace: it is not known how long they waited\n";
  const std::string all = sentences(evidence_of_causes(text));
  for (const char* id : {"mpi_latesender", "critical_path", "performance_impact", "delay",
                         "waitstates_direct_vs_indirect", "waitstates_propagating_vs_terminal"})
    EXPECT_NE(all.find(id + why), std::string::npos) << id << '\n' << all;
}

// A member of a prefix reduction waits from 20 to 60 for one of lower rank. Other functions that Scalasca follows no
// waits in are named only where the trace has no record of such waits.
TEST(Evidence, WaitsThatCausesAreNotFollowedForAreNamed) {
  const auto scan = [](const char* waits, const char* late) {
    return fmt::format(
        "{0} 0 enter main\n{0} 20 enter MPI_Scan\n{0} 20 collective_begin\n"
        "{0} 62 collective_end op=scan sent=8 received=8\n{0} 62 exit\n{0} 100 exit\n"
        "{1} 0 enter main\n{1} 60 enter MPI_Scan\n{1} 60 collective_begin\n"
        "{1} 61 collective_end op=scan sent=8 received=8\n{1} 61 exit\n{1} 90 exit\n",
        waits, late);
  };
  EXPECT_EQ(
      sentences(evidence_of_causes(scan("1", "0"))),
      "critical_path: the path passes waits in MPI_Scan, which it follows only with the parameter "
      "critical_path.all_waits=1\n"
      "performance_impact: waits in MPI_Scan count as activities without the parameter critical_path.all_waits=1\n"
      "delay_scan_aggregate: causes of waits in MPI_Scan are followed only with the parameter "
      "critical_path.all_waits=1\n");
  EXPECT_EQ(sentences(evidence_of_causes(scan("1", "0"), true)), "");
  EXPECT_EQ(sentences(evidence_of_causes(scan("0", "1"))), "");
  const auto calls = [](const std::string& name) {
    return std::string(name.starts_with("cuda") ? "region 0 name=" + name + " paradigm=cuda\n" : "") +
           "0 0 enter main\n0 10 enter " + name + "\n0 20 exit\n0 100 exit\n1 0 enter main\n1 5 exit\n";
  };
  for (const std::string name : {"MPI_Win_fence", "shmem_barrier_all", "pthread_mutex_lock", "cudaDeviceSynchronize"})
    for (const bool all_waits : {false, true}) {
      const std::string found = sentences(evidence_of_causes(calls(name), all_waits));
      EXPECT_EQ(found.find("all_waits=1"), std::string::npos) << found;
      EXPECT_NE(found.find("critical_path: " + name + " is called, but the trace has no "), std::string::npos) << found;
      EXPECT_NE(found.find("\ndelay: " + name + " is called, but the trace has no "), std::string::npos) << found;
    }
}

class FailsToSay : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{.id = "fails_to_say"}}}; }
  void undetermined(const TraceEvidence&, Undetermined& u) const override {
    u.because(MetricHandle{1}, "no such metric");
  }
};

TEST(Evidence, APatternThatFailsIsNamed) {
  const TraceFile trace(without_send);
  AnalysisOptions options;
  options.patterns = {make_pattern<FailsToSay>()};
  try {
    analyze(trace.path(), options);
    FAIL();
  } catch (const PatternError& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "pattern 'fails_to_say' failed in undetermined: the pattern has 1 metrics, numbered from 0: there is none "
        "with the number 1");
  }
}

// The times of the chosen locations themselves are known; those of their waits are not.
TEST(Evidence, LocationsThatAreMissingConcernTheChosenOnesOnlyByWhatTheyDoTogether) {
  const TraceFile trace(without_send);
  AnalysisResult result = analyze(trace.path());
  result.diagnostics.add(DiagnosticId::location_unreadable, {LocationId{1}, ~Time{0}, ""});
  const auto is_open = [&](const char* id) {
    const auto all = analysis::undetermined(result, built_in_patterns());
    return std::any_of(all.begin(), all.end(), [&](const UndeterminedMetric& u) {
      return result.metrics.lies_within(result.metrics.at(id), u.metric) &&
             u.sentence.find("could not be read") != std::string::npos;
    });
  };
  for (const std::vector<LocationId>& chosen :
       {std::vector<LocationId>{}, std::vector<LocationId>{LocationId{1}}, {LocationId{0}, LocationId{1}}}) {
    result.focus.locations = chosen;
    for (const char* id : {"time", "comp", "visits", "mpi_latesender", "costs"}) EXPECT_TRUE(is_open(id)) << id;
  }
  result.focus.locations = {LocationId{0}};
  for (const char* id : {"time", "comp", "mpi_point2point", "visits", "bytes_sent"}) EXPECT_FALSE(is_open(id)) << id;
  for (const char* id : {"mpi_latesender", "slow_slaves", "omp_idle_threads", "costs"}) EXPECT_TRUE(is_open(id)) << id;
  for (int i = 0; i < 5; ++i)  // the place of the sixth is not kept: it may be on the chosen location
    result.diagnostics.add(DiagnosticId::location_unreadable, {LocationId{1}, ~Time{0}, ""});
  EXPECT_TRUE(is_open("time"));
}

TEST(Evidence, OfAReportWhatIsKeptStandsOnce) {
  const TraceFile trace(without_send);
  AnalysisResult result = analyze(trace.path());
  const UndeterminedMetric time{
      result.metrics.at("time"),
      "1 of 2 locations could not be read, or not to the end: it is not known what happened there"},
      sender{result.metrics.at("mpi_latesender"), "kept"};
  result.diagnostics.add(DiagnosticId::location_unreadable, {});
  const auto all = analysis::undetermined_of_report(result, {sender, time});
  ASSERT_GE(all.size(), 2u);
  EXPECT_EQ(all[0], time);
  EXPECT_EQ(all[1], sender);
}

}  // namespace
}  // namespace waitstate
