#include "link/exchange/homes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace waitstate::link {
namespace {

/// One process for each of these, with a thread that announces so many events.
Definitions processes_with(std::vector<std::uint64_t> events) {
  Definitions d;
  for (std::size_t p = 0; p < events.size(); ++p) {
    LocationGroup& process = d.processes.emplace_back();
    process.host = ProcessId{p};
    process.locations = {LocationId{p}};
    Location& thread = d.locations.emplace_back();
    thread.type = LocationType::cpu_thread;
    thread.process = ProcessId{p};
    thread.announced_events = events[p];
  }
  return d;
}

std::vector<WorkerId> homes_of(const Definitions& d, std::size_t workers) {
  const Homes homes(d, workers);
  std::vector<WorkerId> of;
  for (std::size_t l = 0; l < d.locations.size(); ++l) of.push_back(homes.of(LocationId{l}));
  return of;
}

using Workers = std::vector<WorkerId>;

TEST(Homes, neighbours_have_one_home) {
  EXPECT_EQ(homes_of(processes_with({1000, 1000, 1000, 1000, 1000, 1000}), 3), (Workers{0, 0, 1, 1, 2, 2}));
}

TEST(Homes, each_worker_has_about_as_many_events) {
  EXPECT_EQ(homes_of(processes_with({9000, 1000, 1000, 1000, 1000, 5000}), 2), (Workers{0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(homes_of(processes_with({1000, 1000, 1000, 90000}), 2), (Workers{0, 0, 0, 1}));
}

TEST(Homes, each_worker_has_a_process) {
  for (const std::size_t workers : {1, 2, 3, 4, 5}) {
    const Workers of = homes_of(processes_with({0, 0, 1u << 30, 5, 0}), workers);
    EXPECT_EQ(std::set<WorkerId>(of.begin(), of.end()).size(), workers);
  }
  EXPECT_EQ(Homes(processes_with({1, 1}), 16).workers(), 2u);
  EXPECT_EQ(Homes(Definitions{}, 16).workers(), 1u);
}

TEST(Homes, streams_are_where_their_process_is) {
  Definitions d = processes_with({1000, 1000, 1000, 1000});
  d.processes[3].host = ProcessId{0};
  const Workers of = homes_of(d, 3);
  EXPECT_EQ(of[3], of[0]);
  EXPECT_EQ(Homes(d, 9).workers(), 3u);
}

TEST(Homes, processes_that_share_a_team_have_one_home) {
  Definitions d = processes_with({1000, 1000, 1000, 1000});
  Comm& team = d.comms.emplace_back();
  team.paradigm = Paradigm::openmp;
  team.members = {LocationId{1}, LocationId{2}};
  Comm& world = d.comms.emplace_back();
  world.paradigm = Paradigm::mpi;
  world.members = {LocationId{0}, LocationId{1}, LocationId{2}, LocationId{3}};
  const Workers of = homes_of(d, 9);
  EXPECT_EQ(of[1], of[2]);
  EXPECT_EQ(Homes(d, 9).workers(), 3u);
}

TEST(Homes, locations_without_a_process_have_one_home) {
  Definitions d = processes_with({1000, 1000});
  for (int i = 0; i < 3; ++i) d.locations.emplace_back().type = LocationType::cpu_thread;
  const Homes homes(d, 9);
  EXPECT_EQ(homes.workers(), 3u);
  EXPECT_EQ(homes.locations(homes.of(LocationId{2})), (std::vector{LocationId{2}, LocationId{3}, LocationId{4}}));
}

}  // namespace
}  // namespace waitstate::link
