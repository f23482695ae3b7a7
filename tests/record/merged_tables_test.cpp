// The tables that the lines of all processes become, kind by kind, and what is left out of them.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "record/archive/merge.hpp"
#include "record/run_folder.hpp"

namespace waitstate::record {
namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr std::uint64_t no_number = ~std::uint64_t{0};

/// A process alone.
Merged merged_alone(const std::vector<std::string>& lines, const std::string& paradigm = "mpi") {
  return merge({lines_of_process(0, 1, lines, paradigm)});
}
const Numbers& numbers_of(const Merged& m, std::size_t process, Table table) {
  return m.processes[process].maps[static_cast<std::size_t>(table)];
}

TEST(MergedTables, TextsAreNumberedOnce) {
  const Merged m = merge({lines_of_process(0, 2, {line_of("string", 0, "app"), line_of("string", 1, "other")}),
                          lines_of_process(1, 2, {line_of("string", 0, "other"), line_of("string", 2, "third")})});
  EXPECT_EQ(m.strings, (std::vector<std::string>{"app", "other", "third"}));
  EXPECT_EQ(numbers_of(m, 1, Table::string), (Numbers{1, no_number, 2})) << "number 1 has no line";
}

TEST(MergedTables, RegionsDifferByNameParadigmAndRole) {
  const Merged m = merged_alone({line_of("region", 0, "run", 1, 1), line_of("region", 1, "run", 3, 1),
                                 line_of("region", 2, "run", 1, 2), line_of("region", 3, "run", 1, 1)});
  EXPECT_EQ(m.regions.size(), 3u);
  EXPECT_EQ(numbers_of(m, 0, Table::region), (Numbers{0, 1, 2, 0}));
}

TEST(MergedTables, ThreeGroupsStandBeforeThoseOfTheLines) {
  const Merged m = merge({lines_of_process(0, 2,
                                           {line_of("location", 0, "a"), line_of("location", 4, "b"),
                                            line_of("location", 5, "MPI_T", "metric"), line_of("group", 0, "1,0")}),
                          lines_of_process(1, 2, {line_of("group", 0, "0"), line_of("group", 1, "1,0")})});
  ASSERT_EQ(m.groups.size(), 5u);
  EXPECT_EQ(m.groups[0].members, (Numbers{0, 1})) << "the first thread of each process";
  const Numbers threads{0, std::uint64_t{4} << 32, 1};
  EXPECT_EQ(m.groups[1].members, threads) << "a stream of metrics is no thread";
  EXPECT_EQ(m.groups[2].members, threads);
  EXPECT_EQ(m.groups[3].members, (Numbers{1, 0}));
  EXPECT_EQ(numbers_of(m, 1, Table::group), (Numbers{4, 3})) << "the same members are the same group";
}

TEST(MergedTables, TheParadigmOfTheRunNamesItsProcesses) {
  EXPECT_EQ(merged_alone({}, "mpi").processes[0].name, "MPI Rank 0");
  EXPECT_EQ(merged_alone({}, "shmem").processes[0].name, "PE 0");
  const Merged threads = merged_alone({line_of("location", 0, "Master thread")}, "threads");
  EXPECT_EQ(threads.processes[0].name, "Process 0");
  EXPECT_TRUE(threads.groups[0].members.empty()) << "there is no world of processes";
  EXPECT_EQ(threads.groups[1].members, Numbers{0});
}

TEST(MergedTables, AProcessWithoutLinesOfThreadsHasOne) {
  const Merged m = merged_alone({});
  ASSERT_EQ(m.processes[0].threads.size(), 1u);
  EXPECT_EQ(m.processes[0].threads[0].name, "Master thread");
}

TEST(MergedTables, EachProcessItselfIsOneCommunicatorOfAllProcesses) {
  const auto self = [](int rank) {
    return lines_of_process(rank, 2, {line_of("comm", 1, "S", "MPI_COMM_SELF", "", 1, 0, std::to_string(rank))});
  };
  const Merged m = merge({self(0), self(1)});
  ASSERT_EQ(m.comms.size(), 1u);
  EXPECT_EQ(m.groups[m.comms[0].group].kind, MergedGroup::Kind::self);
  EXPECT_FALSE(m.comms[0].created);
}

TEST(MergedTables, AnInterCommunicatorHasTwoGroups) {
  const auto part = [](int rank) {
    return lines_of_process(rank, 4, {world_line(rank, 4), line_of("inter", 1, "I0.0/0-2", "both", "0", "0,1", "2,3")});
  };
  const Merged m = merge({part(0), part(3)});
  ASSERT_EQ(m.comms.size(), 2u);
  EXPECT_EQ(m.groups[m.comms[1].group].members, (Numbers{0, 1}));
  EXPECT_EQ(m.groups[m.comms[1].group_b].members, (Numbers{2, 3}));
  EXPECT_EQ(numbers_of(m, 3, Table::comm), (Numbers{0, 1}));
}

TEST(MergedTables, AWindowOfTwoProcessesIsOne) {
  const auto part = [](int rank, int number) {
    return lines_of_process(rank, 2, {world_line(rank, 2), line_of("win", number, "W.w0", "first", "0")});
  };
  const Merged m = merge({part(0, 0), part(1, 1)});
  ASSERT_EQ(m.wins.size(), 1u);
  EXPECT_EQ(m.wins[0].comm, 0u);
  EXPECT_EQ(numbers_of(m, 1, Table::win), (Numbers{no_number, 0}));
}

TEST(MergedTables, TheLastNameHolds) {
  const Merged m = merged_alone({world_line(0, 1), line_of("win", 0, "W.w0", "window", "0"),
                                 line_of("name", "comm", 0, "first"), line_of("name", "comm", 0, "second"),
                                 line_of("name", "win", 0, "halo"), line_of("name", "win", 1, "nothing")});
  EXPECT_EQ(m.comms[0].name, "second");
  EXPECT_EQ(m.wins[0].name, "halo");
  EXPECT_EQ(m.lines_left_out, 1u);
}

TEST(MergedTables, PlacesOfATopologyComeFromAllItsProcesses) {
  const auto part = [](int rank, const char* own) {
    return lines_of_process(rank, 2, {world_line(rank, 2), line_of("cart", 0, "2,1", "1,0", own, rank)});
  };
  const Merged m = merge({part(0, "0,0"), part(1, "1,0")});
  ASSERT_EQ(m.topologies.size(), 1u);
  EXPECT_EQ(m.topologies[0].sizes, (Numbers{2, 1}));
  EXPECT_EQ(m.topologies[0].periodic, (Numbers{1, 0}));
  ASSERT_EQ(m.topologies[0].coordinates.size(), 2u);
  EXPECT_EQ(m.topologies[0].coordinates[1].first, 1u);
  EXPECT_EQ(m.topologies[0].coordinates[1].second, (Numbers{1, 0}));
}

TEST(MergedTables, ATopologyWhoseNumbersDoNotFitIsLeftOut) {
  for (const auto& [sizes, periodic, own] :
       {std::array{"2,1", "1", "0,0"}, {"2", "1", "0,0"}, {"", "", ""}, {"2,x", "1,0", "0,0"}}) {
    const Merged m = merged_alone({world_line(0, 1), line_of("cart", 0, sizes, periodic, own, 0)});
    EXPECT_TRUE(m.topologies.empty()) << sizes;
    EXPECT_EQ(m.lines_left_out, 1u) << sizes;
  }
}

TEST(MergedTables, PropertiesAndSourcesBelongToTheProcess) {
  const Merged m = merged_alone({world_line(0, 1), line_of("property", "NAME", "text"), line_of("sources", 0, "1,3"),
                                 line_of("sources", 9, "1"), line_of("sources", 0, "1;3")});
  using Texts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(m.processes[0].properties, (Texts{{"NAME", "text"}, {"WAITSTATE::SOURCES::0", "1,3"}}));
  EXPECT_EQ(m.lines_left_out, 2u) << "a communicator that is not there, and a list that is none";
}

TEST(MergedTables, ClocksHaveOffsetsOfEitherSign) {
  const Merged m = merged_alone({"clock\t100\t-120\t35", "clock\t200\t9223372036854775807\t0"});
  const std::vector<ClockPoint>& clock = m.processes[0].clock;
  ASSERT_EQ(clock.size(), 2u);
  EXPECT_EQ(clock[0].time, 100u);
  EXPECT_EQ(clock[0].offset, -120);
  EXPECT_EQ(clock[0].deviation, 35u);
  EXPECT_EQ(clock[1].offset, 9223372036854775807);
  for (const char* const wrong : {"clock\t100\t9223372036854775808\t0", "clock\t100\t--1\t0", "clock\tx\t1\t0",
                                  "clock\t100\t1\t", "clock\t-100\t1\t0"}) {
    const Merged damaged = merged_alone({wrong});
    EXPECT_TRUE(damaged.processes[0].clock.empty()) << wrong;
    EXPECT_EQ(damaged.lines_left_out, 1u) << wrong;
  }
}

TEST(MergedTables, ANumberBeyondTheNumberOfLinesIsLeftOut) {
  const Merged m = merged_alone({line_of("region", 2, "far", 1, 1), line_of("region", 1, "near", 1, 1)});
  EXPECT_EQ(numbers_of(m, 0, Table::region), (Numbers{no_number, 1, 0})) << "three lines: numbers up to 2";
  EXPECT_EQ(merged_alone({line_of("region", 2, "far", 1, 1)}).lines_left_out, 1u);
}

TEST(MergedTables, LinesThatNoRecorderWritesAreLeftOut) {
  EXPECT_EQ(merged_alone({"string\t0\t" + std::string(longest_line, 'a')}).lines_left_out, 1u) << "too long";
  EXPECT_EQ(merged_alone({"string\t0\ta\t\t\t\t\t\t\t"}).lines_left_out, 1u) << "too many fields";
  EXPECT_EQ(merged_alone({"word"}).lines_left_out, 1u) << "no fields";
  EXPECT_EQ(merged_alone({line_of("location", 2147483648u, "Thread")}).lines_left_out, 1u)
      << "no thread has that number";
  EXPECT_EQ(merged_alone({line_of("location", 0, "a"), line_of("events", 0, 5, 20, 10)}).lines_left_out, 1u)
      << "the last event is before the first";
}

TEST(MergedTables, ADamagedLineOfAnyKindIsCountedAndOneOfAnUnknownKindIsNot) {
  for (const char* const line :
       {"comm\t0\tW\tworld\t\tx\t0\t", "inter\t1\tI\tboth\tx\t0\t1", "date\t1", "end\tx", "ended\tx", "process\t0\t1",
        "win\t0\tw", "name\tfile\t0\tn", "waits\t0\t1\tf\treceive\t0\t0\t0"})
    EXPECT_EQ(merged_alone({line}).lines_left_out, 1u) << line;
  EXPECT_EQ(merged_alone({"later\tkind\tof line"}).lines_left_out, 0u);
}

TEST(MergedTables, TheFirstLineOfAProcessHolds) {
  const Merged m = merge({lines_of_process(0, 1, {"process\t0\t1\tother\tboot\tother\t1\tmpi\t1048576"})});
  EXPECT_EQ(m.processes[0].host, "host");
  EXPECT_EQ(m.lines_left_out, 1u);
}

TEST(MergedTables, APartOfAnotherVersionIsNone) {
  const std::string other =
      line_of(FormatLine{.version = "2"}) + lines_of_process(0, 1, {}).substr(line_of(FormatLine{}).size());
  EXPECT_EQ(merge({other}).problem, "no process has left records that can be read");
  EXPECT_EQ(merge({lines_of_process(0, 1, {})}).problem, "");
}

}  // namespace
}  // namespace waitstate::record
