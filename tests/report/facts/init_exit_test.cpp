// Values, shares and efficiency with and without MPI_Init and MPI_Finalize: the parts that are left out, what each
// report shows, and that a report that is read back says the same.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "report/facts/efficiency.hpp"
#include "report/facts/scope.hpp"
#include "report/facts/totals.hpp"
#include "report/json/json_reader.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/tables/views.hpp"
#include "report/words/efficiency.hpp"
#include "report/words/scope.hpp"
#include "support/case_file.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/result/report.hpp"

namespace waitstate::test {
namespace {

using namespace report;
using support::TraceFile;

// Rank 0 is in MPI_Init for 4000 and in MPI_Finalize for 1000 of its 10000 ticks, rank 1 for 4000 and 1500: 10500 of
// 20000, which leaves 5000 and 4500. Computation: 3000 and 4400. The message is 1500 late, rank 1 waits 500 in
// MPI_Finalize.
constexpr const char* short_run = R"(clock resolution=1000000
0 0 enter main
0 0 enter MPI_Init
0 4000 exit
0 6000 enter MPI_Recv
0 8000 recv src=1 tag=7 com=0 len=8
0 8000 exit
0 9000 enter MPI_Finalize
0 10000 exit
0 10000 exit
1 0 enter main
1 0 enter MPI_Init
1 4000 exit
1 7500 enter MPI_Send
1 7550 send dest=0 tag=7 com=0 len=8
1 7600 exit
1 8500 enter MPI_Finalize
1 10000 exit
1 10000 exit
)";

AnalysisResult analysed(std::string_view text, const Focus& focus = {}) {
  const TraceFile trace(text);
  AnalysisOptions options;
  options.focus = focus;
  return analyze(trace.path(), options);
}

std::string whole_text(const AnalysisResult& result, bool full = false) {
  TextOptions options;
  options.full = full;
  return analysis_text(result, {}, options);
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(InitExit, the_summary_is_of_the_time_without_them_and_says_so) {
  const std::string text = whole_text(analysed(short_run));
  EXPECT_EQ(text.substr(text.find("\ntotal time")), R"(
total time     20.00 ms in all locations together, in a run of 10.00 ms
of which       9.500 ms (47.5 %) without MPI_Init and MPI_Finalize: times and shares below refer to
               this time
efficiency     parallel 74.0 % (mean computation of processes / run time) = load balance 84.1 %
               (mean / largest computation) x communication 88.0 % (largest computation / run time)

1. Late Sender (mpi_latesender): 1.500 ms, 15.8 % of the time. All in main/MPI_Recv, where rank 0
   waited up to 1.500 ms in one call for rank 1, which came late.
2. MPI finalize wait (mpi_finalize_wait): 500.0 µs, 2.5 % of the total time. All in
   main/MPI_Finalize, where rank 1 waited up to 500.0 µs in one call for rank 0, which was in main.

21.1 % of the time is spent in MPI_Recv: 15.8 % Late Sender, 5.3 % transfer.
1.1 % of the time is spent in MPI_Send: 1.1 % transfer.

metric                         value  % of time
time                        9.500 ms      100.0
  comp                      7.400 ms       77.9
  mpi_point2point           2.100 ms       22.1
    mpi_latesender          1.500 ms       15.8
      slow_slaves           1.500 ms       15.8
  dominating_communication  2.000 ms       21.1
  uneven_mp_distribution    2.100 ms       22.1
mpi_accounted               2.100 ms       22.1
  mpi_wait                  1.500 ms       15.8
  mpi_transfer              600.0 µs        6.3
costs                       2.100 ms       22.1

Nothing is missing from this trace, and it has no anomalies.
Statistics, instances, places and all metrics: --full
)");
}

TEST(InitExit, in_full_both_are_there) {
  const std::string text = whole_text(analysed(short_run), true);
  EXPECT_TRUE(says(text,
                   "\nof which       9.500 ms (47.5 %) without MPI_Init and MPI_Finalize: efficiency, problems "
                   "and wait\n               states refer to this time\n"))
      << text;
  EXPECT_TRUE(says(text, "\nefficiency     parallel 74.0 % ")) << text;
  EXPECT_TRUE(says(text, "\nof the whole   parallel 37.0 % ")) << text;
  EXPECT_TRUE(says(text,
                   "\nmetric                               value  % of time  without init/exit  % of time\n"
                   "time                              20.00 ms      100.0           9.500 ms      100.0\n"))
      << text;
  EXPECT_TRUE(says(text, "\n        mpi_init_exit             10.50 ms       52.5\n")) << text;
  EXPECT_TRUE(says(text, "\n          mpi_latesender          1.500 ms        7.5           1.500 ms       15.8\n"))
      << text;
  EXPECT_TRUE(says(text, "\n  1.500 ms, 15.8 % of the time\n")) << text;
  EXPECT_TRUE(says(text, "\n  500.0 µs, 2.5 % of the total time\n")) << "of MPI_Finalize nothing is left";
  const AnalysisResult result = analysed(short_run);
  EXPECT_TRUE(says(view_text(result, result.metrics.at("mpi"), ViewBy::callpath, {200}, {}),
                   "mpi  MPI: 12.60 ms, 63.0 % of the total time; 2.100 ms, 22.1 % without MPI_Init and "
                   "MPI_Finalize\n"));
}

TEST(InitExit, what_is_called_in_them_goes_with_them) {
  // 1000 ticks of reading a file inside MPI_Init.
  const AnalysisResult result = analysed(R"(clock resolution=1000000
0 0 enter main
0 0 enter MPI_Init
0 1000 enter read
0 2000 exit
0 4000 exit
0 10000 exit
1 0 enter main
1 10000 exit
)");
  const RunTotals run(result);
  EXPECT_EQ(run.whole().time(), 20000);
  EXPECT_EQ(run.counted().time(), 16000);
  EXPECT_EQ(run.whole().of(result.metrics.at("comp")), 17000);
  EXPECT_EQ(run.counted().of(result.metrics.at("comp")), 16000);
  EXPECT_EQ(run.counted().by_location(run.counted().time_metric()), (std::vector<std::int64_t>{6000, 10000}));
  EXPECT_EQ(efficiency(result, run.counted()).run_time, 10000);
  EXPECT_DOUBLE_EQ(efficiency(result, run.counted()).parallel, 0.8)
      << "MPI only started and ended: the rest is computation";
}

// Of 1.09 s of idle threads, 0.97 s are in MPI_Init and MPI_Finalize.
TEST(InitExit, threads_idle_in_MPI_Init_are_no_problem) {
  const AnalysisResult result = analyze(WAITSTATE_SOURCE_DIR "/traces/hybrid");
  const std::string text = whole_text(result);
  EXPECT_TRUE(says(text, "\n1. Wait at implicit OpenMP barrier (omp_ibarrier_wait): 167.7 ms, 19.1 % of the time."))
      << text;
  EXPECT_TRUE(says(
      text,
      "\n2. OpenMP idle threads (omp_idle_threads): 123.4 ms, 14.1 % of the time. Worst in\n   hybrid/main/serial/nap"))
      << text;
  EXPECT_FALSE(says(text.substr(text.find("\n1. ")), "MPI_Init")) << text;
  const RunTotals run(result);
  const MetricIndex idle = result.metrics.at("omp_idle_threads");
  EXPECT_NEAR(result.seconds(run.whole().of(idle)), 1.090677, 1e-6);
  EXPECT_NEAR(result.seconds(run.counted().of(idle)), 0.123427, 1e-6);
}

TEST(InitExit, a_run_without_them_has_one_of_both) {
  std::string text = short_run;
  for (const char* call : {"MPI_Init", "MPI_Finalize"})
    for (std::size_t at; (at = text.find(call)) != std::string::npos;)
      text.replace(at, std::string(call).size(), "work");
  const AnalysisResult result = analysed(text);
  EXPECT_FALSE(RunTotals(result).differ());
  EXPECT_EQ(RunTotals(result).counted().scope(), Scope::whole);
  for (const bool full : {false, true}) {
    const std::string report = whole_text(result, full);
    EXPECT_FALSE(says(report, "without")) << report;
    EXPECT_FALSE(says(report, "of the whole")) << report;
    EXPECT_TRUE(says(report, "1. Late Sender (mpi_latesender): 1.500 ms, 7.5 % of the total time.")) << report;
  }
}

TEST(InitExit, where_nothing_else_is_chosen_the_whole_counts) {
  Focus inside;
  inside.region = "MPI_Init";
  const AnalysisResult result = analysed(short_run, inside);
  const RunTotals run(result);
  EXPECT_FALSE(run.differ());
  EXPECT_EQ(run.counted().time(), 8000);
  Focus early;
  early.to = 5000;  // 4000 of 5000 ticks of each are MPI_Init
  const AnalysisResult begin = analysed(short_run, early);
  EXPECT_EQ(RunTotals(begin).whole().time(), 10000);
  EXPECT_EQ(RunTotals(begin).counted().time(), 2000);
  Focus one;
  one.locations = {LocationId{1}};
  const AnalysisResult second = analysed(short_run, one);
  EXPECT_EQ(RunTotals(second).counted().time(), 4500);
}

TEST(InitExit, of_SHMEM_too) {
  const AnalysisResult result = analyze(WAITSTATE_SOURCE_DIR "/traces/shmem");
  EXPECT_TRUE(
      says(whole_text(result), "7.815 s (45.8 %) without initialisation and finalisation of SHMEM: times and shares\n"))
      << whole_text(result);
  const RunTotals run(result);
  EXPECT_EQ(run.whole().time() - run.counted().time(), run.whole().of(result.metrics.at("shmem_init_exit")));
  AnalysisResult both = result;
  for (Region& region : both.definitions.regions)
    if (region.name == "nap") region.region_class = RegionClass::mpi_init_exit;
  EXPECT_EQ(init_exit_text(init_exit(both)), "initialisation and finalisation of MPI and SHMEM");
}

TEST(InitExit, efficiency_goes_by_id_and_scope) {
  const AnalysisResult result = analysed(short_run);
  const RunTotals run(result);
  const Efficiency whole = efficiency(result, run.of(Scope::whole)),
                   counted = efficiency(result, run.of(Scope::without_init_exit));
  const auto of = [](const Efficiency& e, const char* id) { return e.*efficiency_factor(id)->value; };
  EXPECT_DOUBLE_EQ(of(whole, "parallel_efficiency"), 3700. / 10000);
  EXPECT_DOUBLE_EQ(of(whole, "load_balance"), 3700. / 4400);
  EXPECT_DOUBLE_EQ(of(whole, "communication_efficiency"), 4400. / 10000);
  EXPECT_DOUBLE_EQ(of(counted, "parallel_efficiency"), 3700. / 5000);
  EXPECT_DOUBLE_EQ(of(counted, "load_balance"), 3700. / 4400);
  EXPECT_DOUBLE_EQ(of(counted, "communication_efficiency"), 4400. / 5000);
  EXPECT_EQ(efficiency_factor("parallel"), nullptr);
}

TEST(InitExit, JSON_has_both_by_name) {
  const AnalysisResult result = analysed(short_run);
  std::ostringstream out;
  waitstate::write_json(result, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["efficiency"]["whole"]["time"], 20000);
  EXPECT_EQ(json["efficiency"]["whole"]["run_time"], 10000);
  EXPECT_EQ(json["efficiency"]["whole"]["parallel_efficiency"], 0.37);
  EXPECT_EQ(json["efficiency"]["without_init_exit"]["time"], 9500);
  EXPECT_EQ(json["efficiency"]["without_init_exit"]["run_time"], 5000);
  EXPECT_EQ(json["efficiency"]["without_init_exit"]["parallel_efficiency"], 0.74);
  for (const auto& metric : json["metrics"]) {
    if (metric["id"] == "mpi_latesender") {
      EXPECT_EQ(metric["share"], 1500. / 20000);
      EXPECT_EQ(metric["share_without_init_exit"], 1500. / 9500);
    }
    if (metric["id"] == "mpi_init_exit") {
      EXPECT_EQ(metric["total"], 10500);
      EXPECT_EQ(metric["total_without_init_exit"], 0);
    }
  }
}

TEST(InitExit, a_report_read_back_says_the_same) {
  const AnalysisResult result = analysed(short_run);
  const support::TemporaryFolder folder;
  std::ostringstream out;
  waitstate::write_json(result, out);
  const AnalysisResult json = read_report(folder.file("run.json", out.str()));
  waitstate::write_cube(result, folder / "run.cubex");
  const AnalysisResult cube = read_report(folder / "run.cubex");
  EXPECT_EQ(whole_text(json), whole_text(result));
  EXPECT_EQ(whole_text(json, true), whole_text(result, true));
  const RunTotals run(result), of_cube(cube);
  EXPECT_EQ(of_cube.without(), run.without());
  for (const Scope scope : {Scope::whole, Scope::without_init_exit}) {
    EXPECT_EQ(cube.seconds(of_cube.of(scope).time()), result.seconds(run.of(scope).time()));
    EXPECT_EQ(efficiency_text(cube, efficiency(cube, of_cube.of(scope))),
              efficiency_text(result, efficiency(result, run.of(scope))));
  }
  const std::string text = whole_text(cube);
  EXPECT_TRUE(says(text, "1. Late Sender (mpi_latesender): 1.500 ms, 15.8 % of the time.")) << text;
  EXPECT_TRUE(says(text, "2. MPI finalize wait (mpi_finalize_wait): 500.0 µs, 2.5 % of the total time.")) << text;
}

}  // namespace
}  // namespace waitstate::test
