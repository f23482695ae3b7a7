// The calls in which a trace ends: what they wait for according to the recorder's notes and to records, which members
// are missing, and circles of processes that hold each other up.
#include "analysis/conclusions/open_waits.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "report/words/waits/open_calls.hpp"
#include "support/case_file.hpp"
#include "waitstate/result/wait_graph.hpp"

namespace waitstate {
namespace {

using support::TraceFile;

/// Processes that are in a call of this name at the end, with a note on what it waits for ("" for none).
struct Ending {
  std::string call, note;
};

AnalysisResult ended_in(const std::vector<Ending>& endings, const std::string& events = "") {
  std::string text, ranks;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    text += fmt::format("process {} type=process\n", i);
    ranks += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  for (std::size_t i = 0; i < endings.size(); ++i)
    if (!endings[i].note.empty())
      text += fmt::format("location {} process={} properties=(WAITSTATE::WAITS.0=string:\"5 {} {}\")\n", i, i,
                          endings[i].call, endings[i].note);
    else
      text += fmt::format("location {} process={}\n", i, i);
  text += fmt::format("group 0 type=comm_locations paradigm=mpi members=({})\n", ranks);
  text += fmt::format("group 1 type=comm_group paradigm=mpi members=({})\ncomm 0 group=1\n", ranks);
  for (std::size_t i = 0; i < endings.size(); ++i) {
    text += fmt::format("{} 1 enter main\n", i);
    if (!endings[i].call.empty()) text += fmt::format("{} 5 enter {}\n", i, endings[i].call);
  }
  return analyze(TraceFile(text + events).path());
}

std::string told(const AnalysisResult& r) {
  std::string text;
  for (const OpenCall& call : r.open_calls)
    text += fmt::format("{}: {}\n", call.location.value, report::waits_for(r, call));
  for (const auto& circle : deadlocks(r)) text += report::deadlock_sentence(r, circle) + '\n';
  return text;
}

TEST(OpenWaits, of_messages) {
  EXPECT_EQ(told(ended_in({{"MPI_Recv", "receive comm=0 peer=1 tag=7"}, {"MPI_Recv", "receive comm=0 peer=0 tag=-1"}})),
            "0: for a message from rank 1 (tag 7)\n1: for a message from rank 0\n"
            "rank 0 waits for rank 1, and rank 1 for rank 0\n");
  EXPECT_EQ(told(ended_in({{"MPI_Send", "send comm=0 peer=1 tag=0"}, {"", ""}})),
            "0: for rank 1 to receive its message (tag 0)\n")
      << "who computes is no part of a deadlock";
  EXPECT_EQ(told(ended_in({{"MPI_Recv", "receive comm=0 peer=0 tag=1"}})),
            "0: for a message from rank 0 (tag 1)\nrank 0 waits for itself\n");
}

TEST(OpenWaits, of_anybody_are_deadlocks_only_if_nobody_can_come) {
  const Ending any{"MPI_Recv", "receive comm=0 peer=-1 tag=2"}, of_0{"MPI_Recv", "receive comm=0 peer=0 tag=2"};
  EXPECT_EQ(told(ended_in({any, of_0, of_0})),
            "0: for a message from anybody (tag 2)\n1: for a message from rank 0 (tag 2)\n2: for a message from rank 0 "
            "(tag 2)\n"
            "rank 0 waits for rank 1, and rank 1 for rank 0\n");
  EXPECT_EQ(deadlocks(ended_in({any, of_0, {"", ""}})).size(), 0u) << "rank 2 may send";
}

TEST(OpenWaits, of_operations_name_who_has_not_come) {
  const Ending barrier{"MPI_Barrier", "collective comm=0 peer=-1 tag=-1"};
  EXPECT_EQ(told(ended_in({barrier, {"", ""}, barrier})),
            "0: for rank 1, which has not arrived\n2: for rank 1, which has not arrived\n");
  EXPECT_EQ(told(ended_in({barrier, {"MPI_Recv", "receive comm=0 peer=2 tag=1"}, barrier})),
            "0: for rank 1, which has not arrived\n1: for a message from rank 2 (tag 1)\n2: for rank 1, which has not "
            "arrived\n"
            "rank 1 waits for rank 2, and rank 2 for rank 1\n");
  EXPECT_EQ(told(ended_in({barrier, barrier})), "0: \n1: \n") << "all have come: it was on its way";
}

TEST(OpenWaits, of_other_recorders_as_far_as_records_tell) {
  EXPECT_EQ(told(ended_in({{"MPI_Send", ""}, {"MPI_Recv", ""}}, "0 5 send dest=1 tag=3 com=0 len=8\n")),
            "0: for rank 1 to receive its message (tag 3)\n1: \n");
}

TEST(OpenWaits, notes_that_are_none_are_passed_over) {
  for (const char* note : {"receive", "receive comm=0 peer=x tag=1", "receive comm=99 peer=1", "x y z",
                           "receive comm=18446744073709551616 peer=1 tag=1"})
    EXPECT_EQ(told(ended_in({{"MPI_Recv", note}, {"", ""}})), "0: \n") << note;
  EXPECT_EQ(told(ended_in({{"MPI_Recv", "receive comm=9 peer=1 tag=1"}, {"", ""}})),
            "0: for a message from somebody (tag 1)\n");
  EXPECT_EQ(told(ended_in({{"MPI_Recv", "receive comm=0 peer=9 tag=1"}, {"", ""}})),
            "0: for a message from somebody (tag 1)\n");
}

TEST(OpenWaits, the_shortest_circle_of_a_knot) {
  const auto of = [](int peer) { return Ending{"MPI_Recv", fmt::format("receive comm=0 peer={} tag=1", peer)}; };
  EXPECT_EQ(deadlocks(ended_in({of(1), of(2), of(3), of(1), of(0)})),
            (std::vector<std::vector<LocationId>>{{LocationId{1}, LocationId{2}, LocationId{3}}}))
      << "who waits for a circle is not in it";
  EXPECT_EQ(deadlocks(ended_in({of(1), of(0), of(3), of(2)})).size(), 2u);
}

TEST(OpenWaits, are_in_the_graph_of_waits) {
  const AnalysisResult r =
      ended_in({{"MPI_Recv", "receive comm=0 peer=1 tag=7"}, {"MPI_Recv", "receive comm=0 peer=-1 tag=7"}, {"", ""}});
  const WaitGraph graph(r);
  EXPECT_EQ(graph.never_ended(), (std::vector<WaitGraph::NeverEnded>{{0, 1}}));
  EXPECT_EQ(graph.size(), 2u);
  EXPECT_TRUE(WaitGraph(r, {r.metrics.at("mpi_latesender")}).never_ended().empty());
  std::ostringstream dot, graphml;
  graph.write_dot(dot);
  EXPECT_NE(dot.str().find("0->1  [label=\"never ended\", never_ended=true"), std::string::npos) << dot.str();
  graph.write_graphml(graphml);
  EXPECT_NE(graphml.str().find("source=\"n0\" target=\"n1\">\n      <data key=\"key8\">true</data>"), std::string::npos)
      << graphml.str();
}

}  // namespace
}  // namespace waitstate
