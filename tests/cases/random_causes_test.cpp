// Causes and ideal waits of random traces, computed in one pass, equal those of the explicit graph of the trace
// (support/explicit_causes.hpp). How many cases, and which: support/random_scripts.hpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "access/dependencies/dependency_graph.hpp"
#include "analysis/internal_options.hpp"
#include "support/case_file.hpp"
#include "support/explicit_causes.hpp"
#include "support/explicit_ideal_waits.hpp"
#include "support/random_scripts.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

using support::RandomTrace;
using support::TraceFile;

AnalysisResult on_request(const std::filesystem::path& trace, const std::vector<std::string>& patterns,
                          bool all_waits = false, int parts = 1, std::size_t chunk_events = 0) {
  AnalysisOptions options;
  options.threads = 1;
  options.chunk_events = chunk_events;
  options.built_in = false;
  PatternRegistry registry;
  if (all_waits) registry.set("critical_path.all_waits", "1");
  registry.set("delay.parts", std::to_string(parts));
  options.patterns = registry.chosen(patterns, {});
  return analyze(trace, options);
}

// A thread of a team may be in the trace without events: causes then count it as missing, and the graph does not.
bool has_silent_thread(const EventTrace& trace) {
  std::vector<bool> heard(trace.location_count());
  for (Position pos = 0; pos < trace.size(); ++pos)
    if (const LocationId l = trace.event(pos).loc; l.index() < heard.size()) heard[l.index()] = true;
  for (const Comm& comm : trace.definitions().comms)
    for (const LocationId l : comm.members)
      if (comm.paradigm != Paradigm::mpi && (!l.valid() || !heard[l.index()])) return true;
  return false;
}

std::string causes_that_differ(const std::string& text, bool all_waits) {
  const TraceFile file(text);
  if (has_silent_thread(EventTrace(file.path()))) return "";
  const support::CauseTable expected = support::explicit_causes(EventTrace(file.path()), all_waits);
  std::string differ;
  const std::pair<int, std::size_t> parts_and_chunks[] = {{1, 0}, {3, 1}};
  for (const auto& [parts, chunk_events] : parts_and_chunks)
    differ += support::differences(expected,
                                   on_request(file.path(), {"critical_path", "delay"}, all_waits, parts, chunk_events),
                                   support::cause_metrics());
  return differ;
}
// Also by parts of the locations, on threads of their own.
std::string ideal_waits_that_differ(const std::string& text) {
  const TraceFile file(text);
  const support::CauseTable expected = support::explicit_ideal_waits(EventTrace(file.path()));
  std::string differ = support::differences(expected, on_request(file.path(), {"mpi_ideal_wait"}), {"mpi_ideal_wait"});
  AnalysisOptions options;
  options.threads = 3;
  options.built_in = false;
  options.patterns = PatternRegistry().chosen({"mpi_ideal_wait"}, {});
  const AnalysisResult in_parts = analysis::analyze(file.path(), options, {.delay = 7});
  return differ + support::differences(expected, in_parts, {"mpi_ideal_wait"});
}

TEST(RandomCauses, equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), false); });
}

// Of Alltoallv, Alltoallw, non-blocking and neighbourhood collective operations too.
TEST(RandomCauses, of_all_waits_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.neighbours = true});
}

TEST(RandomCauses, of_one_sided_waits_and_locks_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.more = true, .passive = true});
}

TEST(RandomCauses, of_teams_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), false); },
                 {.teams = true});
}

TEST(RandomCauses, of_all_waits_in_teams_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.more = true, .passive = true, .teams = true});
}

TEST(RandomCauses, of_tasks_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.more = true, .teams = true, .tasks = true});
}

TEST(RandomCauses, of_accelerators_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.streams = true});
}

TEST(RandomCauses, of_everything_at_once_equal_those_of_the_explicit_graph) {
  support::check(150, [](const RandomTrace& trace) { return causes_that_differ(trace.text(), true); },
                 {.more = true, .passive = true, .neighbours = true, .teams = true, .tasks = true, .streams = true});
}

TEST(RandomCauses, ideal_waits_equal_those_of_a_slow_replay) {
  support::check(150, [](const RandomTrace& trace) { return ideal_waits_that_differ(trace.text()); });
}

TEST(RandomCauses, ideal_waits_of_one_sided_operations_equal_those_of_a_slow_replay) {
  support::check(150, [](const RandomTrace& trace) { return ideal_waits_that_differ(trace.text()); }, {.more = true});
}

// No location is later on the ideal machine than it was, nor earlier than its own work lets it: the first threads' time
// outside of MPI with the ideal waits is at most their time.
TEST(RandomCauses, no_ideal_run_is_longer_than_the_run) {
  support::check(100, [](const RandomTrace& trace) {
    const TraceFile file(trace.text());
    const AnalysisResult r = on_request(file.path(), {"mpi_ideal_wait"});
    std::map<std::uint32_t, Ticks> ideal, run;
    for (const SeverityRow& row : r.table()) {
      const std::string& id = r.metrics[row.metric].id;
      if (id == "time") ideal[row.location.value] += row.value, run[row.location.value] += row.value;
      if (id == "mpi") ideal[row.location.value] -= row.value;
      if (id == "mpi_ideal_wait") ideal[row.location.value] += row.value;
    }
    std::string wrong;
    for (const auto& [location, ticks] : ideal)
      if (ticks > run[location]) wrong += fmt::format("location {}: {} of {}\n", location, ticks, run[location]);
    return wrong;
  });
}

// The graph's path through chain.case, whose numbers are derived there by hand: it has the whole length of the run, and
// another wait changes the table.
TEST(RandomCauses, the_graph_has_the_path_of_the_case) {
  const support::CaseFile chain =
      support::read_case(std::filesystem::path(WAITSTATE_CASES) / "critical_path/chain.case");
  const TraceFile file(chain.trace);
  const EventTrace trace(file.path());
  const access::DependencyGraph graph(trace);
  std::string path;
  for (const auto v : graph.critical_path())
    path += fmt::format("{} {}\n", graph[v].location.value, access::name(graph[v].kind));
  EXPECT_EQ(path, "0 departure\n0 send\n1 receive\n1 send\n2 receive\n2 arrival\n2 departure\n");
  support::CauseTable table = support::explicit_causes(trace);
  EXPECT_EQ((table[{"critical_path", "main/work", 0}]), 100);
  table[{"critical_path", "main/work", 0}] = 101;
  EXPECT_EQ(support::differences(table, on_request(file.path(), {"critical_path", "delay"}), {"critical_path"}),
            "critical_path,main/work,0: 101 in the graph, 100 in one pass\n");
}

// A run behind another one has the same numbers of acquisitions: nobody waits for a release in the other run.
TEST(RandomCauses, numbers_of_locks_that_begin_anew_are_no_circle) {
  std::string text = "process 0\nlocation 0 process=0\nlocation 1 process=0\n0 0 enter main\n1 0 enter main\n";
  for (const int at : {0, 100})
    text += fmt::format(
        "0 {} enter pthread_mutex_lock\n0 {} thread_acquire_lock paradigm=pthread lock=0 order=1\n0 {} exit\n"
        "1 {} enter pthread_mutex_lock\n"
        "0 {} enter pthread_mutex_unlock\n0 {} thread_release_lock paradigm=pthread lock=0 order=1\n0 {} exit\n"
        "1 {} thread_acquire_lock paradigm=pthread lock=0 order=2\n1 {} exit\n"
        "1 {} enter pthread_mutex_unlock\n1 {} thread_release_lock paradigm=pthread lock=0 order=2\n1 {} exit\n",
        at + 10, at + 11, at + 11, at + 15, at + 30, at + 31, at + 31, at + 32, at + 32, at + 35, at + 36, at + 36);
  text += "0 200 exit\n1 210 exit\n";
  const TraceFile file(text);
  const access::DependencyGraph graph(EventTrace(file.path()), true);
  EXPECT_FALSE(graph.critical_path().empty());
  Ticks waited = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) waited += graph[v].wait;
  EXPECT_EQ(waited, 2 * 16);
  EXPECT_EQ(causes_that_differ(text, true), "");
}

// Each kind of cause is there, often enough to mean something.
TEST(RandomCauses, have_every_metric) {
  using PointKind = access::DependencyGraph::PointKind;
  std::map<std::string, int> rows;
  std::map<std::optional<PointKind>, int> waits, for_releases;
  support::check(1000,
                 [&](const RandomTrace& trace) {
                   const TraceFile file(trace.text());
                   for (const auto& [key, ticks] : support::explicit_causes(EventTrace(file.path()), true))
                     if (ticks >= 1) ++rows[std::get<0>(key)];
                   const access::DependencyGraph graph(EventTrace(file.path()), true);
                   for (std::size_t v = 0; v < graph.size(); ++v) {
                     if (graph[v].wait > 0) ++waits[graph[v].point];
                     for (const auto& e : boost::make_iterator_range(boost::in_edges(v, graph.graph())))
                       if (graph.graph()[e].kind == access::DependencyGraph::EdgeKind::late_receiver)
                         ++for_releases[graph[v].point];
                   }
                   return std::string();
                 },
                 {.more = true, .passive = true, .neighbours = true, .teams = true, .tasks = true, .streams = true});
  // A wait for a lock of a thread that waited itself since the two had met is rare: cases/delay has it.
  rows["delay_lock_longterm"] = 1;
  rows["delay_device_longterm"] = 1;  // streams wait for nobody
  for (const std::string& metric : support::cause_metrics()) EXPECT_GE(rows[metric], 1) << metric;
  for (std::size_t i = 0; i < std::size(causes::point_columns::rows); ++i)
    if (const auto kind = static_cast<PointKind>(i); causes::traits(kind).costs || kind == PointKind::finalize) {
      EXPECT_GE(waits[kind], 5) << i;
    }
  for (const PointKind kind : {PointKind::passive_target, PointKind::shmem_pair}) {
    EXPECT_GE(for_releases[kind], 5) << int(kind);
    EXPECT_GE(waits[kind] - for_releases[kind], 5) << int(kind);
  }
}

}  // namespace
}  // namespace waitstate
