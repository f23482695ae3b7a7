// Changes in the distribution of waits over time, in the data that processes sent to each other, and on the ideal
// machine; derived by hand.
#include "report/compare/flow_changes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/compare/details.hpp"
#include "report/compare/details_of.hpp"
#include "report/small_result.hpp"
#include "support/case_file.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::test {
namespace {

/// The run is from tick 1000 to 6000 (of a microsecond): a tenth has 500 ticks, half a bin.
AnalysisResult with_series(Time start, std::vector<Ticks> ticks) {
  AnalysisResult r = small_result();
  WaitSeries& s = r.series.emplace();
  s.start = start, s.bin_ticks = 1000, s.bins = ticks.size();
  s.metrics[r.metrics.at("mpi_latesender")].ticks = std::move(ticks);
  return r;
}

TEST(FlowChanges, waits_by_tenth_of_the_run) {
  // A has 100 us in the first two tenths, 300 in the fifth and sixth. In B, the bins before and behind the run count in
  // the first and the last tenth.
  const AnalysisResult a = with_series(1000, {100, 0, 300}), b = with_series(0, {10, 100, 0, 0, 0, 400, 20});
  const nlohmann::json series = json_of(a, b)["series"];
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0]["metric"], "mpi_latesender");
  std::vector<double> before, after;
  for (const auto& part : series[0]["parts"]) {
    before.push_back(std::round(part["before"].get<double>() * 1e9) / 1e3);
    after.push_back(std::round(part["after"].get<double>() * 1e9) / 1e3);
    EXPECT_NEAR(part["change"].get<double>(), part["after"].get<double>() - part["before"].get<double>(), 1e-12);
  }
  EXPECT_EQ(before, (std::vector<double>{50, 50, 0, 0, 150, 150, 0, 0, 0, 0}));
  EXPECT_EQ(after, (std::vector<double>{60, 50, 0, 0, 0, 0, 0, 0, 200, 220}));
  EXPECT_TRUE(json_of(a, b, {"mpi_latesender"}).contains("series"));
  EXPECT_FALSE(json_of(a, b, {"visits"}).contains("series"));
  EXPECT_FALSE(json_of(a, small_result()).contains("series"));
  EXPECT_EQ(flow_text(details_of(a, b), 5, {}), R"(
waits over time         changed most at    A         B     change
mpi_latesender   90 to 100 % of the run  0 s  220.0 µs  +220.0 µs
)");
}

AnalysisResult with_communication(std::uint64_t bytes, std::int64_t ticks) {
  AnalysisResult r = small_result();
  Comm world;
  world.name = "MPI_COMM_WORLD";
  r.definitions.comms = {world, world};
  Communication& c = r.communication.emplace();
  c.pairs = {{0, 1, 3, bytes, 0, 0, 0, 0}, {1, 0, 1, 8, 2, 16, 0, 0}};
  c.sizes = {{8, 16, 1, 8}, {1024, 2048, 3, bytes}};
  // Two communicators of one name are the same.
  c.collectives = {{CommId{0}, CollectiveOp::barrier, 2, 4, 0, 0, ticks, 50},
                   {CommId{1}, CollectiveOp::barrier, 1, 2, 0, 0, 100, 25}};
  return r;
}

TEST(FlowChanges, communication) {
  const AnalysisResult a = with_communication(3072, 200);
  AnalysisResult b = with_communication(4096, 300);
  b.communication->pairs.pop_back();
  const nlohmann::json c = json_of(a, b)["communication"];
  const auto sides = [](double before, double after) {
    return nlohmann::json{{"before", before}, {"after", after}, {"change", after - before}};
  };
  EXPECT_EQ(c["messages"], sides(4, 3));
  EXPECT_EQ(c["bytes"], sides(3080, 4096));
  EXPECT_EQ(c["puts"], sides(2, 0));
  EXPECT_EQ(c["bytes_put"], sides(16, 0));
  EXPECT_EQ(c["bytes_got"], sides(0, 0));
  EXPECT_EQ(c["processes_per_block"], 1);
  ASSERT_EQ(c["pairs"].size(), 2u);
  EXPECT_EQ(c["pairs"][0],
            (nlohmann::json{{"sender", 0}, {"receiver", 1}, {"messages", sides(3, 3)}, {"bytes", sides(3072, 4096)}}));
  EXPECT_EQ(c["pairs"][1]["bytes"], sides(8, 0));
  EXPECT_EQ(c["sizes"][1], (nlohmann::json{{"from", 1024}, {"to", 2048}, {"messages", sides(3, 3)}}));
  ASSERT_EQ(c["collectives"].size(), 1u);
  const nlohmann::json& barrier = c["collectives"][0];
  EXPECT_EQ(barrier["communicator"], "MPI_COMM_WORLD");
  EXPECT_EQ(barrier["operation"], "barrier");
  EXPECT_EQ(barrier["operations"], sides(3, 3));
  EXPECT_NEAR(barrier["seconds"]["before"].get<double>(), 0.0003, 1e-12);
  EXPECT_NEAR(barrier["seconds"]["change"].get<double>(), 0.0001, 1e-12);
  EXPECT_NEAR(barrier["wait_seconds"]["after"].get<double>(), 0.000075, 1e-12);
  EXPECT_EQ(flow_text(details_of(a, b), 5, {}), R"(
communication                     A         B     change
messages                          4         3         -1
bytes                         3,080     4,096     +1,016
puts                              2         0         -2
bytes put                        16         0        -16
  bytes, process 0 to 1       3,072     4,096     +1,024
  bytes, process 1 to 0           8         0         -8
barrier of MPI_COMM_WORLD  300.0 µs  400.0 µs  +100.0 µs
)");
  // Blocks of different sizes cannot be compared; with named metrics, or for one run alone, nothing is shown.
  b.communication->processes_per_block = 2;
  EXPECT_FALSE(json_of(a, b)["communication"].contains("pairs"));
  EXPECT_FALSE(json_of(a, b, {"mpi_latesender"}).contains("communication"));
  EXPECT_FALSE(json_of(a, small_result()).contains("communication"));
}

// The chain of ideal_machine_test.cpp: without MPI_Init and MPI_Finalize 130 ticks, ideally 120, outside of MPI 110.
TEST(FlowChanges, the_ideal_machine_and_what_if) {
  AnalysisOptions options;
  options.threads = 1;
  options.built_in = false;
  options.patterns = PatternRegistry().chosen({"mpi_ideal_wait"}, {});
  const AnalysisResult chain = analyze(
      support::TraceFile(support::read_case(std::filesystem::path(WAITSTATE_CASES) / "mpi_ideal_wait/chain.case").trace)
          .path(),
      options);
  AnalysisResult twice = chain;
  twice.definitions.clock.resolution /= 2;
  const double tick = 1 / static_cast<double>(chain.definitions.clock.resolution);
  const nlohmann::json json = json_of(chain, twice);
  EXPECT_NEAR(json["efficiency"]["serialisation_efficiency"]["before"].get<double>(), 110.0 / 120, 1e-12);
  EXPECT_NEAR(json["efficiency"]["transfer_efficiency"]["after"].get<double>(), 120.0 / 130, 1e-12);
  EXPECT_EQ(json["efficiency"]["mpi_load_balance"]["change"], 0);
  const nlohmann::json& what_if = json["what_if"];
  EXPECT_NEAR(what_if["run_time"]["before"].get<double>(), 130 * tick, tick * 1e-6);
  EXPECT_NEAR(what_if["run_time"]["after"].get<double>(), 260 * tick, tick * 1e-6);
  EXPECT_NEAR(what_if["ideal_run_time"]["before"].get<double>(), 120 * tick, tick * 1e-6);
  EXPECT_EQ(what_if["unbalanced_before"], "main/work");
  EXPECT_EQ(what_if["unbalanced_after"], "main/work");
  const std::string text = details_text(details_of(chain, twice), 5, {});
  EXPECT_NE(text.find("\ntransfer efficiency            92.3 %   92.3 %  +0.0 points\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nif messages took no time "), std::string::npos) << text;
  EXPECT_NE(text.find("\nwith main/work balanced "), std::string::npos) << text;
  // Only one side has values.
  const nlohmann::json one = json_of(small_result(), chain);
  EXPECT_TRUE(one["efficiency"]["serialisation_efficiency"]["before"].is_null());
  EXPECT_TRUE(one["efficiency"]["serialisation_efficiency"]["after"].is_number());
  EXPECT_TRUE(one["what_if"]["unbalanced_before"].is_null());
  EXPECT_FALSE(json_of(small_result(), small_result()).contains("what_if"));
}

}  // namespace
}  // namespace waitstate::test
