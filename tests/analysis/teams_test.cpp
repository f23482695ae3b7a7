// Thread teams: call paths of workers in the event stream, the chosen time, region and locations, and the compound
// events that patterns of one's own receive. Severities are in tests/cases/omp_*. Long because the traces stand here
// whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using Rows = std::vector<std::string>;
using support::TraceFile;

// Master [10,100) from fork to join, in the region from 30 to 80; worker in it from 35 to 85. A critical section: the
// master has it from 40 to 50, the worker came at 45. A barrier: 60 and 70.
constexpr const char* one_team = R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name="!$omp critical @a.c:2" role=critical paradigm=openmp
region 3 name="!$omp barrier @a.c:3" role=barrier paradigm=openmp
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 25 thread_team_begin team=0
0 30 enter #1
0 40 enter #2
0 40 thread_acquire_lock paradigm=openmp lock=3 order=1
0 50 thread_release_lock paradigm=openmp lock=3 order=1
0 51 exit
0 60 enter #3
0 72 exit
0 80 exit
0 81 thread_team_end team=0
0 100 thread_join paradigm=openmp
0 120 exit
1 28 thread_team_begin team=0
1 35 enter #1
1 45 enter #2
1 52 thread_acquire_lock paradigm=openmp lock=3 order=2
1 55 thread_release_lock paradigm=openmp lock=3 order=2
1 56 exit
1 70 enter #3
1 71 exit
1 85 exit
1 86 thread_team_end team=0
)";

class TeamTrace : public testing::Test {
 protected:
  Rows rows(const AnalysisOptions& options, const std::vector<std::string>& metrics) {
    const AnalysisResult r = analyze(trace_.path(), options);
    Rows found;
    for (const SeverityRow& row : r.table())
      for (const std::string& id : metrics)
        if (row.metric == r.metrics.at(id))
          found.push_back(id + " " + r.call_tree.path(row.callpath, r.definitions) + " " +
                          std::to_string(row.location.value) + " " + std::to_string(row.value));
    return found;
  }
  static AnalysisOptions window(Time from, Time to) {
    AnalysisOptions options;
    options.focus.from = from, options.focus.to = to;
    return options;
  }

  const TraceFile trace_{one_team};
};

TEST_F(TeamTrace, WorkersEventsHaveTheCallPathOfTheFork) {
  for (const unsigned threads : {1u, 2u})
    for (const std::size_t chunk : {1, 2, 7, 0}) {
      EventTraceOptions options;
      options.threads = threads, options.chunk_events = chunk;
      const EventTrace trace(trace_.path(), options);
      Rows entered;
      for (Position pos = 0; pos < trace.size(); ++pos) {
        const Event e = trace.event(pos);
        if (e.type == EventType::enter && e.loc == LocationId{1})
          entered.push_back(trace.call_tree().path(e.callpath, trace.definitions()));
      }
      EXPECT_EQ(entered, (Rows{"main/!$omp parallel @a.c:1", "main/!$omp parallel @a.c:1/!$omp critical @a.c:2",
                               "main/!$omp parallel @a.c:1/!$omp barrier @a.c:3"}))
          << threads << " threads, chunks of " << chunk;
    }
}

TEST_F(TeamTrace, ForkAndJoinAreCutAtTheChosenTime) {
  const std::vector<std::string> metrics{"visits", "omp_management", "omp_fork"};
  const std::string parallel = " main/!$omp parallel @a.c:1 ";
  EXPECT_EQ(rows(window(20, 60), metrics),
            (Rows{"omp_management" + parallel + "0 10", "omp_management" + parallel + "1 15",
                  "omp_fork" + parallel + "0 10", "omp_fork" + parallel + "1 15", "visits" + parallel + "0 1",
                  "visits" + parallel + "1 1", "visits main/!$omp parallel @a.c:1/!$omp critical @a.c:2 0 1",
                  "visits main/!$omp parallel @a.c:1/!$omp critical @a.c:2 1 1"}));
  // Before anybody has entered the region, and after both have left it.
  EXPECT_EQ(rows(window(0, 20), metrics),
            (Rows{"omp_management" + parallel + "0 10", "omp_management" + parallel + "1 10",
                  "omp_fork" + parallel + "0 10", "omp_fork" + parallel + "1 10", "visits main 0 1"}));
  EXPECT_EQ(rows(window(90, 110), metrics),
            (Rows{"omp_management" + parallel + "0 10", "omp_management" + parallel + "1 10"}));
}

TEST_F(TeamTrace, TimesOfWindowsAddUp) {
  std::map<std::string, std::int64_t> sums;
  for (const auto& [from, to] :
       {std::pair<Time, Time>{0, 29}, {29, 33}, {33, 60}, {60, 83}, {83, 85}, {85, 101}, {101, 200}})
    for (const std::size_t chunk : {1, 0}) {
      AnalysisOptions options = window(from, to);
      options.chunk_events = chunk;
      for (const std::string& row : rows(options, {"time", "omp_management", "omp_ebarrier_wait"})) {
        const std::size_t blank = row.rfind(' ');
        sums[row.substr(0, blank)] += std::stoll(row.substr(blank + 1));
      }
    }
  std::map<std::string, std::int64_t> whole;
  for (const std::string& row : rows({}, {"time", "omp_management", "omp_ebarrier_wait"})) {
    const std::size_t blank = row.rfind(' ');
    whole[row.substr(0, blank)] += 2 * std::stoll(row.substr(blank + 1));
  }
  EXPECT_EQ(sums, whole);
}

TEST_F(TeamTrace, RegionAndLocationCanBeChosen) {
  AnalysisOptions options;
  options.focus.region = "!$omp parallel @a.c:1";
  options.focus.locations = {LocationId{1}};
  EXPECT_EQ(rows(options, {"time"}),
            (Rows{"time main/!$omp parallel @a.c:1 1 78", "time main/!$omp parallel @a.c:1/!$omp critical @a.c:2 1 11",
                  "time main/!$omp parallel @a.c:1/!$omp barrier @a.c:3 1 1"}));
}

struct TellTeams : Pattern {
  explicit TellTeams(Rows& told) : told_(told) {}
  PatternInfo info() const override {
    return {.metrics = {{"tell_teams", "", Unit::occurrences, false, "Told", "What was told."}}};
  }
  void team_barrier_callback(const TeamBarrier& b, Context&) override {
    std::string row = std::string(name(b.region_class));
    for (const Call* c : b.members)
      row += " " + std::to_string(c->location.value) + ":" + std::to_string(c->enter) + "-" + std::to_string(c->exit);
    told_.push_back(row);
  }
  void lock_acquired_callback(const LockAcquired& a, Context& c) override {
    const auto& [call, acquire_time, released, time] = a;
    told_.push_back("lock by " + std::to_string(call.location.value) + " from " +
                    std::to_string(released.location.value) + " at " + std::to_string(time) + " until " +
                    std::to_string(acquire_time) + " in " + c.call_tree().path(released.callpath, c.definitions()));
  }

 private:
  Rows& told_;
};

TEST_F(TeamTrace, PatternsAreToldBarriersAndLocks) {
  Rows told;
  AnalysisOptions options;
  options.patterns = {make_pattern<TellTeams>(told)};
  analyze(trace_.path(), options);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (Rows{"lock by 1 from 0 at 50 until 52 in main/!$omp parallel @a.c:1/!$omp critical @a.c:2",
                        "omp_ebarrier 0:60-72 1:70-71"}));
}

// Thread 1 comes last to the barrier, because it was in MPI_Recv before, and not in the work that took it less time.
TEST(TeamWaits, CulpritsOfBarriersMayHaveBeenInMpi) {
  const TraceFile trace(R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name="!$omp barrier @a.c:3" role=barrier paradigm=openmp
process 0
process 1
location 0 process=0
location 1 process=0
location 2 process=1
comm 0 paradigm=openmp members=(0,1)
comm 1 paradigm=mpi members=(0,2)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 20 enter #2
0 80 exit
0 90 exit
0 90 thread_team_end team=0
0 90 thread_join paradigm=openmp
0 95 exit
1 10 thread_team_begin team=0
1 10 enter #1
1 15 enter MPI_Recv
1 60 recv src=2 tag=1 com=1 len=8
1 60 exit
1 60 enter work
1 75 exit
1 75 enter #2
1 80 exit
1 90 exit
1 90 thread_team_end team=0
2 0 enter main
2 50 enter MPI_Send
2 55 send dest=0 tag=1 com=1 len=8
2 56 exit
2 95 exit
)");
  const AnalysisResult r = analyze(trace.path());
  const auto wait = r.waits.find(r.metrics.at("omp_ebarrier_wait"));
  ASSERT_NE(wait, r.waits.end());
  ASSERT_EQ(wait->second.causes.size(), 1u);
  EXPECT_EQ(r.call_tree.path(wait->second.causes.begin()->first.first, r.definitions),
            "main/!$omp parallel @a.c:1/MPI_Recv");
}

// Findings in a damaged trace must not depend on how far each location has been read at any time.
// Thread 1 waits in the barrier from 20 on, and executes a task from 30 to 40 that enters and leaves more regions than
// go into a chunk. Thread 0 creates the task at 25 and comes at 100: 100 - 20 - 10; no task is ready before 25.
TEST(TeamWaits, ABarrierMayBeLongerThanAChunk) {
  std::string text = R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name="!$omp implicit barrier @a.c:9" role=implicit_barrier paradigm=openmp
region 3 name="!$omp task @a.c:4" role=task paradigm=openmp
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 25 thread_task_create team=0 creator=0 generation=1
0 100 enter #2
0 110 exit
0 110 exit
0 110 thread_team_end team=0
0 110 thread_join paradigm=openmp
0 120 exit
1 10 thread_team_begin team=0
1 10 enter #1
1 20 enter #2
1 30 thread_task_switch team=0 creator=0 generation=1
1 30 enter #3
)";
  for (int i = 0; i < 540'000; ++i) text += "1 35 enter f\n1 35 exit\n";
  text += R"(1 40 exit
1 40 thread_task_complete team=0 creator=0 generation=1
1 40 thread_task_switch team=0 creator=1 generation=0
1 110 exit
1 110 exit
1 110 thread_team_end team=0
)";
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("waitstate_long." + std::to_string(::getpid()) + ".trace");
  std::ofstream(path) << text;
  for (const unsigned threads : {1u, 2u}) {
    AnalysisOptions options;
    options.threads = threads;
    const AnalysisResult r = analyze(path, options);
    const auto sum = [&](const char* metric) {
      std::int64_t ticks = 0;
      for (const SeverityRow& row : r.table())
        if (row.metric == r.metrics.at(metric)) ticks += row.value;
      return ticks;
    };
    EXPECT_EQ(sum("omp_ibarrier_wait"), 70);
    EXPECT_EQ(sum("omp_task_starvation"), 5);
    EXPECT_EQ(sum("omp_ibarrier"), 90);
  }
  std::filesystem::remove(path);
}

TEST(DamagedTeams, ResultsDoNotDependOnChunks) {
  const std::string declared = R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name="!$omp parallel @a.c:5" role=parallel paradigm=openmp
region 3 name="!$omp barrier @a.c:2" role=barrier paradigm=openmp
region 4 name="!$omp implicit barrier @a.c:3" role=implicit_barrier paradigm=openmp
region 5 name=r5
region 6 name=r6
region 7 name=r7
region 8 name=r8
region 9 name=r9
region 10 name=r10
region 11 name=pthread_mutex_lock paradigm=pthread
process 0
process 1
)";
  const std::vector<std::pair<std::string, std::string>> traces{
      {"more threads come to a barrier than were asked for", R"(location 0 process=0
location 1 process=0
location 2 process=0
location 3 process=0
comm 0 paradigm=openmp members=(0)
comm 1 paradigm=openmp members=(0,1,2)
comm 2 paradigm=pthread members=(0,1,2,3)
0 11 thread_fork paradigm=openmp requested=2
0 12 thread_team_begin team=1
0 28 thread_create contingent=2 sequence=3
1 34 thread_team_begin team=1
2 35 thread_team_begin team=1
0 38 enter #4
1 57 enter #4
2 61 enter #4
1 64 exit #4
)"},
      {"the same, by one who begins late", R"(location 0 process=0
location 1 process=0
location 2 process=0
location 3 process=0
comm 0 paradigm=openmp members=(0,1,2)
comm 1 paradigm=pthread members=(0,1,2,3)
1 12 thread_team_begin team=0
0 10 thread_fork paradigm=openmp requested=2
0 11 thread_team_begin team=0
1 15 thread_create contingent=1 sequence=3
0 13 enter #4
1 18 enter #4
2 24 thread_team_begin team=0
2 29 enter #4
0 31 exit #4
)"},
      {"master and worker wait for each other", R"(location 0 process=0
location 1 process=0
location 2 process=0
location 3 process=0
location 4 process=0
location 5 process=0
location 6 process=0
location 7 process=0
location 8 process=0
comm 0 paradigm=openmp members=(0,1,2,3)
comm 1 paradigm=openmp members=(0,4,5)
comm 2 paradigm=pthread members=(0,1,2,3,4,5,6,7,8)
0 52 thread_fork paradigm=openmp requested=2
0 112 thread_create contingent=2 sequence=8
0 52 thread_team_begin team=1
4 109 thread_team_begin team=1
4 111 enter #2
)"},
      {"one fork of several is lost", R"(location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 3 enter #0
0 40 exit #4
0 20 thread_team_begin team=0
0 34 thread_fork paradigm=openmp requested=2
0 36 thread_team_begin team=0
1 36 thread_team_begin team=0
1 36 enter #1
)"},
      {"the same, of the first one", R"(location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 5 enter #0
0 8 thread_team_begin team=0
1 7 thread_team_begin team=0
0 30 thread_fork paradigm=openmp requested=2
0 31 thread_team_begin team=0
1 31 enter #1
)"},
      {"a thread of a nested team begins before its fork is known", R"(location 0 process=0
location 1 process=0
location 2 process=0
location 3 process=0
comm 0 paradigm=openmp members=(0,1)
comm 1 paradigm=openmp members=(0,2,3)
3 136 enter #0
0 122 thread_fork paradigm=openmp requested=1
0 123 thread_team_begin team=0
0 126 enter #1
0 130 thread_fork paradigm=openmp requested=3
0 132 thread_team_begin team=1
3 131 thread_team_begin team=1
0 219 thread_join paradigm=openmp
0 227 thread_join paradigm=openmp
)"},
      {"a number of a lock comes twice", R"(location 0 process=0
location 1 process=0
0 0 enter main
0 20 thread_acquire_lock paradigm=pthread lock=0 order=9
0 100 thread_release_lock paradigm=pthread lock=0 order=9
0 420 thread_acquire_lock paradigm=pthread lock=0 order=9
0 500 thread_release_lock paradigm=pthread lock=0 order=9
0 600 exit
1 0 enter main
1 90 enter #11
1 110 thread_acquire_lock paradigm=pthread lock=0 order=10
1 115 exit
1 120 thread_release_lock paradigm=pthread lock=0 order=10
1 480 enter #11
1 510 thread_acquire_lock paradigm=pthread lock=0 order=10
1 515 exit
1 520 thread_release_lock paradigm=pthread lock=0 order=10
1 600 exit
)"},
  };
  for (const auto& [what, text] : traces) {
    const TraceFile trace(declared + text);
    const auto rows = [&](unsigned threads, std::size_t chunk) {
      AnalysisOptions options;
      options.threads = threads, options.chunk_events = chunk;
      const AnalysisResult r = analyze(trace.path(), options);
      Rows found;
      for (const SeverityRow& row : r.table())
        found.push_back(r.metrics[row.metric].id + " " + r.call_tree.path(row.callpath, r.definitions) + " " +
                        std::to_string(row.location.value) + " " + std::to_string(row.value));
      for (const auto& [metric, waits] : r.waits)
        for (const auto& [who, wait] : waits.pairs)
          found.push_back(r.metrics[metric].id + " " + std::to_string(who.first.value) + " " +
                          std::to_string(who.second.value) + " " + std::to_string(wait.ticks));
      std::sort(found.begin(), found.end());
      return found;
    };
    const Rows expected = rows(1, 0);
    EXPECT_FALSE(expected.empty()) << what;
    for (const std::size_t chunk : {1, 3, 50})
      for (const unsigned threads : {1u, 2u})
        EXPECT_EQ(rows(threads, chunk), expected) << what << ", chunks of " << chunk;
  }
}

}  // namespace
}  // namespace waitstate
