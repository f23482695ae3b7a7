// Changes from one run to another beside the values of metrics: efficiency, problems, single waits, phases; as text and
// in JSON. The numbers follow from those of the two results by hand.
#include "report/compare/details.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/compare/details_of.hpp"
#include "report/compare/diff.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

/// small_result() with computation of `first` and `second` ticks on the two ranks: their times are 4500 and 4000 ticks
/// more.
AnalysisResult computing(std::int64_t first, std::int64_t second) {
  AnalysisResult r = small_result();
  const MetricIndex comp = r.metrics.add("comp", "time", Unit::seconds, false, "Computation", "");
  const Severities before = r.severities;
  r.severities = Severities(r.metrics.size());
  for (MetricIndex m = 0; m < before.metric_count(); ++m)
    before.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) { r.severities.add(m, c, l, value); });
  r.severities.add(comp, CallPathId{0}, LocationId{0}, first);
  r.severities.add(comp, CallPathId{0}, LocationId{1}, second);
  return r;
}

/// Three waits of 100, 400 and 1500 us, two phases.
AnalysisResult run_a() {
  AnalysisResult r = computing(3000, 1000);
  const MetricIndex late = r.metrics.at("mpi_latesender");
  WaitSummary& w = r.waits[late];
  w.statistics = {3, 2000, 100, 1500, 2000.0 / 3, 0, 100, 400, 1500, 0};
  w.histogram = {{91, 108, 1, 100}, {363, 431, 1, 400}, {1449, 1723, 1, 1500}};
  w.by_callpath = {{CallPathId{2}, {3, 2000, 100, 1500, 2000.0 / 3, 0, 100, 400, 1500, 0}}};
  r.phases = Phases{
      RegionId{1}, 2, 1, {{1000, 1500, 2, 900, 500, 600, 400, {{late, 250}}}, {1500, 2000, 1, 500, 500, 0, 0, {}}}};
  return r;
}

/// The wait grew by 1 ms, Late Receiver is new; a third phase, and the first one is slower.
AnalysisResult run_b() {
  AnalysisResult r = computing(3000, 3000);
  Region region;
  region.name = "extra";
  r.definitions.regions.push_back(region);
  const CallPathId extra = r.call_tree.find_or_add({CallPathId{0}, RegionId{3}, StringId::none()}), receive{2};
  const MetricIndex late = r.metrics.at("mpi_latesender"), receiver = r.metrics.at("mpi_latereceiver");
  r.severities.add(r.metrics.at("mpi_point2point"), receive, LocationId{1}, 1000);
  r.severities.add(late, receive, LocationId{1}, 700);
  r.severities.add(late, extra, LocationId{1}, 300);
  r.severities.add(receiver, extra, LocationId{1}, 500);
  WaitSummary& w = r.waits[late];
  w.statistics = {2, 3000, 300, 2700, 1500, 0, 300, 1500, 2700, 0};
  w.histogram = {{305, 363, 1, 300}, {2436, 2897, 1, 2700}};
  w.by_callpath = {{receive, {1, 2700, 2700, 2700, 2700, 0, 2700, 2700, 2700, 0}},
                   {extra, {1, 300, 300, 300, 300, 0, 300, 300, 300, 0}}};
  r.waits[receiver].statistics = {1, 500, 500, 500, 500, 0, 500, 500, 500, 0};
  r.phases = Phases{RegionId{1},
                    3,
                    1,
                    {{1000, 1800, 2, 1400, 800, 800, 500, {{late, 400}, {receiver, 50}}},
                     {1800, 2300, 1, 500, 500, 0, 0, {}},
                     {2300, 2400, 1, 100, 100, 0, 0, {}}}};
  return r;
}

void expect_sides(const nlohmann::json& sides, std::optional<double> before, std::optional<double> after) {
  const auto is = [&](const char* key, std::optional<double> want) {
    if (!want)
      EXPECT_TRUE(sides.at(key).is_null()) << key << ": " << sides.dump();
    else if (sides.at(key).is_number())
      EXPECT_NEAR(sides.at(key).get<double>(), *want, 1e-12) << key;
    else
      ADD_FAILURE() << key << ": " << sides.dump();
  };
  is("before", before);
  is("after", after);
  is("change", before && after ? std::optional(*after - *before) : std::nullopt);
}

TEST(DiffDetails, efficiency) {
  // A: times 7500 and 5000, computation 3000 and 1000. B: 7500 and 8000, 3000 and 3000.
  const nlohmann::json e = json_of(run_a(), run_b())["efficiency"];
  EXPECT_EQ(e["scope"], "whole");
  expect_sides(e["parallel_efficiency"], 2000.0 / 7500, 3000.0 / 8000);
  expect_sides(e["load_balance"], 2.0 / 3, 1);
  expect_sides(e["communication_efficiency"], 3000.0 / 7500, 3000.0 / 8000);
  // Without computation it is not known.
  expect_sides(json_of(small_result(), run_b())["efficiency"]["load_balance"], {}, 1);
  EXPECT_FALSE(json_of(small_result(), small_result()).contains("efficiency"));
  EXPECT_FALSE(json_of(run_a(), run_b(), {"mpi_latesender"}).contains("efficiency"));
}

TEST(DiffDetails, problems) {
  const nlohmann::json json = json_of(run_a(), run_b()), problems = json["problems"];
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0]["metric"], "mpi_latesender");
  EXPECT_EQ(problems[0]["title"], "Late Sender");
  EXPECT_EQ(problems[0]["callpath"], "main/work<int, \"x\">/MPI_Recv");
  expect_sides(problems[0]["seconds"], 0.002, 0.003);
  EXPECT_EQ(problems[1]["metric"], "mpi_latereceiver");
  EXPECT_EQ(problems[1]["callpath"], "main/extra");
  expect_sides(problems[1]["seconds"], {}, 0.0005);
  const nlohmann::json back = json_of(run_b(), run_a(), {"mpi_latereceiver"})["problems"];
  ASSERT_EQ(back.size(), 1u);
  expect_sides(back[0]["seconds"], 0.0005, {});
}

TEST(DiffDetails, single_waits) {
  const nlohmann::json json = json_of(run_a(), run_b()), waits = json["waits"];
  ASSERT_EQ(waits.size(), 2u);
  const nlohmann::json& late = waits[0];
  EXPECT_EQ(late["metric"], "mpi_latesender");
  expect_sides(late["count"], 3, 2);
  expect_sides(late["sum"], 0.002, 0.003);
  expect_sides(late["mean"], 0.002 / 3, 0.0015);
  expect_sides(late["median"], 0.0004, 0.0015);
  expect_sides(late["longest"], 0.0015, 0.0027);
  // Classes are powers of two of a tick; a class a fourth as long is added to the one that contains its middle.
  std::vector<std::vector<double>> classes;
  for (const auto& c : late["histogram"])
    classes.push_back({c["from"].get<double>() * 1e6, c["to"].get<double>() * 1e6, c["before"], c["after"]});
  EXPECT_EQ(classes, (std::vector<std::vector<double>>{
                         {64, 128, 1, 0}, {256, 512, 1, 1}, {1024, 2048, 1, 0}, {2048, 4096, 0, 1}}));
  const nlohmann::json& paths = late["by_callpath"];
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0]["callpath"], "main/work<int, \"x\">/MPI_Recv");
  expect_sides(paths[0]["count"], 3, 1);
  expect_sides(paths[0]["sum"], 0.002, 0.0027);
  expect_sides(paths[0]["median"], 0.0004, 0.0027);
  expect_sides(paths[0]["longest"], 0.0015, 0.0027);
  EXPECT_EQ(paths[1]["callpath"], "main/extra");
  expect_sides(paths[1]["sum"], {}, 0.0003);
  EXPECT_EQ(waits[1]["metric"], "mpi_latereceiver");
  expect_sides(waits[1]["count"], {}, 1);
  EXPECT_TRUE(waits[1]["histogram"].empty() && waits[1]["by_callpath"].empty());
}

TEST(DiffDetails, classes_of_another_clock) {
  AnalysisResult b = run_a();
  b.definitions.clock.resolution = 2'000'000;
  for (DurationClass& c : b.waits.begin()->second.histogram) c.from *= 2, c.to *= 2;
  const nlohmann::json json = json_of(run_a(), b);
  for (const auto& c : json["waits"][0]["histogram"]) EXPECT_EQ(c["before"], c["after"]) << c.dump();
  EXPECT_EQ(json["waits"][0]["histogram"].size(), 3u);
}

TEST(DiffDetails, phases) {
  const nlohmann::json phases = json_of(run_a(), run_b())["phases"];
  EXPECT_EQ(phases["of"], "visits of work<int, \"x\">");
  ASSERT_EQ(phases["phases"].size(), 3u);
  const nlohmann::json &first = phases["phases"][0], &last = phases["phases"][2];
  expect_sides(first["longest"], 0.0005, 0.0008);
  expect_sides(first["parallel_efficiency"], 0.6, 0.5);
  expect_sides(first["load_balance"], 0.75, 0.8);
  expect_sides(first["communication_efficiency"], 0.8, 0.625);
  expect_sides(first["waits"]["mpi_latesender"], 0.00025, 0.0004);
  expect_sides(first["waits"]["mpi_latereceiver"], 0, 0.00005);
  EXPECT_TRUE(phases["phases"][1]["waits"].empty());
  EXPECT_EQ(last["phase"], 2);
  expect_sides(last["longest"], {}, 0.0001);
  // Phases of different kinds are not compared.
  AnalysisResult other = run_b();
  other.phases->region = RegionId{0};
  EXPECT_FALSE(json_of(run_a(), other).contains("phases"));
  other.phases.reset();
  EXPECT_FALSE(json_of(run_a(), other).contains("phases"));
}

TEST(DiffDetails, text) {
  EXPECT_EQ(details_text(details_of(run_a(), run_b()), 10, {}), R"(
efficiency                     A        B        change
parallel efficiency       26.7 %   37.5 %  +10.8 points
load balance              66.7 %  100.0 %  +33.3 points
communication efficiency  40.0 %   37.5 %   -2.5 points

problem               A         B     change
Late Sender    2.000 ms  3.000 ms  +1.000 ms
Late Receiver         -  500.0 µs        new

single waits                    number A  B  median A         B  longest A         B
mpi_latesender                         3  2  400.0 µs  1.500 ms   1.500 ms  2.700 ms
  main/work<int, "x">/MPI_Recv         3  1  400.0 µs  2.700 ms   1.500 ms  2.700 ms
  main/extra                           -  1         -  300.0 µs          -  300.0 µs
mpi_latereceiver                       -  1         -  500.0 µs          -  500.0 µs

waits of mpi_latesender by length  A  B
64.00 µs to 128.0 µs               1  0
256.0 µs to 512.0 µs               1  1
1.024 ms to 2.048 ms               1  0
2.048 ms to 4.096 ms               0  1

Phases are visits of work<int, "x">:
phase  longest A         B     change  parallel A       B   waited most differently
0       500.0 µs  800.0 µs  +300.0 µs      60.0 %  50.0 %  mpi_latesender +150.0 µs
1       500.0 µs  500.0 µs       same           -       -
2              -  100.0 µs        new           -       -
)");
}

TEST(DiffDetails, text_is_short) {
  const std::string text = details_text(details_of(run_a(), run_b()), 1, {});
  EXPECT_EQ(text.find("Late Receiver"), std::string::npos) << text;
  EXPECT_NE(text.find("\nsingle waits (1 of 2) "), std::string::npos) << text;
  EXPECT_NE(text.find("\nPhases are visits of work<int, \"x\">; those that changed most, 1 of 3:\n"), std::string::npos)
      << text;
  EXPECT_EQ(details_text(details_of(run_a(), run_b(), {"visits"}), 10, {}), "");
  // Two equal runs have no differences.
  const AnalysisResult a = run_a(), b = run_a();
  report::Difference d = report::difference(a, b, {});
  d.details = details_of(a, b);
  EXPECT_TRUE(diff_text(d, {}, 10, {}).ends_with("\nThe two are the same in all metrics and call paths.\n"));
}

}  // namespace
}  // namespace waitstate::test
