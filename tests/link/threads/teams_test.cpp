// Which fork a worker's segment belongs to, in each order of reading; teams with OMPT parallel ids; who is unused.
#include "link/threads/teams.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

/// Where the location's `n`-th segment is attached, of which all are.
std::string where(TeamsOfAProcess& t, LocationId l, std::uint32_t n) {
  return t.name(t.attachments.call_path({l, n}, 3));
}

TEST(Teams, ASegmentWaitsForItsFork) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(1, {begin_segment_at(20), end_segment_at(30)}, {}, 30));
  EXPECT_FALSE(t.attachments.all_attached(worker));
  EXPECT_EQ(t.teams.awaited(t.attachments.first_unattached(worker)), master);
  t.teams.scan(chunk_of(0, {fork_at(10, 2), join_at(40)}, {}, 40));
  EXPECT_TRUE(t.attachments.all_attached(worker));
  EXPECT_EQ(where(t, worker, 1), "main/parallel");
}

// Two of three threads are asked for first, so the segment at 60 may be of the first team or the second: the times
// decide.
TEST(Teams, ATeamThatWasJoinedBeforeIsPassedOver) {
  TeamsOfAProcess t(3);
  t.teams.scan(chunk_of(2, {begin_segment_at(60), end_segment_at(70)}, {}, 70));
  t.teams.scan(chunk_of(0, {fork_at(10, 1, 0, 2), join_at(40), fork_at(50, 2), join_at(80)}, {}, 80));
  EXPECT_EQ(where(t, LocationId{2}, 1), "main/parallel");
}

TEST(Teams, ASegmentBeforeTheNextForkHasNoCaller) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(1, {begin_segment_at(5), end_segment_at(6)}, {}, 30));
  t.teams.scan(chunk_of(0, {fork_at(10, 2), join_at(40)}, {}, 40));
  EXPECT_TRUE(t.attachments.all_attached(worker));
  EXPECT_EQ(where(t, worker, 1), "");
}

TEST(Teams, WhatIsGivenUpHasNoCaller) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(1, {begin_segment_at(20)}, {}, 30));
  t.teams.give_up(t.attachments.first_unattached(worker));
  EXPECT_TRUE(t.attachments.all_attached(worker));
  EXPECT_EQ(where(t, worker, 1), "");
}

// Threads 0, 1 and 2 fork each for the next one, in communicators of two; read in each order.
TEST(Teams, NestedTeamsAreAttachedInEachOrder) {
  const std::vector<replay::Chunk> chunks = [] {
    auto second = begin_segment_at(20);
    auto inner = fork_at(25, 4, 1);
    auto last = begin_segment_at(30);
    inner.team = last.team = CommId{1};
    return std::vector{chunk_of(0, {fork_at(10, 2), join_at(90)}, {}, 90, true),
                       chunk_of(1, {second, inner, join_at(50), end_segment_at(60)}, {}, 90, true),
                       chunk_of(2, {last, end_segment_at(40)}, {}, 90, true)};
  }();
  std::vector<std::size_t> order{0, 1, 2};
  do {
    TeamsOfAProcess t(3);
    t.definitions.comms.resize(2);
    t.definitions.comms[0].members = {LocationId{0}, LocationId{1}};
    t.definitions.comms[1].members = {LocationId{1}, LocationId{2}};
    TeamTable table(t.definitions);
    UnusedThreadFinder unused(t.definitions, table, nullptr);
    TeamBarriers barriers(t.definitions, table, t.calls, nullptr);
    TeamParts parts(table, barriers, unused, nullptr);
    ParallelIds ids(t.definitions, table, t.attachments, parts, barriers, unused);
    Teams teams(table, t.attachments, ids, parts, unused);
    for (const std::size_t i : order) teams.scan(chunks[i]);
    EXPECT_EQ(where(t, LocationId{1}, 1), "main/parallel");
    EXPECT_EQ(where(t, LocationId{2}, 1), "main/parallel/parallel");
  } while (std::next_permutation(order.begin(), order.end()));
}

// --- OMPT parallel ids -----------------------------------------------------------------------------------------------

TEST(ParallelIds, ASegmentWaitsForItsMasterToBeReadAsFar) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(1, {by_id(begin_segment_at(20), 7)}, {}, 30));
  t.teams.scan(chunk_of(0, {by_id(fork_at(10, 2), 7)}, {}, 15));
  EXPECT_FALSE(t.parallel_ids.attach(master));
  EXPECT_EQ(t.parallel_ids.awaited({worker, 1}), master);
  t.teams.scan(chunk_of(0, {by_id(join_at(40), 7)}, {}, 40));
  EXPECT_TRUE(t.parallel_ids.attach(master));
  EXPECT_EQ(where(t, worker, 1), "main/parallel");
}

TEST(ParallelIds, ASegmentAfterTheJoinBelongsToNoTeam) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(1, {by_id(begin_segment_at(50), 7)}, {}, 60));
  t.teams.scan(chunk_of(0, {by_id(fork_at(10, 2), 7), by_id(join_at(40), 7)}, {}, 70));
  EXPECT_TRUE(t.parallel_ids.attach(master));
  EXPECT_EQ(where(t, worker, 1), "");
}

TEST(ParallelIds, ATeamIsClosedWhenAllThreadsHaveBeenProcessedBeyondIt) {
  TeamsOfAProcess t(3);
  t.teams.scan(chunk_of(0, {by_id(fork_at(10, 2), 7), by_id(join_at(40), 7)}, {}, 70));
  const TeamRef team = t.parallel_ids.team(master, 7);
  t.parts.begin(master, team, 10, true);
  t.parts.end(master);
  for (std::size_t i = 0; i < 3; ++i) t.table.thread(LocationId{i}).processed = i == 1 ? 40 : 50;
  t.parallel_ids.close(master);
  EXPECT_NE(t.table.find(team), nullptr);
  t.table.thread(worker).processed = 41;
  t.parallel_ids.close(worker);
  EXPECT_EQ(t.table.find(team), nullptr);
  EXPECT_EQ(t.heard.rows, (std::vector<std::string>{"unused 10-40 team 0"}));
}

// --- who takes part --------------------------------------------------------------------------------------------------

// Two of three threads are asked for; the third takes no part until it ends.
TEST(UnusedThreads, AreToldWhenAllMembersHaveLeftTheTeam) {
  TeamsOfAProcess t(3);
  t.teams.scan(chunk_of(0, {fork_at(10, 2, 0, 2), join_at(40)}, {}, 50, true));
  t.parts.begin(master, t.teams.take_begun(master), 10, true);
  t.parts.begin(worker, CommTeam{t.comm, 0}, 12, false);
  t.parts.end(worker);
  t.parts.join(master);
  t.table.member(t.comm, worker).next = 1;
  for (std::size_t i = 0; i < 2; ++i) t.parts.end_location(LocationId{i});
  EXPECT_TRUE(t.heard.rows.empty());
  t.parts.end_location(LocationId{2});
  EXPECT_EQ(t.heard.rows, (std::vector<std::string>{"unused 10-40 team 0 1"}));
  EXPECT_EQ(t.table.find(CommTeam{t.comm, 0}), nullptr);
}

TEST(TeamParts, AWorkersTimeAroundItsRegionIsChargedWhenTheMasterHasLeft) {
  TeamsOfAProcess t(2);
  t.teams.scan(chunk_of(0, {fork_at(10, 2)}, {}, 20));
  t.parts.add_region(*t.table.find(CommTeam{t.comm, 0}), {worker, CallPathId::none(), 12, 35});
  EXPECT_TRUE(t.heard.rows.empty());
  t.teams.scan(chunk_of(0, {join_at(40)}, {}, 40));
  EXPECT_EQ(t.heard.rows, (std::vector<std::string>{"region 1 10 12-35 40"}));
}

}  // namespace
}  // namespace waitstate::link
