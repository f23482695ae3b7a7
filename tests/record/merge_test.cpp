// Parts of processes become definitions: the same identity is the same thing, in whatever order they are read, and what
// contradicts itself or is cut off is left out.
#include "record/archive/merge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "record/parts/line_kinds.hpp"
#include "record/run_folder.hpp"

namespace waitstate::record {
namespace {

constexpr auto comm_map = static_cast<std::size_t>(Table::comm);
constexpr auto region_map = static_cast<std::size_t>(Table::region);

TEST(Merge, one_region_of_two_processes_with_different_numbers) {
  const Merged m = merge({lines_of_process(0, 2, {"region\t0\tmain\t1\t1", "region\t1\tMPI_Send\t4\t28"}),
                          lines_of_process(1, 2, {"region\t0\tMPI_Send\t4\t28", "region\t1\tmain\t1\t1"})});
  ASSERT_EQ(m.regions.size(), 2u);
  EXPECT_EQ(m.regions[0].name, "main");
  EXPECT_EQ(m.processes[0].maps[region_map], (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(m.processes[1].maps[region_map], (std::vector<std::uint64_t>{1, 0}));
}

TEST(Merge, the_halves_of_a_split_are_two_communicators) {
  const auto half = [](int number, int first, const char* members, int rank) {
    return line_of("comm", number, "W.0/" + std::to_string(first), "", "0", 2, rank, members);
  };
  const Merged m = merge({lines_of_process(0, 4, {world_line(0, 4), half(1, 0, "0,2", 0)}),
                          lines_of_process(1, 4, {world_line(1, 4), half(1, 1, "1,3", 0)}),
                          lines_of_process(2, 4, {world_line(2, 4), half(1, 0, "", 1)}),
                          lines_of_process(3, 4, {world_line(3, 4), half(1, 1, "", 1)})});
  ASSERT_EQ(m.comms.size(), 3u);
  EXPECT_EQ(m.processes[2].maps[comm_map], m.processes[0].maps[comm_map]);
  EXPECT_EQ(m.processes[3].maps[comm_map], m.processes[1].maps[comm_map]);
  EXPECT_EQ(m.groups[m.comms[1].group].members, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(m.groups[m.comms[2].group].members, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(m.comms[1].parent, 0u);
}

TEST(Merge, members_are_put_together_where_the_one_who_knew_is_missing) {
  // Rank 0, the first member, was killed before it wrote anything.
  const auto some = [](int own) { return line_of("comm", 1, "W.0/2", "", "0", 3, own, ""); };
  const Merged m =
      merge({lines_of_process(1, 4, {world_line(1, 4), some(2)}), lines_of_process(3, 4, {world_line(3, 4), some(1)})});
  const MergedComm& comm = m.comms[1];
  EXPECT_EQ(m.groups[comm.group].members, (std::vector<std::uint64_t>{4, 3, 1}));  // 4: no rank of this world
  EXPECT_FALSE(m.processes[0].present);
  EXPECT_TRUE(m.processes[1].present);
}

TEST(Merge, the_order_of_the_parts_changes_nothing) {
  std::vector<std::string> parts;
  for (int rank = 0; rank < 6; ++rank)
    parts.push_back(
        lines_of_process(rank, 6,
                         {world_line(rank, 6), line_of("region", 0, "f" + std::to_string(rank % 3), 1, 1),
                          line_of("comm", 1, "W.0/" + std::to_string(rank % 2), "", "0", 3, rank / 2,
                                  rank < 2 ? (rank == 0 ? "0,2,4" : "1,3,5") : ""),
                          line_of("location", 0, "Master thread"), line_of("events", 0, 10, 5, 20 + rank)}));
  const Merged expected = merge(parts);
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(parts.begin(), parts.end(), random);
    const Merged m = merge(parts);
    ASSERT_EQ(m.comms.size(), expected.comms.size());
    for (std::size_t c = 0; c < m.comms.size(); ++c) EXPECT_EQ(m.comms[c].identity, expected.comms[c].identity);
    for (std::size_t p = 0; p < m.processes.size(); ++p) EXPECT_EQ(m.processes[p].maps, expected.processes[p].maps);
  }
}

TEST(Merge, teams_of_the_same_threads_are_one_communicator) {
  const Merged m =
      merge({lines_of_process(0, 1,
                              {line_of("location", 0, "Master thread"), line_of("location", 1, "Thread 1"),
                               line_of("team", 0, 3, "0,1"), line_of("team", 1, 3, "0"), line_of("team", 2, 3, "0,1")},
                              "threads")});
  EXPECT_EQ(m.processes[0].maps[comm_map], (std::vector<std::uint64_t>{0, 1, 0}));
}

TEST(Merge, the_last_count_of_events_holds) {
  const Merged m = merge({lines_of_process(
      0, 1,
      {line_of("location", 0, "Master thread"), line_of("events", 0, 10, 5, 20), line_of("events", 0, 30, 5, 60)})});
  EXPECT_EQ(m.processes[0].threads[0].events, 30u);
  EXPECT_EQ(m.processes[0].threads[0].last, 60u);
  EXPECT_FALSE(m.processes[0].ended);
}

TEST(Merge, what_a_call_waits_for_is_told_in_the_archives_numbers) {
  const Merged m =
      merge({lines_of_process(0, 2,
                              {world_line(0, 2), line_of("comm", 1, "W.0/0", "", "0", 2, 0, "0,1"),
                               line_of("location", 0, "Master thread"), line_of("region", 0, "MPI_Recv", 4, 28),
                               line_of("waits", 0, 77, 0, "receive", 1, 1, -1)}),
             lines_of_process(1, 2, {world_line(1, 2)})});
  ASSERT_EQ(m.processes[0].threads[0].properties.size(), 1u);
  EXPECT_EQ(m.processes[0].threads[0].properties[0].first, "WAITSTATE::WAITS.0");
  EXPECT_EQ(m.processes[0].threads[0].properties[0].second, "77 MPI_Recv receive comm=1 peer=1 tag=-1");
}

TEST(Merge, damage_is_left_out) {
  const std::string good = lines_of_process(0, 2, {world_line(0, 2), "region\t0\tmain\t1\t1"});
  const Merged m = merge({
      good + "region\t1\tcut off",                           // the process ended while it wrote it
      "something else\n",                                    // no part at all
      lines_of_process(5, 2, {}),                            // a rank beyond the world
      lines_of_process(0, 2, {"region\t0\tanother\t1\t1"}),  // a second part of the same rank
      lines_of_process(1, 2,
                       {"region\tx\tmain\t1\t1", "region\t99999999\tmain\t1\t1",  // numbers that are none, or too large
                        "region\t0\tmain\t999\t1", "events\t7\t1\t2\t3", "group\t0\t1,x", "name\tcomm\t4\tn",
                        "cart\t0\t1\t1\t1,1\t0", "waits\t0\tx\t0\treceive\t0\t0\t0", "unknown\tline"}),
  });
  EXPECT_EQ(m.problem, "");
  EXPECT_EQ(m.processes.size(), 2u);
  ASSERT_EQ(m.regions.size(), 1u);
  EXPECT_EQ(m.regions[0].name, "main");
  EXPECT_GE(m.lines_left_out, 7u);
}

TEST(Merge, what_most_parts_say_of_the_run_holds) {
  const auto liar = [](int rank, int size, int chunk) {
    return line_of(FormatLine{}) + "\n" + line_of("process", rank, size, "host", "boot", "app", "1", "threads", chunk) +
           "\n";
  };
  const Merged m = merge({liar(0, 900, 1 << 19), lines_of_process(1, 3, {}), lines_of_process(2, 3, {})});
  EXPECT_EQ(m.processes.size(), 3u);
  EXPECT_EQ(m.chunk_bytes, 1048576u);
  EXPECT_EQ(m.paradigm, "mpi");
  EXPECT_TRUE(m.processes[0].present);
  EXPECT_EQ(merge({liar(0, 1, 1000)}).problem, "no process has left records that can be read");  // no chunk of OTF2
}

TEST(Merge, a_world_of_which_nearly_nobody_left_anything_is_none) {
  EXPECT_EQ(merge({lines_of_process(0, 1048576, {})}).problem,
            "1 of 1048576 processes have left records: these are too few for a trace");
  EXPECT_EQ(merge({lines_of_process(0, 1000, {})}).problem, "");
}

TEST(Merge, lists_that_are_lost_are_not_completed_without_end) {
  std::vector<std::string> lines;
  for (int i = 0; i < 20000; ++i)
    lines.push_back(line_of("comm", i, "W." + std::to_string(i) + "/5", "", "0", 1000, 1, ""));
  const Merged m = merge({lines_of_process(0, 1000, lines)});
  std::size_t members = 0;
  for (const MergedGroup& g : m.groups) members += g.members.size();
  EXPECT_LE(members, (std::size_t{1} << 24) + 3000);
}

TEST(Merge, nothing_to_merge) {
  EXPECT_EQ(merge({}).problem, "no process has left records that can be read");
  EXPECT_EQ(merge({"", "\n\n", "process\t0\t1\n"}).problem, "no process has left records that can be read");
}

// Of an object by its last name, and more where others have the same; once for all processes that have it.
TEST(Merge, metrics_of_objects) {
  const auto metric = [](int number, const char* name, const char* kind, const char* object, const char* mode = "1") {
    return line_of("metric", number, name, "#", "about", mode, "5", kind, object);
  };
  const auto halo = [](int number, int identity) {
    return line_of("comm", number, "W." + std::to_string(identity) + "/0", "", "0", 2, 0, "0,1");
  };
  const std::string named = "name\tcomm\t1\thalo", other = "name\tcomm\t2\thalo";
  const Merged m = merge({lines_of_process(0, 2,
                                           {world_line(0, 2), halo(1, 0), halo(2, 1), metric(0, "all", "", ""),
                                            metric(1, "queue", "comm", "1"), metric(2, "queue", "comm", "2"),
                                            metric(3, "queue", "comms", ""), named, other}),
                          lines_of_process(1, 2,
                                           {world_line(1, 2), halo(1, 0), metric(0, "queue", "comm", "1"),
                                            metric(1, "all", "", ""), metric(2, "queue", "comm", "7"),
                                            metric(3, "queue", "", "", "many"), "metric\t4\tshort", named})});
  std::vector<std::string> names;
  for (const MergedMetric& metric_of : m.metrics) names.push_back(metric_of.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"all", "queue [halo]", "queue [halo W.1/0]", "queue [further communicators]"}));
  EXPECT_EQ(m.metrics[1].mode, 1u);
  EXPECT_EQ(m.metrics[1].type, 5u);
  constexpr auto metric_map = static_cast<std::size_t>(Table::metric);
  EXPECT_EQ(m.processes[0].maps[metric_map], (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(m.processes[1].maps[metric_map], (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(m.lines_left_out, 3u);  // an object that is not there, a mode that is not a number, fields that are missing
}

// A metric that a stream records beside the program has an instance for its process; streams are not threads.
TEST(Merge, sampled_metrics) {
  const auto process = [](int rank, int stream) {
    return lines_of_process(
        rank, 2,
        {line_of("location", 0, "Master thread"), line_of("location", stream, "MPI_T", "metric"),
         line_of("metric", 0, "n", "#", "", 0, 8, "", ""), line_of("metric", 1, "n", "#", "", 0, 8, "", ""),
         line_of("sampled", 1, stream), line_of("clock_of", stream, 50, -7, 3), line_of("team", 0, 7, "")});
  };
  const Merged m = merge({process(0, 1), process(1, 2)});
  ASSERT_EQ(m.metrics.size(), 2u);  // at calls, and beside the program
  EXPECT_FALSE(m.metrics[0].sampled);
  EXPECT_TRUE(m.metrics[1].sampled);
  const auto metric_map = static_cast<std::size_t>(Table::metric);
  EXPECT_EQ(m.processes[0].maps[metric_map], (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(m.processes[1].maps[metric_map], (std::vector<std::uint64_t>{0, 3}));
  ASSERT_EQ(m.instances.size(), 2u);
  EXPECT_EQ(m.instances[1].metric, 1u);
  EXPECT_EQ(m.instances[1].location, std::uint64_t{2} << 32 | 1);
  EXPECT_EQ(m.instances[1].process, 1u);
  ASSERT_EQ(m.processes[1].threads.size(), 2u);
  const MergedThread& stream = m.processes[1].threads[1];
  EXPECT_TRUE(stream.metric);
  ASSERT_EQ(stream.clock.size(), 1u);
  EXPECT_EQ(stream.clock[0].offset, -7);
  EXPECT_TRUE(m.processes[1].clock.empty());
  EXPECT_EQ(m.groups[m.comms[0].group].members, (std::vector<std::uint64_t>{0}));  // the team has the thread alone
  // A stream that is a thread, or that nobody knows; a metric without a line; a clock of nothing.
  const Merged bad = merge(
      {lines_of_process(0, 1,
                        {line_of("location", 0, "Master thread"), line_of("metric", 0, "n", "#", "", 0, 8, "", ""),
                         line_of("sampled", 0, 0), line_of("sampled", 0, 9), line_of("sampled", 7, "x"),
                         line_of("clock_of", 5, 1, 1, 1), line_of("clock_of", 0, "x", 1, 1)})});
  EXPECT_EQ(bad.lines_left_out, 5u);
  EXPECT_TRUE(bad.instances.empty());
}

// Properties belong to the whole run where all say the same.
TEST(Merge, settings_of_the_library) {
  using Texts = std::vector<std::pair<std::string, std::string>>;
  const Merged m = merge({lines_of_process(0, 3, {"cvar\teager\t4096", "cvar\trank\t0", "cvar\tonly\t1"}),
                          lines_of_process(1, 3, {"cvar\teager\t4096", "cvar\trank\t1"})});
  EXPECT_EQ(m.settings, (Texts{{"eager", "4096"}}));  // the third process has left nothing
  EXPECT_EQ(m.processes[0].properties, (Texts{{"WAITSTATE::CVAR::only", "1"}, {"WAITSTATE::CVAR::rank", "0"}}));
  EXPECT_EQ(m.processes[1].properties, (Texts{{"WAITSTATE::CVAR::rank", "1"}}));
}

// Whatever one process left out is missing from the whole.
TEST(Merge, groups_of_calls_that_are_left_out) {
  using Names = std::set<std::string>;
  const Merged m = merge({lines_of_process(0, 2, {"left_out\tio,other", "left_out_called\tother"}),
                          lines_of_process(1, 2, {"left_out\tpthread,,io", "left_out_called\tio"})});
  EXPECT_EQ(m.left_out, (Names{"io", "other", "pthread"}));
  EXPECT_EQ(m.left_out_called, (Names{"io", "other"}));
}

}  // namespace
}  // namespace waitstate::record
