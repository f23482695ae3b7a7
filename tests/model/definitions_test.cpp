// The results of finish(): ranks, locations of processes, and the locations of a communicator's ranks.
#include "waitstate/trace/definitions.hpp"

#include <gtest/gtest.h>

namespace waitstate {
namespace {

// Two processes of two threads each, and one process that is no rank.
Definitions program() {
  Definitions d;
  d.processes.resize(3);
  d.locations.resize(5);
  for (std::size_t i = 0; i < 5; ++i) d.locations[i].process = ProcessId{i / 2};
  d.locations[3].type = LocationType::metric;
  d.groups.resize(2);
  d.groups[0] = {0, "", GroupType::comm_locations, Paradigm::mpi, 0, {0, 2}};
  d.groups[1] = {1, "", GroupType::comm_group, Paradigm::mpi, 0, {1, 0, 7, ~std::uint64_t{0}}};
  return d;
}

TEST(definitions, ranks_and_threads) {
  Definitions d = program();
  d.finish();
  EXPECT_EQ(d.processes[0].rank, 0);
  EXPECT_EQ(d.processes[1].rank, 1);
  EXPECT_EQ(d.processes[2].rank, -1);
  EXPECT_EQ(d.processes[1].locations, (std::vector{LocationId{2u}, LocationId{3u}}));
  EXPECT_EQ(d.cpu_threads(ProcessId{0u}), 2u);
  EXPECT_EQ(d.cpu_threads(ProcessId{1u}), 1u) << "the other is a metric location";
  EXPECT_EQ(d.cpu_threads(ProcessId{9u}), 0u);
}

TEST(definitions, ranks_of_another_paradigm) {
  Definitions d = program();
  d.groups[0].paradigm = Paradigm::gaspi;
  d.groups[0].members = {2, 0};
  d.finish();
  EXPECT_EQ(d.processes[0].rank, 1);
  d.paradigms.push_back({Paradigm::hmpp, "", ParadigmClass::process, {}});
  d.groups[1] = {1, "", GroupType::comm_locations, Paradigm::hmpp, 0, {0, 4}};
  d.finish();
  EXPECT_EQ(d.processes[0].rank, 0);
  EXPECT_EQ(d.processes[2].rank, 1);
}

TEST(definitions, ranks_of_a_communicator) {
  Definitions d = program();
  d.comms.resize(2);
  d.comms[0].group = GroupId{1u};
  d.groups.push_back({2, "", GroupType::comm_group, Paradigm::mpi, 1, {4, 99}});  // members are locations
  d.comms[1].group = GroupId{2u};
  d.finish();
  const LocationId self{0u};
  EXPECT_EQ(d.comms[0].paradigm, Paradigm::mpi);
  EXPECT_EQ(d.locate(CommId{0u}, 0, self), LocationId{2u});
  EXPECT_EQ(d.locate(CommId{0u}, 1, self), LocationId{0u});
  for (const std::uint32_t rank : {2u, 3u, 4u, 0xffffffffu})
    EXPECT_FALSE(d.locate(CommId{0u}, rank, self).valid()) << rank;
  EXPECT_EQ(d.locate(CommId{1u}, 0, self), LocationId{4u});
  EXPECT_FALSE(d.locate(CommId{1u}, 1, self).valid());
  EXPECT_FALSE(d.locate(CommId{}, 0, self).valid());
  EXPECT_FALSE(d.locate(CommId{7u}, 0, self).valid());
}

TEST(definitions, comm_self_is_each_process_itself) {
  Definitions d = program();
  d.groups.push_back({2, "", GroupType::comm_self, Paradigm::mpi, 0, {}});
  d.comms.resize(1);
  d.comms[0].group = GroupId{2u};
  d.finish();
  EXPECT_TRUE(d.comms[0].self);
  EXPECT_EQ(d.locate(CommId{0u}, 0, LocationId{3u}), LocationId{2u});
  EXPECT_FALSE(d.locate(CommId{0u}, 1, LocationId{3u}).valid());
  EXPECT_FALSE(d.locate(CommId{0u}, 0, LocationId{}).valid());
}

TEST(definitions, inter_communicator) {
  Definitions d = program();
  d.groups[0].members = {0, 2, 4};
  d.groups[1].members = {0};
  d.groups.push_back({2, "", GroupType::comm_group, Paradigm::mpi, 0, {1, 2}});
  d.comms.resize(1);
  d.comms[0].group = GroupId{1u};
  d.comms[0].group_b = GroupId{2u};
  d.finish();
  EXPECT_EQ(d.locate(CommId{0u}, 1, LocationId{0u}), LocationId{4u}) << "a member of A means B";
  EXPECT_EQ(d.locate(CommId{0u}, 0, LocationId{1u}), LocationId{2u}) << "so does a thread of its process";
  EXPECT_EQ(d.locate(CommId{0u}, 0, LocationId{2u}), LocationId{0u}) << "a member of B means A";
  EXPECT_FALSE(d.locate(CommId{0u}, 1, LocationId{2u}).valid());
}

TEST(definitions, nonsense_leads_nowhere) {
  Definitions d;
  d.locations.resize(1);  // without a process
  d.groups.push_back({0, "", GroupType::comm_locations, Paradigm::mpi, 0, {0, ~std::uint64_t{0}, 1ull << 40}});
  d.groups.push_back({1, "", GroupType::comm_self, Paradigm::mpi, 0, {}});
  d.comms.resize(2);
  d.comms[0].group = GroupId{77u};
  d.comms[0].group_b = GroupId{0u};
  d.comms[1].group = GroupId{1u};
  d.finish();
  EXPECT_TRUE(d.comms[0].members.empty());
  EXPECT_EQ(d.comms[0].members_b, (std::vector{LocationId{0u}, LocationId{}, LocationId{}}));
  EXPECT_EQ(d.locate(CommId{1u}, 0, LocationId{0u}), LocationId{0u});
}

TEST(definitions, finish_may_be_called_again) {
  Definitions d = program();
  d.finish();
  d.finish();
  EXPECT_EQ(d.processes[0].locations.size(), 2u);
}

TEST(definitions, intern) {
  Definitions d;
  const StringId a = d.intern("a"), b = d.intern("b");
  EXPECT_EQ(d.intern("a"), a);
  EXPECT_EQ(d[b], "b");
  EXPECT_EQ(d.strings.size(), 2u);
}

}  // namespace
}  // namespace waitstate
