#include "waitstate/result/metrics.hpp"

#include <gtest/gtest.h>

#include "waitstate/error.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate {
namespace {

TEST(MetricTree, BuiltInIdsAreUniqueAndEveryClassOfRegionHasOne) {
  const MetricTree t = MetricTree::built_in();
  for (int c = 0; c < region_class_count; ++c) EXPECT_NE(t.find(name(static_cast<RegionClass>(c))), no_metric);
  EXPECT_EQ(t[t.at("mpi_lswo_same")].parent, t.at("mpi_latesender_wo"));
  EXPECT_EQ(t.depth_first().size(), t.size());
}

TEST(MetricTree, AnUnknownIdGetsTheNearest) {
  try {
    MetricTree::built_in().at("mpi_latesendr");
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?");
  }
}

TEST(Severities, AParentContainsItsPartsButNotItsWaits) {
  MetricTree t;
  t.add("a", "", Unit::seconds, false, "", "");
  t.add("part", "a", Unit::seconds, false, "", "");
  t.add("wait", "part", Unit::seconds, true, "", "");
  CallTree calls;
  const CallPathId path = calls.find_or_add({CallPathId::none(), RegionId{0}, StringId::none()});
  calls.seen(path, LocationId{0}, 1);
  Severities s(t.size());
  s.add(0, path, LocationId{0}, 5);
  s.add(1, path, LocationId{0}, 7);
  s.add(2, path, LocationId{0}, 3);
  s.add(1, path, LocationId{2}, -4);
  EXPECT_EQ(s.inclusive(t, 0, path, LocationId{0}), 12);
  EXPECT_EQ(s.inclusive(t, 1, path, LocationId{0}), 7);
  EXPECT_EQ(s.inclusive(t, 0, path, LocationId{1}), 0);
  std::vector<std::tuple<MetricIndex, std::uint32_t, std::int64_t>> rows;
  for (const SeverityRow& r : severity_table(t, calls, s)) rows.emplace_back(r.metric, r.location.value, r.value);
  EXPECT_EQ(rows, (std::vector<std::tuple<MetricIndex, std::uint32_t, std::int64_t>>{
                      {0, 0, 12}, {0, 2, -4}, {1, 0, 7}, {1, 2, -4}, {2, 0, 3}}));
}

}  // namespace
}  // namespace waitstate
