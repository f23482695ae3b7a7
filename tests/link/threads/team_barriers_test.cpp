// Barriers are complete when all threads of the team have come.
#include "link/threads/team_barriers.hpp"

#include <gtest/gtest.h>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

struct OneTeam : TeamsOfAProcess {
  explicit OneTeam(std::size_t threads, std::uint32_t requested) : TeamsOfAProcess(threads) {
    table.prepare(comm, LocationId{0});
    table.find_or_add(ref).requested = requested;
  }
  void arrive(std::size_t thread, std::uint64_t number, Time enter) {
    const std::uint32_t id = call(thread, enter, enter + 100);
    barriers.arrive(ref, number, id, {});
    calls.release(id);
  }
  void processed_to(Time t) {
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
      table.thread(LocationId{i}).processed = t;
      barriers.settle(LocationId{i});
    }
  }
  const CommTeam ref{comm, 0};
};

TEST(TeamBarriers, AreDeliveredInTheirOrderByLocation) {
  OneTeam w(2, 0);
  w.arrive(1, 0, 30);
  w.arrive(1, 1, 50);
  EXPECT_TRUE(w.heard.rows.empty());
  w.arrive(0, 0, 40);
  w.arrive(0, 1, 60);
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"barrier 0@40 1@30", "barrier 0@60 1@50"}));
  EXPECT_EQ(w.calls.alive(), 0u);
}

// Two of three threads were asked for, and three come: the first two by time count, in each order of reading.
TEST(TeamBarriers, OfMoreThreadsThanAskedForTheFirstCount) {
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    OneTeam w(3, 2);
    for (const std::size_t thread : order) w.arrive(thread, 0, 10 * (thread + 1));
    EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"barrier 0@10 1@20"}));
    EXPECT_EQ(w.calls.alive(), 0u);
  }
}

// The third may still come, until it has been processed beyond the time at which the barrier is complete.
TEST(TeamBarriers, AsManyThreadsAsAskedForWaitForTheOthersToBeRead) {
  OneTeam w(3, 2);
  w.arrive(1, 0, 20);
  w.arrive(0, 0, 10);
  w.processed_to(20);
  EXPECT_TRUE(w.heard.rows.empty());
  w.processed_to(21);
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"barrier 0@10 1@20"}));
}

TEST(TeamBarriers, ThatAThreadNeverComesToAreNotDelivered) {
  OneTeam w(2, 0);
  w.arrive(1, 0, 30);
  Team& team = *w.table.find(w.ref);
  team.took_part = 2;
  w.barriers.end(team, w.table.comm(w.comm));
  EXPECT_TRUE(w.heard.rows.empty());
  EXPECT_EQ(w.calls.alive(), 0u);
}

}  // namespace
}  // namespace waitstate::link
