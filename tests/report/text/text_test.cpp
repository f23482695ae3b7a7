// The reports for people: the complete text of small ones, and each rule of layout at its edges. Longer than other
// files because the texts stand here in full.
#include <gtest/gtest.h>

#include "report/facts/efficiency.hpp"
#include "report/facts/totals.hpp"
#include "report/facts/undetermined.hpp"
#include "report/format/layout.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/full_result.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/info_text.hpp"
#include "report/words/efficiency.hpp"

namespace waitstate::test {
namespace {

using namespace report;

TextOptions with_advice(bool full) {
  TextOptions options;
  options.full = full;
  options.diagnoses["mpi_latesender"] = "send earlier";
  return options;
}

TEST(AnalysisText, in_short) {
  EXPECT_EQ(analysis_text(small_result(), {}, with_advice(false)), R"(trace          run/traces.otf2
recorder       Score-P 8.4 (OTF2 3.0.2)
size           2 processes, 2 locations, 10 events, 1 matched message
total time     8.500 ms in all locations together, in a run of 5.000 ms
efficiency     unknown: computation is not among the metrics

1. Late Sender (mpi_latesender): 2.000 ms, 23.5 % of the total time. All in main/work<int,
   "x">/MPI_Recv at p2p.c:3, where rank 1 waited up to 2.000 ms in one call for rank 0, which was in
   main at p2p.c:3. Send earlier.

metric                 value  % of time
time                8.500 ms      100.0
  mpi_point2point   2.500 ms       29.4
    mpi_latesender  2.000 ms       23.5

Nothing is missing from this trace, and it has no anomalies.
Statistics, instances, places and all metrics: --full
)");
}

TEST(AnalysisText, in_full) {
  const std::string text = analysis_text(small_result(), {}, with_advice(true));
  EXPECT_EQ(text.substr(text.find("metric ")), R"(metric                          value  % of time
time                         8.500 ms      100.0
  mpi_point2point            2.500 ms       29.4
    mpi_latesender           2.000 ms       23.5
    mpi_latereceiver              0 s        0.0
bytes                 2.0 KiB (2,048)

mpi_latesender  Late Sender
  Receives that wait for their send.
  2.000 ms, 23.5 % of the total time
  1 wait: mean 2.000 ms, standard deviation 0 s, smallest 2.000 ms, quartiles 2.000 ms / 2.000 ms /
  2.000 ms, largest 2.000 ms
  worst call paths
    2.000 ms  23.5 %  main/work<int, "x">/MPI_Recv  p2p.c:3
  worst locations
    2.000 ms  23.5 %  rank 1
  who waited for whom
    rank 1 waited 2.000 ms for rank 0 (1 time)
  where the culprits were meanwhile
    2.000 ms  rank 0 in main  p2p.c:3
  most severe instances
    2.000 ms at 0.002000000 s  rank 1 for rank 0 in main/work<int, "x">/MPI_Recv  p2p.c:3
  what to do: send earlier

Nothing is missing from this trace, and it has no anomalies.
)");
}

TEST(AnalysisText, says_what_the_trace_cannot_tell_and_what_is_damaged) {
  AnalysisResult result = small_result();
  result.events_by_type[static_cast<std::size_t>(EventType::isend)] = 2;
  result.events_by_type[static_cast<std::size_t>(EventType::recv)] = 3;
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"}, 0, 2);
  result.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{0}, ProcessId{1}, {LocationId{1}, 1600, ""},
                                 7);
  result = judged(std::move(result));
  const std::string text = analysis_text(result, {}, with_advice(true));
  EXPECT_NE(text.find("1. Late Sender (mpi_latesender): at least 2.000 ms, 23.5 %"), std::string::npos) << text;
  EXPECT_NE(text.find("    mpi_latesender    at least 2.000 ms       23.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    mpi_latereceiver            unknown\n"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.find("Unknown in")), R"(Unknown in this trace
  mpi_latesender: 2 of 3 receives without a send in the trace: it is not known whether the sender
  was late
  mpi_latereceiver: 2 of 2 non-blocking sends without a completion in the trace: it is not known how
  long they waited

Missing from the results
  2  receives whose send is not in the trace
      rank 1 at 0.001500000 s: MPI_Recv

Anomalies
  1  message received before the send, by the time stamps: clocks disagree (by up to 7.000 µs)
      rank 0 to rank 1: 1 message, up to 7.000 µs too early
      rank 1 at 0.000600000 s
)");
  const std::string in_short = analysis_text(result, {}, with_advice(false));
  EXPECT_NE(in_short.find("    mpi_latereceiver            unknown\n"), std::string::npos) << in_short;
  EXPECT_EQ(in_short.substr(in_short.find("Missing")),
            R"(Missing from the results: 2 receives whose send is not in the trace.
Anomalies: 1 message received before the send, by the time stamps.
Statistics, instances, places and all metrics: --full
)");
}

TEST(AnalysisText, clocks_that_disagree_are_named_before_what_they_make_doubtful) {
  AnalysisResult result = small_result();
  result.diagnostics.add_between(DiagnosticId::clock_violation, ProcessId{0}, ProcessId{1}, {LocationId{1}, 1600, ""},
                                 1999);
  result = judged(std::move(result));
  std::string text = analysis_text(result, {500}, with_advice(false));
  EXPECT_NE(text.find("\nclocks         disagree by up to 1.999 ms: waits and transfers no longer than that may be "
                      "clock error\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" Send earlier."), std::string::npos) << "the longest wait is 2000 ticks";
  result.diagnostics.add(DiagnosticId::collective_clock_violation, {LocationId{1}, 1600, ""}, 2000);
  text = analysis_text(result, {500}, with_advice(false));
  EXPECT_NE(
      text.find(
          "which was in main at p2p.c:3. The clocks of this trace disagree by up to 2.000 ms, longer than any such "
          "wait: there may have been none.\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(analysis_text(small_result(), {}, {}).find("clocks"), std::string::npos);
}

TEST(AnalysisText, a_small_wait_is_no_problem) {
  AnalysisResult result = small_result();
  result.severities.add(0, CallPathId{0}, LocationId{0}, 1'000'000);  // 2 ms of 1.0085 s: 0.2 %
  const std::string text = analysis_text(result, {}, with_advice(false));
  EXPECT_NE(
      text.find("\nNo wait state takes as much as 1 % of the total time; largest: Late Sender 2.000 ms. The time goes\n"
                "to Point-to-point (0.2 %).\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("1. "), std::string::npos);
}

TEST(AnalysisText, several_waiters_and_a_culprit_that_is_not_known) {
  AnalysisResult result = small_result();
  SevereInstance& worst = result.waits.begin()->second.severe.begin()->second.front();
  worst.waiters = 2;
  worst.total = 3000;
  EXPECT_NE(
      analysis_text(result, {500}, {}).find("where 2 processes together waited up to 3.000 ms in one call for rank 0"),
      std::string::npos);
  worst.longest.culprit = LocationId::none();
  EXPECT_NE(analysis_text(result, {500}, {}).find("waited up to 3.000 ms in one call.\n"), std::string::npos);
}

TEST(AnalysisText, the_rest_of_the_problems_is_counted) {
  TextOptions options;
  options.top = 0;
  EXPECT_NE(analysis_text(small_result(), {}, options).find("\n   and 1 more (--top 1)\n"), std::string::npos);
}

/// Metrics of a plug-in: `own` below the given parent, and twenty wait states beside it, so that the table is long.
AnalysisResult with_own(const std::string& parent, Unit unit, bool within_parent, MetricKind kind, std::int64_t value) {
  AnalysisResult r = small_result();
  for (int i = 0; i < 20; ++i)
    r.metrics.add("wait_" + std::to_string(i), "mpi_point2point", Unit::seconds, true, "", "");
  r.metrics.set_from_plugin(r.metrics.add("own", parent, unit, within_parent, "Own", "Of a plug-in.", kind));
  r.severities.grow(r.metrics.size());
  for (int i = 0; i < 20; ++i) {
    const MetricIndex m = r.metrics.at("wait_" + std::to_string(i));
    r.severities.add(m, CallPathId{2}, LocationId{1}, 100 + i);
    r.waits[m] = r.waits.begin()->second;
  }
  if (value != 0) r.severities.add(r.metrics.at("own"), CallPathId{2}, LocationId{1}, value);
  return r;
}

std::string line_of(const std::string& text, const std::string& id) {
  const auto at = text.find(' ' + id + ' ');
  if (at == std::string::npos) return "";
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(AnalysisText, a_plug_in_s_metric_is_always_in_the_table) {
  using enum MetricKind;
  for (const bool full : {false, true}) {
    const auto text = [&](const AnalysisResult& r) { return analysis_text(r, {}, with_advice(full)); };
    EXPECT_TRUE(
        line_of(text(with_own("mpi_point2point", Unit::seconds, true, other, 0)), "own").ends_with(" 0 s        0.0"));
    EXPECT_NE(line_of(text(with_own("mpi_point2point", Unit::seconds, true, other, 1)), "own"), "");
    EXPECT_NE(line_of(text(with_own("visits", Unit::occurrences, true, other, 0)), "own"), "");
    EXPECT_NE(text(with_own("", Unit::bytes, true, other, 0)).find("\nown "), std::string::npos);
  }
  AnalysisResult built_in = with_own("mpi_point2point", Unit::seconds, true, other, 400);
  MetricTree metrics = built_in.metrics;
  metrics.keep_first(metrics.size() - 1);
  metrics.add("own", "mpi_point2point", Unit::seconds, true, "Own", "");
  built_in.metrics = metrics;
  EXPECT_EQ(line_of(analysis_text(built_in, {}, {}), "own"), "");  // not a wait, in a long table
}

TEST(AnalysisText, a_plug_in_s_problem_may_lead_the_list) {
  using enum MetricKind;
  const auto first = [](const AnalysisResult& r) {
    TextOptions options;
    options.diagnoses["own"] = "ask less";
    const std::string text = analysis_text(r, {}, options);
    const auto begin = text.find("\n1. ");
    return begin == std::string::npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
  };
  const std::string own =
      "1. Own (own): 2.200 ms, 25.9 % of the total time. All in main/work<int, \"x\">/MPI_Recv at p2p.c:3.";
  for (const MetricKind kind :
       {other, wait, completion, idleness})  // whatever it says about itself, if it has no single waits
    EXPECT_EQ(first(with_own("mpi_point2point", Unit::seconds, true, kind, 2200)), own);
  EXPECT_EQ(first(with_own("", Unit::seconds, true, other, 2200)), own);
  EXPECT_TRUE(
      first(with_own("mpi_point2point", Unit::seconds, false, wait, 2200)).starts_with("1. Own (own): 2.200 ms, "));
  EXPECT_EQ(first(with_own("mpi_latesender", Unit::seconds, true, wait, 2200)), own);  // although below another one
  AnalysisResult without = with_own("time", Unit::seconds, true, other, 2200);
  without.waits.clear();
  EXPECT_EQ(first(without), own);
  // A share of the time that is not a wait, and a value that is not a time.
  for (const AnalysisResult& r : {with_own("mpi_point2point", Unit::seconds, false, other, 2200),
                                  with_own("visits", Unit::occurrences, true, wait, 2200)})
    EXPECT_TRUE(first(r).starts_with("1. Late Sender (mpi_latesender): ")) << first(r);
}

TEST(AnalysisText, in_full_a_plug_in_s_time_has_a_section) {
  const std::string text =
      analysis_text(with_own("mpi_point2point", Unit::seconds, true, MetricKind::other, 2200), {}, with_advice(true));
  EXPECT_NE(text.find("\nown  Own\n  Of a plug-in.\n  2.200 ms, 25.9 % of the total time\n  worst call paths\n"),
            std::string::npos)
      << text;
}

TEST(AnalysisText, says_what_it_is_about) {
  AnalysisResult result = small_result();
  result.focus.region = "solve";
  result.focus.locations = {LocationId{1}};
  result.focus.from = 1000 + 20'000;
  EXPECT_NE(analysis_text(result, {}, {})
                .find("\nfocus          only what happens inside solve, on rank 1, from 0.020000000 s on\n"),
            std::string::npos);
}

TEST(AnalysisText, of_a_report_without_events_claims_nothing_of_them) {
  AnalysisResult result = small_result();
  result.events_by_type = {};
  result.locations.clear();
  const std::string text = analysis_text(result, {}, {});
  EXPECT_NE(text.find("\nsize           2 processes, 2 locations\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\ntotal time     8.500 ms in all locations together\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nThis report does not say whether anything was missing from its trace.\n"), std::string::npos);
}

TEST(AnalysisText, of_a_report_without_events_and_values_claims_nothing_either) {
  AnalysisResult result = small_result();
  result.events_by_type = {};
  result.locations.clear();
  result.severities = Severities(result.metrics.size());
  const char* const silent = "\nThis report does not say whether anything was missing from its trace.\n";
  EXPECT_NE(analysis_text(result, {}, {}).find(silent), std::string::npos);
  result.diagnostics.add(DiagnosticId::empty_location, {LocationId{0}, ~Time{0}, ""});  // damage of the trace itself
  const std::string text = analysis_text(result, {}, {});
  EXPECT_EQ(text.find(silent), std::string::npos) << text;
  EXPECT_NE(text.find("0 events"), std::string::npos) << text;
}

TEST(AnalysisText, of_a_trace_without_events) {
  AnalysisResult result;
  result.path = "empty";
  result.metrics.add("time", "", Unit::seconds, false, "", "");
  result.severities = Severities(1);
  EXPECT_EQ(analysis_text(result, {}), R"(trace          empty
recorder       unknown
size           0 processes, 0 locations, 0 events, 0 matched messages
total time     0 s in all locations together

metric  value  % of time

Nothing that was looked for is missing from this trace, and it has no anomalies.
Statistics, instances, places and all metrics: --full
)");
}

/// MPI_Barrier and MPI_Allreduce are called; collective wait states are among the metrics.
AnalysisResult with_collectives() {
  AnalysisResult result = small_result();
  for (const auto& [name, c] : {std::pair("MPI_Barrier", RegionClass::mpi_sync_collective),
                                std::pair("MPI_Allreduce", RegionClass::mpi_collective)}) {
    Region region;
    region.name = name;
    region.region_class = c;
    result.definitions.regions.push_back(region);
    result.call_tree.find_or_add({CallPathId{0}, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  }
  for (const char* id : {"mpi_barrier_wait", "mpi_wait_nxn", "mpi_earlyreduce"})
    result.metrics.add(id, "time", Unit::seconds, true, id, "");
  result.severities = Severities(result.metrics.size());
  return result;
}

std::string sentences(const AnalysisResult& result) {
  std::string text;
  for (const UndeterminedMetric& u : judged(result).undetermined)
    text += result.metrics[u.metric].id + ": " + u.sentence + '\n';
  return text;
}

TEST(Undetermined, collectives_without_records) {
  EXPECT_EQ(sentences(with_collectives()),
            "mpi_barrier_wait: MPI_Barrier is called, but the trace has no record of a collective operation\n"
            "mpi_wait_nxn: MPI_Allreduce is called, but the trace has no record of a collective operation\n");
}

// It waits for no other process, and has no record.
TEST(Undetermined, reduce_local_is_no_collective_operation) {
  AnalysisResult result = with_collectives();
  for (Region& region : result.definitions.regions)
    if (region.name == "MPI_Allreduce") region.name = "MPI_Reduce_local";
  EXPECT_EQ(sentences(result),
            "mpi_barrier_wait: MPI_Barrier is called, but the trace has no record of a collective operation\n");
}

TEST(Undetermined, collectives_with_all_records_are_answered) {
  AnalysisResult result = with_collectives();
  result.events_by_type[static_cast<std::size_t>(EventType::collective_end)] = 4;
  EXPECT_EQ(sentences(result), "");
}

// On one process, MPI_Allreduce is recorded by the call below it, on another one under its own name: at least one of
// all calls of a function has to have a record.
TEST(Undetermined, functions_without_records_beside_those_with) {
  AnalysisResult result = with_collectives();
  std::vector<MetricIndex> counts;
  for (const char* id :
       {"syncs_coll", "comms_cxch", "comms_csrc", "comms_cdst", "syncs_send", "comms_send", "syncs_recv", "comms_recv"})
    counts.push_back(result.metrics.add(id, "", Unit::occurrences, false, id, ""));
  const MetricIndex entered = result.metrics.find("visits");
  result.severities = Severities(result.metrics.size());
  const auto call = [&](const char* name, MpiFunction function, CallPathId parent, RegionClass region_class) {
    Region region;
    region.name = name;
    region.mpi_function = function;
    region.region_class = region_class;
    result.definitions.regions.push_back(region);
    const RegionId id{result.definitions.regions.size() - 1};
    const CallPathId path = result.call_tree.find_or_add({parent, id, StringId::none()});
    result.severities.add(entered, path, LocationId{0}, 1);
    return path;
  };
  const CallPathId main{0}, barrier{3}, allreduce{4};
  result.severities.add(entered, barrier, LocationId{0}, 1);
  result.severities.add(entered, allreduce, LocationId{0}, 1);
  result.severities.add(counts[0], barrier, LocationId{0}, 1);
  call("MPI_Reduce_init", MpiFunction::other, main, RegionClass::mpi_collective);
  const CallPathId send = call("MPI_Send", MpiFunction::send, main, RegionClass::mpi_point2point);
  const CallPathId recv = call("MPI_Recv", MpiFunction::recv, main, RegionClass::mpi_point2point);
  result.severities.add(counts[5], send, LocationId{0}, 1);
  result.severities.add(counts[6], recv, LocationId{0}, 1);
  result.events_by_type.fill(0);
  for (const EventType type : {EventType::collective_end, EventType::send, EventType::recv})
    result.events_by_type[static_cast<std::size_t>(type)] = 1;
  EXPECT_EQ(sentences(result),
            "mpi_wait_nxn: MPI_Allreduce is called, but none of its calls has a record of a collective operation\n");

  AnalysisResult below = result, other = result;
  const CallPathId inner{below.call_tree.size()};
  below.call_tree.find_or_add({allreduce, RegionId{0}, StringId::none()});
  below.severities.add(counts[1], inner, LocationId{0}, 1);
  EXPECT_EQ(sentences(below), "");
  other.definitions.regions.push_back(other.definitions[other.call_tree[allreduce].region]);
  const CallPathId same{other.call_tree.size()};
  other.call_tree.find_or_add({main, RegionId{other.definitions.regions.size() - 1}, StringId::none()});
  other.severities.add(counts[1], same, LocationId{1}, 1);
  EXPECT_EQ(sentences(other), "");

  call("MPI_Allreduce", MpiFunction::other, main, RegionClass::mpi_collective);
  result.severities.add(counts[1], allreduce, LocationId{0}, 1);
  call("MPI_Ssend", MpiFunction::ssend, main, RegionClass::mpi_point2point);
  call("MPI_Bsend", MpiFunction::bsend, main, RegionClass::mpi_point2point);  // waits for nobody
  call("MPI_Irecv", MpiFunction::irecv, main, RegionClass::mpi_point2point);  // received in another call
  call("MPI_Sendrecv", MpiFunction::sendrecv, main, RegionClass::mpi_point2point);
  EXPECT_EQ(sentences(result),
            "mpi_latesender: MPI_Sendrecv is called, but none of its calls has a record of a receive\n"
            "mpi_latereceiver: MPI_Ssend is called, but none of its calls has a record of a send\n");
}

TEST(Undetermined, windows_without_records) {
  AnalysisResult result = with_collectives();
  result.events_by_type[static_cast<std::size_t>(EventType::collective_end)] = 4;
  for (const char* id : {"mpi_rma_wait_at_create", "mpi_rma_wait_at_free"})
    result.metrics.add(id, "time", Unit::seconds, true, id, "");
  result.severities = Severities(result.metrics.size());
  for (const char* name : {"MPI_Win_create_keyval", "MPI_Win_get_group", "MPI_Win_allocate_shared", "MPI_Win_free"}) {
    Region region;
    region.name = name;
    region.region_class = RegionClass::mpi_mgmt_win;
    result.definitions.regions.push_back(region);
    result.call_tree.find_or_add({CallPathId{0}, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  }
  EXPECT_EQ(sentences(result),
            "mpi_rma_wait_at_create: MPI_Win_allocate_shared is called, but the trace has no record of one-sided "
            "communication\n"
            "mpi_rma_wait_at_free: MPI_Win_free is called, but the trace has no record of one-sided communication\n");
  result.events_by_type[static_cast<std::size_t>(EventType::rma_collective_end)] = 4;
  EXPECT_EQ(sentences(result), "");
}

/// Functions of locks and barriers of threads are called; wait states at them are among the metrics.
AnalysisResult with_threads() {
  AnalysisResult result = small_result();
  for (const auto& [name, c] :
       {std::pair("pthread_mutex_init", RegionClass::pthread_lock_api),
        std::pair("pthread_mutex_trylock", RegionClass::pthread_lock_api),
        std::pair("pthread_mutex_unlock", RegionClass::pthread_lock_api),
        std::pair("pthread_cond_signal", RegionClass::pthread_conditional),
        std::pair("omp_unset_lock", RegionClass::omp_lock_api), std::pair("!$omp atomic", RegionClass::omp_critical),
        std::pair("pthread_mutex_lock", RegionClass::pthread_lock_api),
        std::pair("pthread_cond_wait", RegionClass::pthread_conditional),
        std::pair("omp_set_lock", RegionClass::omp_lock_api), std::pair("!$omp critical", RegionClass::omp_critical),
        std::pair("!$omp barrier", RegionClass::omp_ebarrier),
        std::pair("!$omp implicit barrier", RegionClass::omp_ibarrier)}) {
    Region region;
    region.name = name;
    region.region_class = c;
    result.definitions.regions.push_back(region);
    result.call_tree.find_or_add({CallPathId{0}, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  }
  for (const char* id :
       {"omp_lock_contention_critical", "omp_lock_contention_api", "pthread_lock_contention_mutex_lock",
        "pthread_lock_contention_conditional", "omp_ebarrier_wait", "omp_ibarrier_wait"})
    result.metrics.add(id, "time", Unit::seconds, true, id, "");
  result.severities = Severities(result.metrics.size());
  return result;
}

TEST(Undetermined, locks_without_records) {
  AnalysisResult result = with_threads();
  result.events_by_type[static_cast<std::size_t>(EventType::thread_team_begin)] = 2;
  EXPECT_EQ(
      sentences(result),
      "omp_lock_contention_critical: !$omp critical is called, but the trace has no record of who gets a lock\n"
      "omp_lock_contention_api: omp_set_lock is called, but the trace has no record of who gets a lock\n"
      "pthread_lock_contention_mutex_lock: pthread_mutex_lock is called, but the trace has no record of who gets a "
      "lock\n"
      "pthread_lock_contention_conditional: pthread_cond_wait is called, but the trace has no record of who gets a "
      "lock\n");
  result.events_by_type[static_cast<std::size_t>(EventType::thread_acquire_lock)] = 1;
  EXPECT_EQ(sentences(result), "");
}

TEST(Undetermined, barriers_of_threads_without_teams) {
  AnalysisResult result = with_threads();
  result.events_by_type[static_cast<std::size_t>(EventType::omp_acquire_lock)] = 1;
  EXPECT_EQ(sentences(result),
            "omp_ebarrier_wait: !$omp barrier is called, but the trace has no record of which threads are a team\n"
            "omp_ibarrier_wait: !$omp implicit barrier is called, but the trace has no record of which threads are a "
            "team\n");
  AnalysisResult forked = result, numbered = result;
  forked.events_by_type[static_cast<std::size_t>(EventType::omp_fork)] = 1;
  EXPECT_EQ(sentences(forked), "");
  for (Region& region : numbered.definitions.regions)
    if (region.name == "omp_unset_lock") region.name = "!$omp implicit_task";
  EXPECT_EQ(sentences(numbered), "");
}

// A request that was cancelled has an answer of its own kind, whichever it is, and not that of another kind.
TEST(Undetermined, requests_that_were_cancelled) {
  AnalysisResult result = small_result();
  for (const char* id : {"mpi_latesender", "mpi_latereceiver"})
    if (result.metrics.find(id) == no_metric) result.metrics.add(id, "time", Unit::seconds, true, id, "");
  result.severities = Severities(result.metrics.size());
  auto& events = result.events_by_type;
  events.fill(0);
  const auto count = [&](EventType type) -> std::uint64_t& { return events[static_cast<std::size_t>(type)]; };
  count(EventType::isend) = count(EventType::request_cancelled) = 1;
  EXPECT_EQ(sentences(result), "");
  count(EventType::irecv_request) = 2;
  count(EventType::irecv) = 1;
  EXPECT_NE(sentences(result).find("mpi_latesender: 1 of 2 non-blocking receives without a completion"),
            std::string::npos)
      << sentences(result);
  count(EventType::request_cancelled) = 2;
  EXPECT_EQ(sentences(result), "");
}

TEST(Undetermined, collectives_that_lack_a_member) {
  AnalysisResult result = with_collectives();
  result.events_by_type[static_cast<std::size_t>(EventType::collective_end)] = 3;
  result.diagnostics.add(DiagnosticId::collective_incomplete, {LocationId{1}, 2500, "MPI_Barrier"});
  EXPECT_EQ(sentences(result),
            "mpi_barrier_wait: 1 collective operation lacks a member: it is not known how long the others waited\n"
            "mpi_wait_nxn: 1 collective operation lacks a member: it is not known how long the others waited\n");
}

TEST(Undetermined, collectives_whose_members_are_not_defined) {
  AnalysisResult result = with_collectives();
  result.events_by_type[static_cast<std::size_t>(EventType::collective_end)] = 2;
  result.diagnostics.add(DiagnosticId::collective_stranger, {});
  result.diagnostics.add(DiagnosticId::collective_stranger, {});
  const std::string why =
      ": the trace does not define the members of 2 parts of collective operations: it is not known how long they "
      "waited\n";
  EXPECT_EQ(sentences(result), "mpi_barrier_wait" + why + "mpi_wait_nxn" + why);
}

TEST(Undetermined, messages_whose_partners_are_not_defined) {
  AnalysisResult result = small_result();
  for (Region& r : result.definitions.regions)
    if (r.name == "MPI_Recv") r.mpi_function = MpiFunction::recv;
  result.events_by_type[static_cast<std::size_t>(EventType::recv)] = 1;
  result.diagnostics.add(DiagnosticId::peer_unknown, {});
  EXPECT_EQ(sentences(result),
            "mpi_latesender: 1 communication record names a partner that the trace does not define: it is not known "
            "who waited for whom there\n");
}

TEST(Undetermined, records_outside_of_every_call) {
  AnalysisResult result = with_collectives();
  result.events_by_type[static_cast<std::size_t>(EventType::recv)] = 1;
  result.events_by_type[static_cast<std::size_t>(EventType::collective_end)] = 2;
  result.diagnostics.add(DiagnosticId::record_outside_call, {});
  const std::string why =
      ": 1 communication record lies outside of every call of its library: it is not known whether anybody waited "
      "there\n";
  EXPECT_EQ(sentences(result), "mpi_latesender" + why + "mpi_latereceiver" + why + "mpi_barrier_wait" + why +
                                   "mpi_wait_nxn" + why + "mpi_earlyreduce" + why);
}

TEST(Undetermined, nothing_is_known_in_full_of_a_trace_of_which_a_location_is_missing) {
  for (const DiagnosticId id : {DiagnosticId::location_unreadable, DiagnosticId::location_truncated}) {
    AnalysisResult result = with_collectives();
    result.events_by_type = {};
    result.diagnostics.add(id, {LocationId{1}, 0, {}});
    const std::string locations = std::to_string(result.definitions.locations.size());
    EXPECT_NE(sentences(result).find(
                  "time: 1 of " + locations +
                  " locations could not be read, or not to the end: it is not known what happened there\n"),
              std::string::npos);
    for (MetricIndex m = 0; m < result.metrics.size(); ++m)
      EXPECT_TRUE(is_undetermined(judged(result).undetermined, result.metrics, m)) << result.metrics[m].id;
  }
}

TEST(Undetermined, accelerator_without_streams) {
  AnalysisResult result = small_result();
  Region region;
  region.name = "cudaDeviceSynchronize";
  region.region_class = RegionClass::cuda_time;
  result.definitions.regions.push_back(region);
  result.call_tree.find_or_add({CallPathId{0}, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  result.metrics.add("accelerator_wait", "time", Unit::seconds, true, "", "");
  result.severities = Severities(result.metrics.size());
  EXPECT_EQ(sentences(result),
            "accelerator_wait: cudaDeviceSynchronize is called, but the trace has no events of an accelerator's "
            "streams\n");
  result.definitions.locations.back().type = LocationType::accelerator_stream;
  result.locations.resize(result.definitions.locations.size());
  result.locations.back().events = 2;
  EXPECT_EQ(sentences(result), "");
}

TEST(Undetermined, one_sided_communication_without_records_or_with_parts_missing) {
  AnalysisResult result = small_result();
  Region region;
  region.name = "MPI_Put";
  region.region_class = RegionClass::mpi_rma_communication;
  result.definitions.regions.push_back(region);
  result.call_tree.find_or_add({CallPathId{0}, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  for (const char* id : {"mpi_rma_comm_late_post", "mpi_rma_wait_at_fence"})
    result.metrics.add(id, "time", Unit::seconds, true, id, "");
  result.severities = Severities(result.metrics.size());
  EXPECT_EQ(sentences(result),
            "mpi_rma_comm_late_post: MPI_Put is called, but the trace has no record of one-sided communication\n");
  result.events_by_type[static_cast<std::size_t>(EventType::rma_put)] = 1;
  EXPECT_EQ(sentences(result), "");
  result.diagnostics.add(DiagnosticId::rma_incomplete, {});
  result.diagnostics.add(DiagnosticId::rma_unplaced, {}, 0, 2);
  EXPECT_EQ(sentences(result),
            "mpi_rma_comm_late_post: 1 one-sided epoch, lock or collective lacks a part: it is not known how "
            "long the others waited\n"
            "mpi_rma_comm_late_post: 2 one-sided records belong to nothing in the trace: it is not known whether "
            "anybody waited there\n");
}

TEST(Undetermined, a_report_without_events_has_nothing_to_judge_from) {
  AnalysisResult result = with_collectives();
  result.events_by_type = {};
  EXPECT_EQ(sentences(result), "");
}

TEST(Undetermined, time_that_no_pattern_looked_at) {
  AnalysisResult result = small_result();
  const MetricIndex win = result.metrics.add("mpi_rma_synchronization", "time", Unit::seconds, false, "", "");
  result.severities = Severities(result.metrics.size());
  result.severities.add(win, CallPathId{0}, LocationId{0}, 500);
  result.severities.add(0, CallPathId{0}, LocationId{0}, 500);
  EXPECT_NE(analysis_text(result, {})
                .find("\n  mpi_rma_synchronization: 50.0 % of the total time, in which no pattern looked "
                      "for waiting\n"),
            std::string::npos);
}

TEST(Efficiency, is_a_product) {
  AnalysisResult result = small_result();
  const MetricIndex comp = result.metrics.add("comp", "time", Unit::seconds, false, "", "");
  result.severities = Severities(result.metrics.size());
  result.severities.add(comp, CallPathId{0}, LocationId{0}, 800);
  result.severities.add(comp, CallPathId{0}, LocationId{1}, 400);
  result.severities.add(1, CallPathId{2}, LocationId{0}, 200);
  result.severities.add(1, CallPathId{2}, LocationId{1}, 600);
  // Run time 1000, mean 600, largest 800.
  EXPECT_EQ(efficiency_text(result, efficiency(result, Totals(result))),
            "parallel 60.0 % (mean computation of processes / run time) = load balance 75.0 % (mean / largest "
            "computation) x communication 80.0 % (largest computation / run time)");
  result.definitions.locations[1].type = LocationType::accelerator_stream;
  EXPECT_EQ(efficiency_text(result, efficiency(result, Totals(result))), "unknown: there is only one process");
}

// Rank 0 was not measured for 500 of its 1500 ticks, and rank 1 for 100 of 1100: the run time is 1000 as before.
TEST(Efficiency, leaves_out_what_was_not_measured) {
  AnalysisResult result = small_result();
  const MetricIndex comp = result.metrics.add("comp", "time", Unit::seconds, false, "", "");
  const MetricIndex off = result.metrics.add("measurement_off", "time", Unit::seconds, false, "", "");
  result.severities = Severities(result.metrics.size());
  result.severities.add(comp, CallPathId{0}, LocationId{0}, 800);
  result.severities.add(comp, CallPathId{0}, LocationId{1}, 400);
  result.severities.add(1, CallPathId{2}, LocationId{0}, 200);
  result.severities.add(1, CallPathId{2}, LocationId{1}, 600);
  result.severities.add(off, CallPathId{0}, LocationId{0}, 500);
  result.severities.add(off, CallPathId{0}, LocationId{1}, 100);
  EXPECT_EQ(efficiency_text(result, efficiency(result, Totals(result))),
            "parallel 60.0 % (mean computation of processes / run time) = load balance 75.0 % (mean / largest "
            "computation) x communication 80.0 % (largest computation / run time)");
  result.severities.add(1, CallPathId{2}, LocationId{0}, -200);
  result.severities.add(1, CallPathId{2}, LocationId{1}, -600);
  EXPECT_EQ(efficiency_text(result, efficiency(result, Totals(result))),
            "unknown: the trace contains no calls of a communication library");
}

TEST(InfoText, whole) {
  EXPECT_EQ(info_text(small_result(), {}), R"(trace          run/traces.otf2
recorder       Score-P 8.4 (OTF2 3.0.2)
date           2020-09-13 12:26:40 UTC
program        not recorded
machine        Linux
trace id       0000000000001234
clock          1,000,000 ticks per second, offset 1000
duration       5.000 ms from the first to the last event
size           2 processes, 2 locations, 10 events, 1 matched message
to analyse     about 1.0 µs on one core; up to 64 MiB of memory
processes      2, ranks 0 to 1
hosts          not recorded
locations      2 cpu_thread
communicators  none

events by type
  4   40.0 %  enter
  4   40.0 %  exit
  1   10.0 %  send
  1   10.0 %  recv

Nothing is missing from this trace, and it has no anomalies.
)");
}

TEST(InfoText, program_and_ranks_of_each_host) {
  AnalysisResult result = full_result();
  const auto text = [&] { return info_text(result, {}); };
  EXPECT_NE(text().find("\nprogram        /home/a/p2p\n"), std::string::npos) << text();
  EXPECT_NE(text().find("\nhosts          1: node1 (ranks 0 to 1)\n"), std::string::npos) << text();
  Definitions& d = result.definitions;
  for (const std::uint64_t not_recorded : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    d.clock.realtime = not_recorded;
    EXPECT_NE(text().find("\ndate           not recorded\n"), std::string::npos) << text();
  }
  // Ranks alternate: even ones on "a", odd ones on "b", which is recognised by its domain; rank 7 is on a socket of
  // "b".
  d.system_tree = {{1, "a", "node", SystemNodeId::none(), {}, {}},
                   {2, "b", "blade", SystemNodeId::none(), {SystemTreeDomain::shared_memory}, {}},
                   {3, "socket 1", "socket", SystemNodeId{1}, {SystemTreeDomain::socket}, {}}};
  d.processes.resize(1);
  const LocationGroup first = d.processes[0];
  for (std::int64_t rank = 1; rank < 8; ++rank) {
    LocationGroup& process = d.processes.emplace_back(first);
    process.rank = rank;
    process.parent = SystemNodeId{rank == 7 ? 2u : static_cast<std::uint32_t>(rank % 2)};
  }
  EXPECT_NE(text().find("\nhosts          2: a (ranks 0, 2, 4 and 6), b (ranks 1, 3, 5 and 7)\n"), std::string::npos)
      << text();
  for (std::int64_t rank = 8; rank < 12; ++rank) {
    LocationGroup& process = d.processes.emplace_back(first);
    process.rank = rank;
  }
  EXPECT_NE(text().find("2: a (8 ranks from 0 to 11), b"), std::string::npos) << text();
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

TEST(Names, accelerators_are_told_apart_by_whose_they_are) {
  Definitions d;
  for (const std::uint32_t rank : {0u, 1u}) {
    LocationGroup process, device;
    process.rank = rank;
    process.locations = {LocationId{d.locations.size()}};
    device.name = "HIP Context 0";
    device.type = LocationGroupType::accelerator;
    device.creator = ProcessId{d.processes.size()};
    device.locations = {LocationId{d.locations.size() + 1}};
    if (rank == 1) device.locations.push_back(LocationId{d.locations.size() + 2});
    for (const char* name : {"Master thread", "HIP[0:1]", "HIP[0:2]"}) {
      if (rank == 0 && name[6] == '2') continue;
      Location location;
      location.name = name;
      location.type = name[0] == 'M' ? LocationType::cpu_thread : LocationType::accelerator_stream;
      location.process = ProcessId{d.processes.size() + (name[0] == 'M' ? 0 : 1)};
      d.locations.push_back(location);
    }
    d.processes.push_back(process);
    d.processes.push_back(device);
  }
  EXPECT_EQ(process_label(d, ProcessId{1}), "rank 0 HIP Context 0");
  EXPECT_EQ(process_label(d, ProcessId{3}), "rank 1 HIP Context 0");
  EXPECT_EQ(location_label(d, LocationId{1}), "rank 0 HIP[0:1]");
  EXPECT_EQ(location_label(d, LocationId{3}), "rank 1 HIP Context 0 HIP[0:1]");
  EXPECT_EQ(location_label(d, LocationId{4}), "rank 1 HIP Context 0 HIP[0:2]");
  EXPECT_EQ(process_label(d, ProcessId{2}), "rank 1");
  d.processes[1].creator = ProcessId{1};  // damaged definitions
  EXPECT_EQ(process_label(d, ProcessId{1}), "HIP Context 0");
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

TEST(Units, durations_have_four_digits_and_the_unit_that_fits) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(2.059419), "2.059 s");
  EXPECT_EQ(duration_text(0.2734), "273.4 ms");
  EXPECT_EQ(duration_text(0.00152), "1.520 ms");
  EXPECT_EQ(duration_text(0.0000015), "1.500 µs");
  EXPECT_EQ(duration_text(0.00000004), "40.00 ns");
  EXPECT_EQ(duration_text(0.0000000005), "0.5 ns");
  EXPECT_EQ(duration_text(-0.0002), "-200.0 µs");
  EXPECT_EQ(duration_text(12.345), "12.35 s");
  EXPECT_EQ(duration_text(1234.56), "1,235 s");
  EXPECT_EQ(duration_text(1234567.8), "1,234,568 s");
  EXPECT_EQ(duration_text(0.2734, 6), "273.400 ms");
}

// A value that rounds to 1 of the next unit has that unit, and one that rounds to a power of ten has a digit less
// behind the point.
TEST(Units, durations_that_round_up) {
  EXPECT_EQ(duration_text(0.99995), "1.000 s");
  EXPECT_EQ(duration_text(0.99994), "999.9 ms");
  EXPECT_EQ(duration_text(0.0009999600), "1.000 ms");
  EXPECT_EQ(duration_text(9.99960), "10.00 s");
  EXPECT_EQ(duration_text(9.99940), "9.999 s");
  EXPECT_EQ(duration_text(99.9960), "100.0 s");
  EXPECT_EQ(duration_text(999.960), "1,000 s");
}

TEST(Units, no_duration_looks_like_zero) {
  Clock clock;
  clock.resolution = 1'000'000'000;
  const Seconds seconds(clock, 1'000'000'000'000);
  EXPECT_EQ(seconds.duration(1), "1.000 ns");
  EXPECT_EQ(seconds.instant(300), "300.0 ns");
  EXPECT_EQ(seconds.instant(0), "0.000000 s");
}

TEST(Units, decimals_of_points_in_time_by_the_largest_duration) {
  Clock clock;
  clock.resolution = 1000;
  EXPECT_EQ(Seconds(clock, 99).instant(5), "0.005000000 s");
  EXPECT_EQ(Seconds(clock, 100).instant(5), "0.005000 s");
  EXPECT_EQ(Seconds(clock, 10'000'000).instant(5), "0.005 s");
}

TEST(Layout, call_paths_are_cut_at_slashes_and_keep_both_ends) {
  const std::string path = "program/main/solve/exchange/MPI_Waitall";
  EXPECT_EQ(shorten_path(path, 39), path);
  EXPECT_EQ(shorten_path(path, 38), "program/…/solve/exchange/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 35), "program/…/exchange/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 21), "program/…/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 20), "…/MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 12), "…MPI_Waitall");
  EXPECT_EQ(shorten_path(path, 8), "MPI_…all");
  EXPECT_EQ(shorten_path(path, 1), "…");
}

TEST(Layout, shortened_names_stay_different) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(shorten_paths({"main/a/solve/MPI_Recv", "main/b/solve/MPI_Recv", "main"}, 16),
            (Names{"…/a/…/MPI_Recv", "…/b/…/MPI_Recv", "main"}));
  EXPECT_EQ(shorten_paths({"alternative_one_of_them", "alternative_two_of_them"}, 12),
            (Names{"altern…_them", "alte…them #2"}));
  EXPECT_EQ(shorten_paths({"main/x/MPI_Recv", "main/x/MPI_Recv"}, 11), (Names{"…/MPI_Recv", "…/MPI_Recv"}));
}

TEST(Layout, columns_with_nothing_in_a_row_are_left_out) {
  EXPECT_EQ(aligned_table({{"name", "A", "note", "B"}, {"one", "1", "", ""}, {"two", "2", "", "3"}}, {}),
            "name  A  B\none   1\ntwo   2  3\n");
  EXPECT_EQ(aligned_table({{"name", "A"}, {"", ""}}, {}), "name\n\n");
}

TEST(Layout, columns_are_code_points) {
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(right("ö", 3), "  ö");
  EXPECT_EQ(shorten_path("öööööööö/ä", 6), "…/ä");
  EXPECT_EQ(shorten_path("öööööööö", 5), "öö…öö");
}

TEST(Layout, paragraphs_are_indented_by_their_lead) {
  EXPECT_EQ(paragraph("  7  ", "one two three", 12), "  7  one two\n     three\n");
  EXPECT_EQ(paragraph("  ", "averyveryverylongword b", 10), "  averyveryverylongword\n  b\n");
  EXPECT_EQ(paragraph("  ", "", 10), "  \n");
}

TEST(Layout, a_number_stays_with_its_unit) {
  EXPECT_EQ(paragraph("", "waited 12.5 s, or 3 % so", 10), "waited\n12.5 s, or\n3 % so\n");
  EXPECT_EQ(paragraph("", "number 1 sends", 8), "number 1\nsends\n");
}

TEST(Layout, a_hostile_name_cannot_control_the_terminal) {
  AnalysisResult result = small_result();
  result.definitions.regions[2].name = "MPI\x1b[2J\n";
  EXPECT_NE(analysis_text(result, {}).find("\"x\">/MPI?[2J? at p2p.c:3, where"), std::string::npos);
}

}  // namespace
}  // namespace waitstate::test
