#include "report/compare/delta.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

/// Metric, call path, location -> value of the metric itself.
using Values = std::map<std::tuple<std::string, std::string, std::string>, std::int64_t>;

Values values(const AnalysisResult& r) {
  Values found;
  for (MetricIndex m = 0; m < r.metrics.size(); ++m)
    r.severities.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) {
      const Location& location = r.definitions[l];
      const std::string where = location.process.valid() ? r.definitions[location.process].name : location.name;
      found[{r.metrics[m].id, r.call_tree.path(c, r.definitions), where}] += value;
    });
  return found;
}

TEST(Delta, of_a_run_and_itself_is_nothing) {
  const AnalysisResult r = small_result();
  const report::Delta d = report::delta(r, r);
  EXPECT_TRUE(d.by_location);
  EXPECT_TRUE(values(d.result).empty());
  EXPECT_EQ(d.result.call_tree.size(), r.call_tree.size());
  EXPECT_EQ(d.result.metrics.size(), r.metrics.size());
}

// A has a call path, a region and a metric of its own, and its processes stand in another order.
TEST(Delta, is_b_less_a_in_the_call_paths_of_both) {
  AnalysisResult a = small_result();
  const AnalysisResult b = small_result();
  std::swap(a.definitions.processes[0], a.definitions.processes[1]);
  for (Location& l : a.definitions.locations) l.process = ProcessId{1 - l.process.index()};
  Region own;
  own.name = "only_in_a";
  a.definitions.regions.push_back(own);
  const CallPathId below = a.call_tree.find_or_add({CallPathId{0}, RegionId{3}, StringId::none()});
  const MetricIndex more = a.metrics.add("of_a", "time", Unit::seconds, true, "Of A", "");
  a.severities.grow(a.metrics.size());
  a.severities.add(more, below, LocationId{0}, 70);
  a.severities.add(a.metrics.at("time"), below, LocationId{0}, 100);
  a.severities.add(a.metrics.at("mpi_latesender"), CallPathId{2}, LocationId{1}, -500);

  const report::Delta d = report::delta(a, b);
  EXPECT_TRUE(d.by_location);
  EXPECT_EQ(values(d.result), (Values{{{"of_a", "main/only_in_a", "MPI Rank 0"}, -70},
                                      {{"time", "main/only_in_a", "MPI Rank 0"}, -100},
                                      {{"mpi_latesender", "main/work<int, \"x\">/MPI_Recv", "MPI Rank 1"}, 500}}));
  const MetricIndex metric = d.result.metrics.at("of_a");
  EXPECT_EQ(d.result.metrics[d.result.metrics[metric].parent].id, "time");
  EXPECT_TRUE(d.result.metrics[metric].within_parent);
}

TEST(Delta, to_a_run_with_nothing_is_that_run) {
  const AnalysisResult b = small_result();
  AnalysisResult a = b;
  a.severities = Severities(a.metrics.size());
  EXPECT_EQ(values(report::delta(a, b).result), values(b));
}

TEST(Delta, of_other_locations_is_that_of_their_sums) {
  const AnalysisResult a = small_result();
  AnalysisResult b = a;
  Location third = b.definitions.locations[1];
  b.definitions.locations.push_back(third);
  b.definitions.processes[1].locations.emplace_back(std::size_t{2});
  b.locations.resize(3);
  b.severities.add(b.metrics.at("time"), CallPathId{0}, LocationId{2}, 11);
  const report::Delta d = report::delta(a, b);
  EXPECT_FALSE(d.by_location);
  EXPECT_EQ(d.result.definitions.locations.size(), 1u);
  EXPECT_EQ(values(d.result), (Values{{{"time", "main", "all locations"}, 11}}));
}

// A second of A is 1,000,000 ticks, one of B is 1,000,000,000. Rounding in A is not a change: up to 1,000 ticks of B.
TEST(Delta, of_other_clocks_is_in_ticks_of_b_and_without_what_was_rounded) {
  const AnalysisResult a = small_result();
  AnalysisResult b = a;
  b.definitions.clock.resolution = 1'000'000'000;
  b.severities = Severities(b.metrics.size());
  for (MetricIndex m = 0; m < a.metrics.size(); ++m)
    a.severities.for_each(m, [&](CallPathId c, LocationId l, std::int64_t value) {
      b.severities.add(m, c, l, a.metrics[m].unit == Unit::seconds ? 1000 * value : value);
    });
  b.severities.add(b.metrics.at("time"), CallPathId{0}, LocationId{0}, 400);
  b.severities.add(b.metrics.at("time"), CallPathId{0}, LocationId{1}, 2500);
  EXPECT_EQ(values(report::delta(a, b).result), (Values{{{"time", "main", "MPI Rank 1"}, 2500}}));
}

TEST(Delta, knows_no_extremes) {
  AnalysisResult a = small_result();
  a.metrics.set_aggregation(a.metrics.at("bytes"), Aggregation::maximum);
  AnalysisResult b = a;
  b.severities.add(b.metrics.at("bytes"), CallPathId{2}, LocationId{1}, 1);
  EXPECT_TRUE(values(report::delta(a, b).result).empty());
}

}  // namespace
}  // namespace waitstate::test
