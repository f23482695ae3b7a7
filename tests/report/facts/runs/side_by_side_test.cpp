// Several runs side by side: totals, changes, what only some runs have, and rounding between clocks.
#include "report/facts/runs/side_by_side.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

using report::Against;
using report::side_by_side;
using report::SideBySide;
using report::SideBySideRow;
using report::Told;

/// The small result with this many more microseconds of Late Sender.
AnalysisResult later(std::int64_t ticks) {
  AnalysisResult r = small_result();
  for (const char* id : {"mpi_point2point", "mpi_latesender"})
    r.severities.add(r.metrics.at(id), CallPathId{2}, LocationId{1}, ticks);
  return r;
}

const SideBySideRow& row(const SideBySide& all, const std::string& id) {
  for (const SideBySideRow& r : all.metrics)
    if (r.metric == id) return r;
  throw std::out_of_range(id);
}

TEST(SideBySide, totals_of_three_runs_and_what_changed) {
  const AnalysisResult a = small_result(), b = later(1000), c = later(500);
  const AnalysisResult* const runs[] = {&a, &b, &c};
  const SideBySide all = side_by_side(runs);
  const SideBySideRow& late = row(all, "mpi_latesender");
  ASSERT_EQ(late.values.size(), 3u);
  EXPECT_DOUBLE_EQ(late.values[0].value, 0.002);
  EXPECT_DOUBLE_EQ(late.values[1].value, 0.003);
  EXPECT_DOUBLE_EQ(late.values[2].value, 0.0025);
  EXPECT_EQ(late.change(0), std::nullopt);
  EXPECT_DOUBLE_EQ(late.change(1).value(), 0.001);
  EXPECT_DOUBLE_EQ(late.change(2).value(), -0.0005);
  EXPECT_DOUBLE_EQ(late.change(2, Against::first).value(), 0.0005);
  EXPECT_EQ(late.change(3), std::nullopt);
  EXPECT_FALSE(late.is_same());
  EXPECT_TRUE(row(all, "bytes").is_same());
  EXPECT_EQ(row(all, "bytes").unit, Unit::bytes);

  std::vector<std::string> changed;
  for (const SideBySideRow& r : all.callpaths) {
    changed.push_back(r.metric);
    EXPECT_EQ(r.values[1].callpath, CallPathId{2});
  }
  EXPECT_EQ(changed, (std::vector<std::string>{"time", "mpi_point2point", "mpi_latesender"}));
  EXPECT_EQ(side_by_side(runs, {"bytes"}).metrics.size(), 1u);
}

TEST(SideBySide, one_run_alone) {
  const AnalysisResult a = small_result();
  const AnalysisResult* const runs[] = {&a};
  const SideBySide all = side_by_side(runs);
  EXPECT_EQ(all.metrics.size(), a.metrics.size());
  EXPECT_DOUBLE_EQ(row(all, "time").values[0].value, 0.0085);
  EXPECT_TRUE(all.callpaths.empty());
}

TEST(SideBySide, a_metric_that_one_run_lacks_was_not_analysed_there) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.metrics.add("mine", "time", Unit::seconds, true, "Mine", "");
  b.severities = Severities(b.metrics.size());
  b.severities.add(b.metrics.at("mine"), CallPathId{1}, LocationId{0}, 100);
  const AnalysisResult* const runs[] = {&a, &b, &a};
  const SideBySide all = side_by_side(runs);
  const SideBySideRow& mine = row(all, "mine");
  EXPECT_FALSE(mine.values[0].exists);
  EXPECT_EQ(mine.values[0].told, Told::not_analysed);
  EXPECT_TRUE(mine.values[1].exists);
  EXPECT_DOUBLE_EQ(mine.values[1].value, 0.0001);
  EXPECT_EQ(mine.change(1), std::nullopt);
  for (const SideBySideRow& r : all.callpaths) EXPECT_NE(r.metric, "mine");
}

TEST(SideBySide, ids_of_earlier_runs_stand_where_they_would_be) {
  AnalysisResult a, b;
  for (const char* id : {"one", "two", "three"}) a.metrics.add(id, "", Unit::seconds, false, "", "");
  for (const char* id : {"one", "three", "four"}) b.metrics.add(id, "", Unit::seconds, false, "", "");
  const AnalysisResult* const runs[] = {&a, &b};
  EXPECT_EQ(report::metric_ids(runs), (std::vector<std::string>{"one", "two", "three", "four"}));
}

// In nanoseconds each value is 300 ns more: less than a tick of the other clock.
TEST(SideBySide, what_is_no_more_than_rounding_between_clocks_is_equal) {
  const AnalysisResult a = small_result();
  AnalysisResult b = small_result();
  b.definitions.clock.resolution = 1'000'000'000;
  b.severities = Severities(b.metrics.size());
  for (const char* id : {"time", "mpi_point2point", "mpi_latesender"})
    a.severities.for_each(a.metrics.at(id), [&](CallPathId path, LocationId location, std::int64_t value) {
      b.severities.add(b.metrics.at(id), path, location, 1000 * value + 300);
    });
  const AnalysisResult* const runs[] = {&a, &b};
  const SideBySide all = side_by_side(runs, {"time", "mpi_latesender"});
  EXPECT_TRUE(row(all, "time").is_same());
  EXPECT_TRUE(row(all, "mpi_latesender").is_same());
  EXPECT_TRUE(all.callpaths.empty());

  b.severities.add(b.metrics.at("mpi_latesender"), CallPathId{2}, LocationId{1}, 20'000);
  EXPECT_FALSE(row(side_by_side(runs, {"mpi_latesender"}), "mpi_latesender").is_same());
}

}  // namespace
}  // namespace waitstate::test
