// Details of several runs: three runs, of which each number follows by hand from the results, and two runs, of which
// the facts are the numbers that `waitstate diff` writes.
#include "report/facts/runs/details_by_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "report/compare/diff.hpp"
#include "report/small_result.hpp"
#include "support/case_file.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::test {
namespace {

using report::Against;
using report::ByRun;
using Values = std::vector<std::optional<double>>;

/// The values of all runs, times a factor, rounded to a thousandth.
Values values(const ByRun& number, double factor = 1) {
  Values all;
  for (std::size_t i = 0; i < number.size(); ++i)
    all.push_back(number[i] ? std::optional(std::round(*number[i] * factor * 1000) / 1000) : std::nullopt);
  return all;
}
Values microseconds(const ByRun& seconds) { return values(seconds, 1e6); }

/// A result at half the tick, with ticks and call paths of its own.
AnalysisResult at_two_megahertz() {
  AnalysisResult r = small_result();
  r.definitions.clock.resolution = 2'000'000;
  return r;
}

CallPathId add_path(AnalysisResult& r, const char* name) {
  Region region;
  region.name = name;
  r.definitions.regions.push_back(region);
  return r.call_tree.find_or_add({CallPathId{0}, RegionId{r.definitions.regions.size() - 1}, StringId::none()});
}

WaitStatistics statistics(std::uint64_t count, Ticks sum, Ticks longest, double median) {
  return {count, sum, 0, longest, static_cast<double>(sum) / static_cast<double>(count), 0, median, median, median, 0};
}

TEST(ByRun, changes_and_spread) {
  ByRun n(4);
  n[0] = 3, n[2] = 5, n[3] = 4;
  EXPECT_EQ(n.change(0), std::nullopt);
  EXPECT_EQ(n.change(1), std::nullopt);
  EXPECT_EQ(n.change(2), std::nullopt);
  EXPECT_EQ(n.change(3), -1);
  EXPECT_EQ(n.change(2, Against::first), 2);
  EXPECT_EQ(n.change(3, Against::first), 1);
  EXPECT_EQ(n.change(4), std::nullopt);
  EXPECT_EQ(n.spread(), 5);  // the second run counts as 0
  EXPECT_TRUE(n.any());
  EXPECT_FALSE(ByRun(2).any());
  EXPECT_EQ(ByRun(2).spread(), 0);
  EXPECT_EQ(ByRun(3, -2).spread(), 0);
}

// Waits of 100, 400 and 1500 us in the first run, of 300 and 2700 in the second, of 250 in the third, whose tick is
// half of a microsecond. Late Receiver is in the second one only.
TEST(WaitsByRun, three_runs) {
  AnalysisResult a = small_result(), b = small_result(), c = at_two_megahertz();
  const MetricIndex late = a.metrics.at("mpi_latesender"), receiver = a.metrics.at("mpi_latereceiver");
  const CallPathId receive{2};
  a.waits[late].statistics = statistics(3, 2000, 1500, 400);
  a.waits[late].histogram = {{91, 108, 1, 100}, {363, 431, 1, 400}, {1449, 1723, 1, 1500}};
  a.waits[late].by_callpath = {{receive, statistics(3, 2000, 1500, 400)}};
  const CallPathId extra = add_path(b, "extra");
  b.waits[late].statistics = statistics(2, 3000, 2700, 1500);
  b.waits[late].histogram = {{305, 363, 1, 300}, {2436, 2897, 1, 2700}};
  b.waits[late].by_callpath = {{receive, statistics(1, 2700, 2700, 2700)}, {extra, statistics(1, 300, 300, 300)}};
  b.waits[receiver].statistics = statistics(1, 500, 500, 500);
  b.waits[receiver].by_callpath = {{receive, statistics(1, 500, 500, 500)}};
  add_path(c, "other");
  const CallPathId extra_of_c = add_path(c, "extra");
  c.waits[late].statistics = statistics(1, 500, 500, 500);
  c.waits[late].histogram = {{431, 512, 1, 500}};
  c.waits[late].by_callpath = {{extra_of_c, statistics(1, 500, 500, 500)}};

  const AnalysisResult* const runs[] = {&a, &b, &c};
  const std::vector<report::WaitsByRun> waits = report::waits_by_run(runs, {});
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].metric, "mpi_latesender");
  EXPECT_EQ(values(waits[0].lengths.count), (Values{3, 2, 1}));
  EXPECT_EQ(microseconds(waits[0].lengths.sum), (Values{2000, 3000, 250}));
  EXPECT_EQ(microseconds(waits[0].lengths.mean), (Values{666.667, 1500, 250}));
  EXPECT_EQ(microseconds(waits[0].lengths.median), (Values{400, 1500, 250}));
  EXPECT_EQ(microseconds(waits[0].lengths.longest), (Values{1500, 2700, 250}));
  EXPECT_NEAR(waits[0].lengths.sum.change(2).value(), -0.00275, 1e-12);
  EXPECT_NEAR(waits[0].lengths.sum.change(2, Against::first).value(), -0.00175, 1e-12);

  std::vector<std::vector<double>> classes;  // in microseconds
  for (const report::LengthClassByRun& l : waits[0].histogram) {
    classes.push_back({std::round(l.from * 1e6), std::round(l.to * 1e6)});
    for (const std::uint64_t n : l.count) classes.back().push_back(static_cast<double>(n));
  }
  // The middle of [431, 512) half microseconds is 234.7 us.
  EXPECT_EQ(
      classes,
      (std::vector<std::vector<double>>{
          {64, 128, 1, 0, 0}, {128, 256, 0, 0, 1}, {256, 512, 1, 1, 0}, {1024, 2048, 1, 0, 0}, {2048, 4096, 0, 1, 0}}));

  // The largest spread comes first: 2700 (receive) before 300 (extra). "extra" is one path, whatever its number in a
  // run.
  const std::vector<report::PathWaitsByRun>& paths = waits[0].by_callpath;
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].callpath, (report::PathByRun{receive, receive, CallPathId::none()}));
  EXPECT_EQ(microseconds(paths[0].lengths.sum), (Values{2000, 2700, {}}));
  EXPECT_EQ(paths[1].callpath, (report::PathByRun{CallPathId::none(), extra, extra_of_c}));
  EXPECT_EQ(microseconds(paths[1].lengths.sum), (Values{{}, 300, 250}));

  EXPECT_EQ(waits[1].metric, "mpi_latereceiver");
  EXPECT_EQ(values(waits[1].lengths.count), (Values{{}, 1, {}}));
  EXPECT_TRUE(waits[1].histogram.empty() && waits[1].by_callpath.empty());

  b.waits[late].histogram.clear();
  EXPECT_TRUE(report::waits_by_run(runs, {"mpi_latesender"}).at(0).histogram.empty());
  EXPECT_TRUE(report::waits_by_run(runs, {"visits"}).empty());
}

// Late Sender takes 2 ms, 3 ms and nothing; Late Receiver 2.5 ms of the third run, in another call path.
TEST(ProblemsByRun, three_runs) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result(), c = small_result();
  const CallPathId receive{2};
  const MetricIndex late = a.metrics.at("mpi_latesender"), receiver = a.metrics.at("mpi_latereceiver");
  b.severities.add(late, receive, LocationId{1}, 1000);
  c.severities.add(late, receive, LocationId{1}, -2000);
  c.severities.add(receiver, CallPathId{1}, LocationId{0}, 2500);
  c.waits[receiver].statistics = statistics(1, 2500, 2500, 2500);
  const AnalysisResult* const runs[] = {&a, &b, &c};
  const std::vector<report::ProblemByRun> problems = report::problems_by_run(runs, {});
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].metric, "mpi_latesender");
  EXPECT_EQ(microseconds(problems[0].seconds), (Values{2000, 3000, {}}));
  EXPECT_EQ(problems[0].callpath, (report::PathByRun{receive, receive, CallPathId::none()}));
  EXPECT_EQ(problems[1].metric, "mpi_latereceiver");
  EXPECT_EQ(microseconds(problems[1].seconds), (Values{{}, {}, 2500}));
  EXPECT_EQ(problems[1].callpath, (report::PathByRun{CallPathId::none(), CallPathId::none(), CallPathId{1}}));
  EXPECT_EQ(report::problems_by_run(runs, {"mpi_latereceiver"}).size(), 1u);
  // The worst of the runs that are there decides.
  const AnalysisResult* const ends[] = {&a, &c};
  EXPECT_EQ(report::problems_by_run(ends, {}).at(0).metric, "mpi_latereceiver");
}

TEST(PhasesByRun, three_runs) {
  AnalysisResult a = small_result(), b = small_result(), c = at_two_megahertz();
  const MetricIndex late = a.metrics.at("mpi_latesender"), receiver = a.metrics.at("mpi_latereceiver");
  // Begin, end, locations, ticks, longest, computation, largest computation, waits.
  a.phases = Phases{RegionId{1},
                    2,
                    1,
                    {{1000, 1500, 2, 900, 500, 600, 400, {{late, 250}}, {}}, {1500, 2000, 1, 500, 500, 0, 0, {}, {}}}};
  b.phases = Phases{RegionId{1}, 1, 1, {{1000, 1800, 2, 1400, 800, 800, 500, {{receiver, 50}}, {}}}};
  c.phases = Phases{RegionId{1},
                    3,
                    1,
                    {{0, 1400, 2, 1400, 700, 700, 700, {{late, 100}}, {}},
                     {1400, 1600, 1, 200, 200, 0, 0, {}, {}},
                     {1600, 1800, 1, 200, 200, 0, 0, {{late, 60}}, {}}}};
  const AnalysisResult* const runs[] = {&a, &b, &c};
  const report::PhasesByRun all = report::phases_by_run(runs, {});
  EXPECT_EQ(all.kind, (report::PhaseKind{.region = "work<int, \"x\">"}));
  ASSERT_EQ(all.phases.size(), 3u);
  const report::PhaseByRun &first = all.phases[0], &last = all.phases[2];
  EXPECT_EQ(microseconds(first.longest), (Values{500, 800, 350}));
  EXPECT_EQ(values(first.parallel_efficiency), (Values{0.6, 0.5, 0.5}));
  EXPECT_EQ(values(first.load_balance), (Values{0.75, 0.8, 0.5}));
  EXPECT_EQ(values(first.communication_efficiency), (Values{0.8, 0.625, 1}));
  EXPECT_EQ(microseconds(first.waits.at("mpi_latesender")), (Values{250, 0, 50}));
  EXPECT_EQ(microseconds(first.waits.at("mpi_latereceiver")), (Values{0, 50, 0}));
  EXPECT_EQ(last.number, 2u);
  EXPECT_EQ(microseconds(last.longest), (Values{{}, {}, 100}));
  EXPECT_EQ(microseconds(last.waits.at("mpi_latesender")), (Values{{}, {}, 30}));
  EXPECT_EQ(values(last.load_balance), (Values{{}, {}, {}}));

  EXPECT_TRUE(report::phases_by_run(runs, {"visits"}).phases.empty());
  c.phases->visits_per_phase = 2;
  EXPECT_TRUE(report::phases_by_run(runs, {}).phases.empty());
  for (AnalysisResult* r : {&a, &b, &c}) r->phases->region = RegionId::none();
  EXPECT_TRUE(report::phases_by_run(runs, {}).phases.empty());  // 2, 1 and 3 stretches of time
  for (AnalysisResult* r : {&a, &b, &c}) r->phases->visits = 16;
  EXPECT_EQ(report::phases_by_run(runs, {}).kind, (report::PhaseKind{.stretches = 16}));
}

/// The run is from tick 1000 to 6000: a tenth has 500 ticks, half a bin.
AnalysisResult with_series(AnalysisResult r, const char* metric, std::vector<Ticks> ticks) {
  WaitSeries& s = r.series.emplace();
  s.start = 1000, s.bin_ticks = 1000, s.bins = ticks.size();
  s.metrics[r.metrics.at(metric)].ticks = std::move(ticks);
  return r;
}

TEST(SeriesByRun, three_runs) {
  const AnalysisResult a = with_series(small_result(), "mpi_latesender", {100, 0, 300}),
                       b = with_series(small_result(), "mpi_latereceiver", {0, 0, 0, 0, 8}),
                       c = with_series(at_two_megahertz(), "mpi_latesender", {0, 0, 0, 0, 80});
  const AnalysisResult* const runs[] = {&a, &b, &c};
  const std::vector<report::SeriesByRun> all = report::series_by_run(runs, {});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].metric, "mpi_latesender");
  const std::vector<Values> parts = {{50, 0, 0},  {50, 0, 0}, {0, 0, 0}, {0, 0, 0},  {150, 0, 0},
                                     {150, 0, 0}, {0, 0, 0},  {0, 0, 0}, {0, 0, 20}, {0, 0, 20}};
  ASSERT_EQ(all[0].parts.size(), parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) EXPECT_EQ(microseconds(all[0].parts[p]), parts[p]) << p;
  EXPECT_NEAR(all[0].spread(), 440e-6, 1e-12);
  EXPECT_EQ(microseconds(all[1].parts[9]), (Values{0, 4, 0}));
  EXPECT_EQ(report::series_by_run(runs, {"mpi_latereceiver"}).size(), 1u);
  const AnalysisResult none = small_result();
  const AnalysisResult* const one_lacks_it[] = {&a, &none, &c};
  EXPECT_TRUE(report::series_by_run(one_lacks_it, {}).empty());
}

AnalysisResult with_communication(AnalysisResult r, std::vector<Communication::Pair> pairs, Ticks in_barriers) {
  Comm world;
  world.name = "MPI_COMM_WORLD";
  r.definitions.comms = {world, world};
  Communication& c = r.communication.emplace();
  c.pairs = std::move(pairs);
  c.sizes = {{8, 16, c.pairs.size(), 8}};
  // Two communicators of one name are the same.
  c.collectives = {{CommId{0}, CollectiveOp::barrier, 2, 4, 16, 0, in_barriers, 50},
                   {CommId{1}, CollectiveOp::barrier, 1, 2, 8, 0, 100, 30}};
  return r;
}

TEST(CommunicationByRun, three_runs) {
  const AnalysisResult a =
      with_communication(small_result(), {{0, 1, 3, 24, 0, 0, 0, 0}, {1, 0, 1, 8, 2, 16, 0, 0}}, 200);
  AnalysisResult b = with_communication(small_result(), {{0, 1, 3, 24, 0, 0, 0, 0}}, 300);
  const AnalysisResult c = with_communication(
      at_two_megahertz(), {{0, 1, 3, 24, 0, 0, 0, 0}, {1, 0, 4, 32, 0, 0, 1, 4}, {1, 1, 2, 9, 0, 0, 0, 0}}, 100);
  const AnalysisResult* const runs[] = {&a, &b, &c};
  const report::CommunicationByRun all = report::communication_by_run(runs).value();
  std::vector<std::string> ids;
  for (const auto& sum : all.sums) ids.emplace_back(sum.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"messages", "bytes", "puts", "bytes_put", "gets", "bytes_got"}));
  EXPECT_EQ(values(all.sums[0].value), (Values{4, 3, 9}));
  EXPECT_EQ(values(all.sums[1].value), (Values{32, 24, 65}));
  EXPECT_EQ(values(all.sums[3].value), (Values{16, 0, 0}));
  EXPECT_EQ(values(all.sums[5].value), (Values{0, 0, 4}));
  // From 0 to 1 nothing changed; from 1 to 0 they are 8, 0 and 32 bytes, from 1 to 1 they are 0, 0 and 9.
  ASSERT_TRUE(all.has_pairs);
  ASSERT_EQ(all.pairs.size(), 2u);
  EXPECT_EQ(std::pair(all.pairs[0].sender, all.pairs[0].receiver), std::pair(1u, 0u));
  EXPECT_EQ(values(all.pairs[0].bytes), (Values{8, 0, 32}));
  EXPECT_EQ(values(all.pairs[0].messages), (Values{1, 0, 4}));
  EXPECT_EQ(values(all.pairs[1].bytes), (Values{0, 0, 9}));
  ASSERT_EQ(all.sizes.size(), 1u);
  EXPECT_EQ(values(all.sizes[0].messages), (Values{2, 1, 3}));
  ASSERT_EQ(all.collectives.size(), 1u);
  EXPECT_EQ(all.collectives[0].communicator, "MPI_COMM_WORLD");
  EXPECT_EQ(values(all.collectives[0].operations), (Values{3, 3, 3}));
  EXPECT_EQ(values(all.collectives[0].bytes_sent), (Values{24, 24, 24}));
  EXPECT_EQ(microseconds(all.collectives[0].seconds), (Values{300, 400, 100}));
  EXPECT_EQ(microseconds(all.collectives[0].wait_seconds), (Values{80, 80, 40}));

  b.communication->processes_per_block = 2;
  EXPECT_FALSE(report::communication_by_run(runs)->has_pairs);
  b.communication.reset();
  EXPECT_EQ(report::communication_by_run(runs), std::nullopt);
}

AnalysisResult result_of(const std::string& text, const std::vector<std::string>& patterns = {}) {
  AnalysisOptions options;
  options.threads = 1;
  if (!patterns.empty()) options.built_in = false, options.patterns = PatternRegistry().chosen(patterns, {});
  return analyze(support::TraceFile(text).path(), options);
}

// Computation 60 and 40 of 100, mean 50; the run of one process has no efficiency.
TEST(EfficiencyByRun, runs_that_tell_and_runs_that_do_not) {
  const std::string first = "0 0 enter main\n0 60 enter MPI_Barrier\n0 100 exit\n0 100 exit\n";
  const AnalysisResult one = result_of(first),
                       two = result_of(first + "1 0 enter main\n1 40 enter MPI_Barrier\n1 100 exit\n1 100 exit\n");
  const AnalysisResult* const runs[] = {&two, &one, &two};
  const report::EfficiencyByRun all = report::efficiency_by_run(runs);
  EXPECT_EQ(all.scope, report::Scope::whole);
  ASSERT_EQ(all.factors.size(), 3u);
  EXPECT_EQ(all.factors[0].id, "parallel_efficiency");
  EXPECT_EQ(values(all.factors[0].value), (Values{0.5, {}, 0.5}));
  EXPECT_EQ(values(all.factors[1].value), (Values{0.833, {}, 0.833}));
  EXPECT_FALSE(all.ideal_machine);
}

// The chain of ideal_machine_test.cpp: 130 ticks, ideally 120; at half the tick, half as long.
TEST(EfficiencyByRun, the_ideal_machine_of_three_runs) {
  const support::CaseFile chain =
      support::read_case(std::filesystem::path(WAITSTATE_CASES) / "mpi_ideal_wait/chain.case");
  const AnalysisResult a = result_of(chain.trace, {"mpi_ideal_wait"}), none = small_result();
  AnalysisResult c = a;
  c.definitions.clock.resolution *= 2;
  const double tick = 1 / static_cast<double>(a.definitions.clock.resolution);
  const AnalysisResult* const runs[] = {&a, &none, &c};
  const report::EfficiencyByRun all = report::efficiency_by_run(runs);
  ASSERT_TRUE(all.ideal_machine);
  const report::IdealMachineByRun& ideal = *all.ideal_machine;
  EXPECT_EQ(all.scope, report::Scope::whole);  // small_result() has no MPI_Init
  EXPECT_EQ(ideal.run_time[1], std::nullopt);
  EXPECT_FALSE(ideal.unbalanced[1].valid());
  EXPECT_EQ(ideal.unbalanced[0], ideal.unbalanced[2]);
  EXPECT_NEAR(ideal.run_time[0].value(), 2 * ideal.run_time[2].value(), tick * 1e-6);
  const AnalysisResult* const alike[] = {&a, &c, &a};
  const report::IdealMachineByRun counted = report::efficiency_by_run(alike).ideal_machine.value();
  EXPECT_EQ(values(counted.run_time, 1 / tick), (Values{130, 65, 130}));
  EXPECT_EQ(values(counted.ideal_run_time, 1 / tick), (Values{120, 60, 120}));
}

/// A few of everything.
AnalysisResult with_details(double scale) {
  const auto ticks = [&](double n) { return static_cast<Ticks>(n * scale); };
  AnalysisResult r = with_communication(with_series(small_result(), "mpi_latesender", {ticks(100), ticks(300)}),
                                        {{0, 1, 3, static_cast<std::uint64_t>(64 * scale), 0, 0, 0, 0}}, ticks(200));
  const MetricIndex late = r.metrics.at("mpi_latesender");
  r.severities.add(late, CallPathId{2}, LocationId{1}, ticks(300));
  r.waits[late].statistics = statistics(2, ticks(400), ticks(300), scale * 200);
  r.waits[late].histogram = {{64, 128, 1, ticks(100)}, {256, 512, 1, ticks(300)}};
  r.waits[late].by_callpath = {{CallPathId{2}, r.waits[late].statistics}};
  r.phases = Phases{RegionId{1}, 1, 1, {{0, 900, 2, 900, ticks(500), 600, 400, {{late, ticks(250)}}, {}}}};
  return r;
}

// Each number of the JSON of a difference is that of the facts of two runs, and those are the first two of three.
TEST(DetailsByRun, two_runs_are_what_a_difference_has) {
  const AnalysisResult a = with_details(1), b = with_details(1.5), c = with_details(3);
  const AnalysisResult* const two[] = {&a, &b};
  const AnalysisResult* const three[] = {&a, &b, &c};
  report::Difference d = report::difference(a, b, {});
  d.details = report::details_by_run(two, {});
  std::ostringstream out;
  report::diff_json(d, {}, out);
  const nlohmann::json json = nlohmann::json::parse(out.str());
  const report::DetailsByRun all = report::details_by_run(three, {});

  const auto expect = [&](const nlohmann::json& change, const ByRun& of_two, const ByRun& of_three) {
    ASSERT_TRUE(of_two[0] && of_two[1]) << change.dump();
    EXPECT_EQ(change.at("before"), *of_two[0]);
    EXPECT_EQ(change.at("after"), *of_two[1]);
    EXPECT_EQ(change.at("change"), *of_two.change(1));
    EXPECT_EQ(of_three[0], of_two[0]);
    EXPECT_EQ(of_three[1], of_two[1]);
    EXPECT_EQ(of_three.change(1), of_two.change(1));
  };
  ASSERT_EQ(json["problems"].size(), 1u);
  expect(json["problems"][0]["seconds"], d.details->problems.at(0).seconds, all.problems.at(0).seconds);
  ASSERT_EQ(json["waits"].size(), 1u);
  const report::WaitsByRun &waits = d.details->waits.at(0), &of_three = all.waits.at(0);
  expect(json["waits"][0]["sum"], waits.lengths.sum, of_three.lengths.sum);
  expect(json["waits"][0]["median"], waits.lengths.median, of_three.lengths.median);
  expect(json["waits"][0]["by_callpath"][0]["longest"], waits.by_callpath.at(0).lengths.longest,
         of_three.by_callpath.at(0).lengths.longest);
  EXPECT_EQ(json["waits"][0]["histogram"][0]["after"], waits.histogram.at(0).count.at(1));
  const nlohmann::json& phase = json["phases"]["phases"][0];
  expect(phase["longest"], d.details->phases.phases.at(0).longest, all.phases.phases.at(0).longest);
  expect(phase["waits"]["mpi_latesender"], d.details->phases.phases.at(0).waits.at("mpi_latesender"),
         all.phases.phases.at(0).waits.at("mpi_latesender"));
  for (std::size_t part = 0; part < report::parts_of_a_run; ++part)
    expect(json["series"][0]["parts"][part], d.details->series.at(0).parts[part], all.series.at(0).parts[part]);
  expect(json["communication"]["pairs"][0]["bytes"], d.details->communication->pairs.at(0).bytes,
         all.communication->pairs.at(0).bytes);
  expect(json["communication"]["collectives"][0]["seconds"], d.details->communication->collectives.at(0).seconds,
         all.communication->collectives.at(0).seconds);
}

}  // namespace
}  // namespace waitstate::test
