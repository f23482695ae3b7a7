#include "replay/threads/parallel_id_replay.hpp"

#include "thread_parts.hpp"

namespace waitstate::replay {
namespace {

using Kind = TeamRecord::Kind;

Definitions with_ids() {
  Definitions d = one_location();
  d.attributes.resize(1);
  d.attributes[0].name = "OMPT_PARALLEL_REGION_ID";
  return d;
}

struct ParallelIds : ThreadParts {
  ParallelIds() : ThreadParts({}, with_ids()) {}
  void listed(std::uint64_t id) {
    const ListedAttribute list[] = {{AttributeId{0}, {ValueType::uint64, id}}};
    ids.attribute_list(list);
  }
  std::uint32_t enter(Time t, std::uint32_t region) {
    ++context.counts[static_cast<std::size_t>(EventType::enter)];
    advance(t);
    if (ids.expects_enter()) ids.enter(RegionId{region});
    return ThreadParts::enter(t, region);
  }
  void exit(Time t) {
    ++context.counts[static_cast<std::size_t>(EventType::exit)];
    Parts::exit(t);
    teams.leave_region_in_segment();
    ids.leave_region();
  }
  ParallelIdReplay ids{stack, teams};
};

TEST(ParallelIdReplay, TheMastersImplicitTaskSplitsTheRegionInForkAndJoin) {
  ParallelIds p;
  EXPECT_TRUE(p.ids.wants_lists());
  p.enter(0, work);
  p.listed(77);
  const std::uint32_t region = p.enter(10, parallel);
  p.listed(77);
  p.enter(12, implicit_task);
  p.exit(18);
  p.exit(21);
  EXPECT_EQ(p.profiles[region].fork, 2);
  EXPECT_EQ(p.profiles[region].join, 3);
  EXPECT_EQ(p.profiles[region].time, 0);
  EXPECT_FALSE(p.stack.in_threads());

  const std::vector<TeamRecord>& r = p.chunk.team_records;
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(r[0].kind, Kind::serial);
  EXPECT_EQ(r[1].kind, Kind::begin);
  EXPECT_TRUE(r[1].by_number && r[1].master && r[1].outermost && !r[1].segment);
  EXPECT_EQ(r[1].to, 77u);
  EXPECT_EQ(r[1].callpath, region);
  EXPECT_EQ(r[2].kind, Kind::end);
  EXPECT_EQ(r[3].kind, Kind::join);
  EXPECT_TRUE(r[3].by_number);
  EXPECT_EQ(r[3].to, 77u);
}

TEST(ParallelIdReplay, AWorkersImplicitTaskIsASegment) {
  ParallelIds p;
  p.listed(77);
  p.enter(12, implicit_task);
  p.exit(18);
  ASSERT_EQ(p.chunk.team_records.size(), 2u);
  EXPECT_TRUE(p.chunk.team_records[0].by_number && p.chunk.team_records[0].segment);
  EXPECT_TRUE(p.chunk.team_records[1].segment);
  EXPECT_EQ(p.chunk.segment_profiles.size(), 1u);
  EXPECT_EQ(p.chunk.segment_profiles[0].profile.time, 6);
  EXPECT_FALSE(p.stack.in_threads());
}

TEST(ParallelIdReplay, TheListOfAnExitSaysNothing) {
  ParallelIds p;
  p.enter(0, work);
  p.listed(77);
  p.exit(1);
  p.enter(2, implicit_task);
  EXPECT_TRUE(p.chunk.team_records.empty());
}

}  // namespace
}  // namespace waitstate::replay
