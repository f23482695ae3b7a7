// Which teams a thread is in, and what becomes of a team and its table when the last member has left it.
#include "link/threads/team_parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;
constexpr CommTeam first_team{ProcessOfThreads::comm, 0}, second_team{ProcessOfThreads::comm, 1};

bool is_in(TeamsOfAProcess& t, LocationId l, const CommTeam& team) {
  const TeamParts::TeamMembership* const part = t.parts.innermost(l);
  const CommTeam* const found = part == nullptr ? nullptr : std::get_if<CommTeam>(&part->team);
  return found != nullptr && found->comm == team.comm && found->number == team.number;
}

/// The table has the teams of the communicator, which nobody has left.
struct TwoTeams : TeamsOfAProcess {
  explicit TwoTeams(std::size_t threads) : TeamsOfAProcess(threads) {
    table.prepare(comm, master);
    table.find_or_add(second_team);
  }
};

TEST(TeamParts, AThreadIsInTheTeamThatItBeganLast) {
  TwoTeams t(2);
  EXPECT_EQ(t.parts.innermost(worker), nullptr);
  t.parts.begin(worker, first_team, 10, false);
  t.parts.begin(worker, second_team, 20, false);
  EXPECT_TRUE(is_in(t, worker, second_team));
  t.parts.end(worker);
  EXPECT_TRUE(is_in(t, worker, first_team));
  t.parts.end(worker);
  t.parts.end(worker);  // a record too many
  EXPECT_EQ(t.parts.innermost(worker), nullptr);
}

TEST(TeamParts, AJoinEndsAllPartsSinceTheFork) {
  TwoTeams t(2);
  t.parts.join(master);  // without a fork
  t.parts.begin(master, first_team, 10, true);
  t.parts.begin(master, second_team, 20, false);
  t.parts.join(master);
  EXPECT_EQ(t.parts.innermost(master), nullptr);
  t.parts.begin(master, first_team, 30, false);
  t.parts.join(master);
  EXPECT_TRUE(is_in(t, master, first_team)) << "it did not fork that one";
}

TEST(TeamParts, TheEndOfASegmentEndsAllPartsInIt) {
  TwoTeams t(2);
  t.parts.begin(worker, first_team, 10, true);
  t.parts.begin(worker, second_team, 20, false);
  t.parts.end_segment(worker);
  EXPECT_EQ(t.parts.innermost(worker), nullptr);
  t.parts.begin(worker, second_team, 30, false);
  t.parts.join(worker);
  EXPECT_TRUE(is_in(t, worker, second_team)) << "its fork was in the segment";
}

TEST(TeamParts, ATeamIsForgottenWhenItsLastMemberHasLeftItAndThoseBeforeIt) {
  TwoTeams t(2);
  const auto leave = [&](LocationId l, const CommTeam& team) {
    t.parts.begin(l, team, 10, false);
    t.parts.end(l);
  };
  leave(master, second_team);
  leave(worker, second_team);
  EXPECT_NE(t.table.find(second_team), nullptr) << "the one before it is still open";
  leave(master, first_team);
  EXPECT_NE(t.table.find(first_team), nullptr);
  leave(worker, first_team);
  EXPECT_EQ(t.table.find(first_team), nullptr);
  EXPECT_EQ(t.table.find(second_team), nullptr);
}

TEST(TeamParts, ATeamThatWasForkedStaysUntilItsMasterHasLeftIt) {
  TwoTeams t(2);
  t.table.find(first_team)->forked = true;
  for (const LocationId l : {master, worker}) {
    t.parts.begin(l, first_team, 10, false);
    t.parts.end(l);
  }
  ASSERT_NE(t.table.find(first_team), nullptr);
  t.parts.leave(*t.table.find(first_team), true, 40);
  t.table.forget_passed(t.table.comm(ProcessOfThreads::comm));
  EXPECT_EQ(t.table.find(first_team), nullptr);
}

TEST(TeamParts, ALocationThatEndsTakesPartInNoFurtherTeam) {
  TwoTeams t(2);
  t.table.member(ProcessOfThreads::comm, worker).next = 1;  // it has taken part in the first one
  t.parts.begin(worker, first_team, 10, false);
  t.parts.end_location(worker);
  EXPECT_TRUE(t.table.thread(worker).ended);
  ASSERT_NE(t.table.find(first_team), nullptr);
  EXPECT_EQ(t.table.find(first_team)->left, 1u) << "it was in that one";
  EXPECT_EQ(t.table.find(second_team)->left, 1u) << "it does not come to that one";
  EXPECT_EQ(t.table.find_or_add({ProcessOfThreads::comm, 2}).left, 1u) << "nor to teams that are added later";
}

TEST(TeamParts, WorkersRegionsAreChargedOnceTheJoinIsKnown) {
  TwoTeams t(3);
  Team& team = *t.table.find(first_team);
  team.fork = 10;
  t.parts.add_region(team, {worker, CallPathId::none(), 12, 35});
  EXPECT_EQ(t.heard.rows, Rows{});
  t.parts.leave(team, true, 40);
  t.parts.add_region(team, {LocationId{2}, CallPathId::none(), 15, 38});
  EXPECT_EQ(t.heard.rows, (Rows{"region 1 10 12-35 40", "region 2 10 15-38 40"}));
}

TEST(TeamParts, WithoutAJoinNothingIsChargedBehindTheWorkersExit) {
  TwoTeams t(2);
  Team& team = *t.table.find(first_team);
  t.parts.add_region(team, {worker, CallPathId::none(), 12, 35});
  t.parts.leave(team, false, 0);
  EXPECT_EQ(t.heard.rows, Rows{"region 1 0 12-35 35"});
}

TEST(TeamParts, PartsInATeamWithAParallelIdAreCounted) {
  TeamsOfAProcess t(2);
  const TeamRef team = t.parallel_ids.team(master, 7);
  t.table.find_or_add(std::get<ParallelId>(team));
  for (const LocationId l : {master, worker}) t.parts.begin(l, team, 10, false);
  EXPECT_EQ(t.table.find(team)->open, 2u);
  EXPECT_EQ(t.table.find(team)->took_part, 2u);
  t.parts.end(worker);
  EXPECT_EQ(t.table.find(team)->open, 1u);
}

// --- the table -------------------------------------------------------------------------------------------------------

TEST(TeamTable, OnlyMembersOfACommunicatorHaveTeamsOfIt) {
  TeamsOfAProcess t(3);
  t.definitions.comms[0].members = {master, worker, worker, LocationId::none()};
  TeamTable table(t.definitions);
  const CommTeams* const teams = table.prepare(ProcessOfThreads::comm, master);
  ASSERT_NE(teams, nullptr);
  EXPECT_EQ(teams->size, 2u) << "a member that is listed twice counts once";
  EXPECT_EQ(teams->threads, 3u);
  EXPECT_EQ(teams->master, master);
  EXPECT_EQ(table.prepare(ProcessOfThreads::comm, LocationId{2}), nullptr);
  EXPECT_EQ(table.prepare(CommId{5}, master), nullptr);
  EXPECT_EQ(table.prepare(CommId::none(), master), nullptr);
}

TEST(TeamTable, ATeamIsFoundByItsNumberOrItsParallelId) {
  TeamsOfAProcess t(2);
  t.table.prepare(ProcessOfThreads::comm, master);
  EXPECT_EQ(t.table.find(first_team), nullptr);
  Team* const second = &t.table.find_or_add(second_team);
  EXPECT_EQ(t.table.find(second_team), second);
  EXPECT_EQ(t.table.find(first_team)->left, 2u) << "it came into being with the second one";
  EXPECT_EQ(t.table.find(TeamRef{}), nullptr);
  const ParallelId id{ProcessId{0}, 7};
  EXPECT_EQ(t.table.find(id), nullptr);
  EXPECT_EQ(t.table.find(id), nullptr) << "looking for it does not make it";
  Team* const by_id = &t.table.find_or_add(id);
  EXPECT_EQ(t.table.find(id), by_id);
}

TEST(TeamTable, AsManyAreExpectedAsAreAskedFor) {
  CommTeams comm;
  comm.size = 4;
  Team team;
  EXPECT_EQ(comm.expected(team), 4u);
  team.requested = 3;
  EXPECT_EQ(comm.expected(team), 3u);
  team.requested = 9;
  EXPECT_EQ(comm.expected(team), 4u);
}

// --- who takes part --------------------------------------------------------------------------------------------------

TEST(UnusedThreads, NestedTeamsKeepTheOutermostOneOpen) {
  TeamsOfAProcess t(4);
  t.table.prepare(ProcessOfThreads::comm, master);
  Team& outer = t.table.find_or_add(first_team);
  outer.outermost = true;
  outer.caller_known = outer.joined = true;
  outer.requested = 2;
  outer.master = master;
  outer.fork = 10;
  outer.join = 90;
  outer.region = CallPathId{0};
  outer.left = 1;
  Team& inner = t.table.find_or_add(second_team);
  inner.left = 2;
  t.parts.begin(master, first_team, 10, false);
  t.unused.nest(second_team, first_team);
  EXPECT_EQ(t.table.find(first_team)->nested, 1u);
  t.parts.end(master);
  EXPECT_EQ(t.heard.rows, Rows{}) << "threads of the nested team are at it";
  for (const LocationId l : {worker, LocationId{3}}) {
    t.parts.begin(l, second_team, 20, false);
    t.parts.end(l);
  }
  EXPECT_EQ(t.heard.rows, Rows{"unused 10-90 team 0 1 3"});
}

}  // namespace
}  // namespace waitstate::link
