#include "replay/threads/team_replay.hpp"

#include "thread_parts.hpp"

namespace waitstate::replay {
namespace {

using Kind = TeamRecord::Kind;

TEST(TeamReplay, AParallelRegionLastsFromForkToJoin) {
  ThreadParts p;
  const std::uint32_t caller = p.enter(0, work);
  p.advance(10);
  p.teams.fork(4);
  const std::uint32_t region = p.enter(12, parallel);
  p.teams.begin_part(CommId{0});
  p.advance(18);
  p.teams.end_part();
  p.exit(20);
  p.advance(23);
  p.teams.join();
  p.exit(25);

  EXPECT_EQ(p.profiles[caller].time, 12);
  EXPECT_EQ(p.profiles[region].time, 8);
  EXPECT_EQ(p.profiles[region].fork, 2);
  EXPECT_EQ(p.profiles[region].join, 3);
  EXPECT_FALSE(p.stack.in_threads());

  const std::vector<TeamRecord>& r = p.chunk.team_records;
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(r[0].kind, Kind::serial);
  EXPECT_EQ(r[0].to, 10u);
  EXPECT_EQ(r[1].kind, Kind::begin);
  EXPECT_TRUE(r[1].master && r[1].forked && !r[1].segment);
  EXPECT_EQ(r[1].callpath, caller);
  EXPECT_EQ(r[1].count, 4u);
  EXPECT_EQ(r[1].from, 10u);
  EXPECT_EQ(r[2].kind, Kind::end);
  EXPECT_EQ(r[3].kind, Kind::join);
  EXPECT_EQ(r[3].callpath, region);
}

TEST(TeamReplay, ForkAndJoinWithoutAParallelRegionAreTheCallers) {
  ThreadParts p;
  const std::uint32_t caller = p.enter(0, work);
  p.advance(10);
  p.teams.fork(2);
  const std::uint32_t inside = p.enter(13, critical);
  p.exit(14);
  p.exit(20);  // the caller is left without a join
  p.advance(22);
  p.teams.join();
  EXPECT_EQ(p.profiles[caller].time, 10 + 3 + 6);
  EXPECT_EQ(p.profiles[inside].time, 1);
  EXPECT_EQ(p.profiles[caller].fork + p.profiles[caller].join, 0);
}

TEST(TeamReplay, AWorkersPartIsASegmentWhoseProfilesGoWithTheChunk) {
  ThreadParts p;
  p.advance(5);
  p.teams.begin_part(CommId{0});
  const std::uint32_t region = p.enter(6, parallel), inside = p.enter(7, work);
  p.exit(8);
  p.exit(9);
  p.advance(10);
  p.teams.end_part();

  ASSERT_EQ(p.chunk.team_records.size(), 2u);
  EXPECT_TRUE(p.chunk.team_records[0].segment);
  EXPECT_FALSE(p.chunk.team_records[0].master);
  const TeamRecord& end = p.chunk.team_records[1];
  EXPECT_EQ(end.kind, Kind::end);
  EXPECT_TRUE(end.segment);
  EXPECT_EQ(end.callpath, region);
  EXPECT_EQ(end.from, 6u);
  EXPECT_EQ(end.to, 9u);
  ASSERT_EQ(end.count, 2u);
  EXPECT_EQ(p.chunk.segment_profiles[0].callpath, region);
  EXPECT_EQ(p.chunk.segment_profiles[0].profile.time, 2);
  EXPECT_EQ(p.chunk.segment_profiles[1].callpath, inside);
  EXPECT_EQ(p.chunk.segment_profiles[1].profile.time, 1);
  EXPECT_EQ(p.profiles[region].time, 0);
  EXPECT_EQ(p.activity().base, 0u);
  EXPECT_EQ(p.stack.tree().parent(region), p.stack.team_root());
}

TEST(TeamReplay, ASegmentEndsAtTheLatestWithTheLocation) {
  ThreadParts p;
  p.advance(5);
  p.teams.begin_part(CommId{0});
  p.enter(6, parallel);
  p.exit(9);
  p.teams.finish();
  EXPECT_EQ(p.chunk.team_records.back().kind, Kind::end);
  EXPECT_EQ(p.chunk.segment_profiles.size(), 1u);
}

}  // namespace
}  // namespace waitstate::replay
