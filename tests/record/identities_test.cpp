// Two groups that make an inter-communicator each have an identity for it: which two are one, and where that cannot be
// told.
#include "record/archive/identities.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "record/archive/merge.hpp"
#include "record/run_folder.hpp"

namespace waitstate::record {
namespace {

constexpr auto comm_map = static_cast<std::size_t>(Table::comm);

/// Communicators 1 and 2 of a process: duplicates of its own MPI_COMM_SELF; 3 and 4: inter-communicators of rank 0 and
/// rank 1, made of these in that order, over the communicators and by the threads given.
std::string part(int rank, const std::vector<std::string>& over, const std::vector<int>& threads,
                 const std::vector<std::string>& more = {}) {
  const std::string own = std::to_string(rank), other = std::to_string(1 - rank);
  std::vector<std::string> lines = {world_line(rank, 2), line_of("comm", 1, "S.0/" + own, "", "", 1, 0, own),
                                    line_of("comm", 2, "S.1/" + own, "", "", 1, 0, own)};
  for (int i = 0; i < 2; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const std::string half = "S." + std::to_string(i) + "/" + own + ".0/" + own;
    lines.push_back(line_of("inter", 3 + i, half, "", i + 1, "0", "1"));
    lines.push_back(line_of("meets", 3 + i, 99, over[n], own, other, threads[n]));
  }
  lines.insert(lines.end(), more.begin(), more.end());
  return lines_of_process(rank, 2, lines);
}

std::vector<std::uint64_t> map_of(const Merged& m, std::size_t rank) { return m.processes[rank].maps[comm_map]; }

TEST(Identities, HalvesAreOneIfTheirLeadersMetInTheSameCommunicator) {
  // Rank 1 made them in the other order.
  const Merged m = merge({part(0, {"W.0/0", "W.1/0"}, {1, 2}), part(1, {"W.1/0", "W.0/0"}, {1, 2})});
  EXPECT_EQ(map_of(m, 0)[3], map_of(m, 1)[4]);
  EXPECT_EQ(map_of(m, 0)[4], map_of(m, 1)[3]);
  EXPECT_NE(map_of(m, 0)[3], map_of(m, 0)[4]);
  EXPECT_EQ(m.uncertain_comms, 0u);
}

TEST(Identities, LeadersThatMetSeveralTimesDidSoInOneOrder) {
  const Merged m = merge({part(0, {"W", "W"}, {0, 0}), part(1, {"W", "W"}, {0, 0})});
  EXPECT_EQ(map_of(m, 0)[3], map_of(m, 1)[3]);
  EXPECT_EQ(map_of(m, 0)[4], map_of(m, 1)[4]);
  EXPECT_EQ(m.uncertain_comms, 0u);
}

TEST(Identities, ThreadsThatMetInTheSameCommunicatorLeaveItOpen) {
  const Merged m = merge({part(0, {"W", "W"}, {1, 2}), part(1, {"W", "W"}, {0, 0})});
  EXPECT_EQ(m.uncertain_comms, 2u);
}

TEST(Identities, WhatWasMadeOfThemIsOneToo) {
  // A duplicate, made of the first one of rank 0 and of the second one of rank 1, and what the leaders did over that.
  const auto more = [](int rank, int first) {
    const std::string own = std::to_string(rank), of = "S." + std::to_string(first) + "/" + own + ".0/" + own;
    return std::vector<std::string>{line_of("comm", 5, of + ".0/0", "", 3 + first, 2, rank, "0,1"),
                                    line_of("inter", 6, "S.0/" + own + ".1/" + own, "", 1, "0", "1"),
                                    line_of("meets", 6, 99, of + ".0/0", own, std::to_string(1 - rank), 0),
                                    line_of("win", 0, of + ".0/0.w0", "window", 5)};
  };
  const Merged m =
      merge({part(0, {"W.0/0", "W.1/0"}, {1, 2}, more(0, 0)), part(1, {"W.1/0", "W.0/0"}, {1, 2}, more(1, 1))});
  EXPECT_EQ(map_of(m, 0)[5], map_of(m, 1)[5]);
  EXPECT_EQ(map_of(m, 0)[6], map_of(m, 1)[6]);
  EXPECT_EQ(m.wins.size(), 1u);
  EXPECT_EQ(m.comms[map_of(m, 0)[5]].identity, "I:S.0/0.0/0|S.1/1.0/1.0/0");
  EXPECT_EQ(m.uncertain_comms, 0u);
}

TEST(Identities, AGroupWhoseLeaderLeftNothingHasTheOnlyOneThatIsLeft) {
  // The leader of rank 1's group is rank 2, which left nothing.
  const auto one = [](int rank, const std::string& half, const std::string& over) {
    return lines_of_process(rank, 3,
                            {world_line(rank, 3), line_of("inter", 1, half, "", 0, "0", "1,2"),
                             line_of("meets", 1, 7, over, rank, over.empty() ? "0" : "2", 0)});
  };
  const Merged m = merge({one(0, "S.0/0", "W"), one(1, "W.0/1", "")});
  EXPECT_EQ(map_of(m, 0)[1], map_of(m, 1)[1]);
  EXPECT_EQ(m.uncertain_comms, 0u);
}

TEST(Identities, AHalfWithoutAnotherIsCounted) {
  const Merged m = merge({part(0, {"W.0/0", "W.1/0"}, {1, 2}), lines_of_process(1, 2, {world_line(1, 2)})});
  EXPECT_EQ(m.uncertain_comms, 2u);
  EXPECT_NE(map_of(m, 0)[3], map_of(m, 0)[4]);
}

TEST(Identities, AnAliasHasTheMembersOfItsCommunicator) {
  const auto one = [](int rank, int number) {
    return lines_of_process(rank, 2,
                            {world_line(rank, 2), line_of("alias", number, "W.p0", "persistent 0", 0),
                             line_of("alias", 9 - number, "W.p1", "persistent 1", 0), line_of("name", "comm", 0, "all"),
                             line_of("region", 0, "a", 1, 1), line_of("region", 1, "b", 1, 1),
                             line_of("region", 2, "c", 1, 1), line_of("alias", 3, "W.p2", "persistent 2", 8)});
  };
  const Merged m = merge({one(0, 4), one(1, 5)});
  ASSERT_EQ(m.comms.size(), 3u);  // the last one is of no communicator
  EXPECT_EQ(map_of(m, 0)[4], map_of(m, 1)[5]);
  EXPECT_EQ(map_of(m, 0)[5], map_of(m, 1)[4]);
  EXPECT_EQ(m.comms[1].name, "all, persistent 0");
  EXPECT_EQ(m.comms[1].group, m.comms[0].group);
  EXPECT_EQ(m.comms[1].parent, 0u);
  EXPECT_FALSE(m.comms[1].created);
}

TEST(Unpaired, TheLeastNumberThatOneSideAloneRecorded) {
  const auto unrecorded = [](const char* kind, int peer, int tag, int count) {
    return line_of("unrecorded", kind, 0, peer, tag, count);
  };
  const Merged m = merge({
      // Five sends to rank 1 with tag 7 have no record, and four receives; with tag 8 the numbers are equal.
      lines_of_process(0, 3,
                       {world_line(0, 3), unrecorded("send", 1, 7, 5), unrecorded("send", 1, 8, 2),
                        unrecorded("collective", 0, 0, 3)}),
      lines_of_process(1, 3,
                       {world_line(1, 3), unrecorded("receive", 0, 7, 3), unrecorded("receive", 0, 7, 1),
                        unrecorded("receive", 0, 8, 2), unrecorded("collective", 0, 0, 3),
                        unrecorded("receive", 9, 7, 1)}),  // no such rank
      lines_of_process(2, 3, {world_line(2, 3)}),
  });
  EXPECT_EQ(m.unpaired_messages, 1u);
  EXPECT_EQ(m.unpaired_collectives, 3u);  // rank 2 has recorded all of them
}

}  // namespace
}  // namespace waitstate::record
