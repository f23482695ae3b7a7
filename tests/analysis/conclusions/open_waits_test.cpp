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

// rank 0 waits for any of two requests: of ranks 1 and 2. Both ways out must be blocked.
TEST(OpenWaits, for_any_of_several_requests_are_no_wait_for_one_of_them) {
  const auto circle = [](const std::string& call, const Ending& of_2) {
    const std::string text =
        "process 0 type=process\nprocess 1 type=process\nprocess 2 type=process\n"
        "location 0 process=0 properties=(WAITSTATE::WAITS.0=string:\"5 " +
        call +
        " receive comm=0 peer=1 tag=1\","
        "WAITSTATE::WAITS.1=string:\"5 " +
        call +
        " receive comm=0 peer=2 tag=1\")\n"
        "location 1 process=1 properties=(WAITSTATE::WAITS.0=string:\"5 MPI_Recv receive comm=0 peer=0 tag=1\")\n"
        "location 2 process=2" +
        (of_2.note.empty() ? "" : " properties=(WAITSTATE::WAITS.0=string:\"5 " + of_2.call + ' ' + of_2.note + "\")") +
        "\n"
        "group 0 type=comm_locations paradigm=mpi members=(0,1,2)\n"
        "group 1 type=comm_group paradigm=mpi members=(0,1,2)\ncomm 0 group=1\n"
        "0 1 enter main\n0 5 enter " +
        call + "\n1 1 enter main\n1 5 enter MPI_Recv\n2 1 enter main\n" +
        (of_2.call.empty() ? "" : "2 5 enter " + of_2.call + "\n");
    return told(analyze(TraceFile(text).path()));
  };
  const Ending of_0{"MPI_Recv", "receive comm=0 peer=0 tag=1"};
  EXPECT_EQ(
      circle("MPI_Waitany", {"", ""}),
      "0: for a message from rank 1 (tag 1) or for a message from rank 2 (tag 1)\n1: for a message from rank 0 (tag "
      "1)\n")
      << "rank 2 computes, and may send";
  EXPECT_NE(circle("MPI_Waitany", of_0).find("rank 0 waits for rank 1, and rank 1 for rank 0\n"), std::string::npos);
  EXPECT_NE(circle("MPI_Waitall", {"", ""}).find("rank 0 waits for rank 1, and rank 1 for rank 0\n"),
            std::string::npos);
}

// rank 2 has ended, and sends nothing any more.
TEST(OpenWaits, of_anybody_are_blocked_by_those_that_have_ended) {
  const Ending any{"MPI_Recv", "receive comm=0 peer=-1 tag=2"}, of_0{"MPI_Recv", "receive comm=0 peer=0 tag=2"};
  EXPECT_EQ(deadlocks(ended_in({any, of_0, {"", ""}}, "2 6 exit\n")).size(), 1u);
}

// rank 0 has the lock of all: its flush waits for nobody's lock.
TEST(OpenWaits, of_calls_inside_an_epoch_are_for_no_lock) {
  const std::string locks = "rma_win 0 name=w comm=0\n";
  const auto lock_all = [](int rank) {
    return fmt::format(
        "{0} 2 enter MPI_Win_lock_all\n{0} 2 rma_request_lock win=0 remote=none lock=0 type=shared\n{0} 3 "
        "exit\n",
        rank);
  };
  std::string text =
      "process 0 type=process\nprocess 1 type=process\n"
      "location 0 process=0 properties=(WAITSTATE::WAITS.0=string:\"5 MPI_Win_flush_local lock window=0 peer=0 "
      "tag=-1\")\n"
      "location 1 process=1 properties=(WAITSTATE::WAITS.0=string:\"5 MPI_Recv receive comm=0 peer=0 tag=1\")\n"
      "group 0 type=comm_locations paradigm=mpi members=(0,1)\n"
      "group 1 type=comm_group paradigm=mpi members=(0,1)\ncomm 0 group=1\n" +
      locks + "0 1 enter main\n1 1 enter main\n" + lock_all(0) + lock_all(1) +
      "0 5 enter MPI_Win_flush_local\n1 5 enter MPI_Recv\n";
  EXPECT_EQ(told(analyze(TraceFile(text).path())), "0: \n1: for a message from rank 0 (tag 1)\n");
}

// Two threads of a process: each has a lock and asks for a further one, as the recorder notes.
std::string threads_with_locks(const std::string& asked_by_0, const std::string& asked_by_1) {
  const auto location = [](int l, const std::string& note) {
    return fmt::format("location {} process=0{}\n", l,
                       note.empty() ? "" : " properties=(WAITSTATE::WAITS.0=string:\"" + note + "\")");
  };
  const auto end = [](int l, const std::string& note) {
    return note.empty() ? std::string() : fmt::format("{} 5 enter \"!$omp critical @main\"\n", l);
  };
  return "process 0 type=process\nregion 0 name=main\nregion 1 name=\"!$omp critical @main\" role=critical "
         "paradigm=openmp\n" +
         location(0, asked_by_0) + location(1, asked_by_1) +
         "0 1 enter main\n0 2 thread_acquire_lock paradigm=openmp lock=7 order=1\n"
         "1 1 enter main\n1 2 thread_acquire_lock paradigm=openmp lock=8 order=1\n" +
         end(0, asked_by_0) + end(1, asked_by_1);
}
std::string asks_for(int lock) { return fmt::format("5 !$omp critical @main omp_lock lock={} peer=-1 tag=-1", lock); }

TEST(OpenWaits, for_locks_of_threads_are_for_whoever_holds_them) {
  EXPECT_EQ(told(analyze(TraceFile(threads_with_locks(asks_for(8), asks_for(7))).path())),
            "0: for a lock held by process 0 thread 1\n1: for a lock held by process 0 thread 0\n"
            "process 0 thread 0 waits for process 0 thread 1, and process 0 thread 1 for process 0 thread 0\n");
  EXPECT_EQ(told(analyze(TraceFile(threads_with_locks(asks_for(7), "")).path())),
            "0: for a lock held by process 0 thread 0\nprocess 0 thread 0 waits for itself\n");
  EXPECT_EQ(told(analyze(TraceFile(threads_with_locks(asks_for(9), "")).path())), "0: for a lock\n");
}

TEST(OpenWaits, for_a_lock_whose_holder_goes_on_are_no_circle) {
  EXPECT_EQ(told(analyze(TraceFile(threads_with_locks(asks_for(8), "")).path())),
            "0: for a lock held by process 0 thread 1, which has been in main since 0.000000000 s\n");
}

TEST(OpenWaits, in_finalize_are_for_those_that_are_elsewhere) {
  EXPECT_EQ(told(ended_in({{"MPI_Finalize", ""}, {"MPI_Recv", "receive comm=0 peer=0 tag=1"}, {"MPI_Finalize", ""}})),
            "0: for rank 1, which has not arrived\n1: for a message from rank 0 (tag 1)\n2: for rank 1, which has not "
            "arrived\n"
            "rank 0 waits for rank 1, and rank 1 for rank 0\n");
}

TEST(OpenWaits, of_operations_name_who_has_not_come) {
  const Ending barrier{"MPI_Barrier", "collective comm=0 peer=-1 tag=-1"};
  EXPECT_EQ(told(ended_in({barrier, {"", ""}, barrier})),
            "0: for rank 1, which has not arrived and has been in main since 0.000000000 s\n"
            "2: for rank 1, which has not arrived and has been in main since 0.000000000 s\n");
  EXPECT_EQ(told(ended_in({barrier, {"MPI_Recv", "receive comm=0 peer=2 tag=1"}, barrier})),
            "0: for rank 1, which has not arrived\n1: for a message from rank 2 (tag 1)\n2: for rank 1, which has not "
            "arrived\n"
            "rank 1 waits for rank 2, and rank 2 for rank 1\n");
  EXPECT_EQ(told(ended_in({barrier, barrier})), "0: \n1: \n") << "all have come: it was on its way";
}

TEST(OpenWaits, of_operations_that_do_not_fit_name_them_side_by_side) {
  const std::string note = "collective comm=0 peer=-1 tag=-1";
  const Ending barrier{"MPI_Barrier", note}, bcast{"MPI_Bcast", note};
  EXPECT_EQ(
      report::mismatched_operations(ended_in({barrier, bcast, barrier}), 5),
      std::vector<std::string>{"on communicator 0, rank 0 and rank 2 are in MPI_Barrier and rank 1 is in MPI_Bcast: "
                               "all members have come, but not to the same operation."});
  EXPECT_TRUE(report::mismatched_operations(ended_in({barrier, barrier}), 5).empty());
  EXPECT_TRUE(report::mismatched_operations(ended_in({barrier, bcast, {"", ""}}), 5).empty())
      << "rank 0 may be ahead by an operation, while rank 1 waits for rank 2";
}

TEST(OpenWaits, of_other_recorders_as_far_as_records_tell) {
  EXPECT_EQ(told(ended_in({{"MPI_Send", ""}, {"MPI_Recv", ""}}, "0 5 send dest=1 tag=3 com=0 len=8\n")),
            "0: for rank 1 to receive its message (tag 3)\n1: for a message, while nobody has received a message from "
            "rank 0 (tag 3 "
            "on communicator 0)\n");
}

TEST(OpenWaits, messages_that_nobody_received_stand_beside_them) {
  const std::string sends = "0 2 enter MPI_Isend\n0 2 isend dest=1 tag=77 com=0 len=8 request=1\n0 3 exit\n";
  EXPECT_EQ(told(ended_in({{"", ""}, {"MPI_Recv", "receive comm=0 peer=0 tag=7"}}, sends)),
            "1: for a message from rank 0 (tag 7 on communicator 0), while nobody has received a message from rank 0 "
            "(tag 77 on communicator 0)\n");
  EXPECT_EQ(told(ended_in({{"", ""}, {"MPI_Recv", ""}}, sends + sends)),
            "1: for a message, while nobody has received 2 messages from rank 0 (tag 77 on communicator 0)\n")
      << "another recorder's";
  EXPECT_EQ(told(ended_in({{"", ""}, {"MPI_Recv", "receive comm=0 peer=2 tag=7"}, {"", ""}}, sends)),
            "1: for a message from rank 2 (tag 7)\n")
      << "not of the sender that it waits for";
}

TEST(OpenWaits, of_a_deadlock_while_others_go_on_say_how_long) {
  const Ending of_0{"MPI_Recv", "receive comm=0 peer=0 tag=7"}, of_1{"MPI_Recv", "receive comm=0 peer=1 tag=7"};
  const auto text = [](const AnalysisResult& r) {
    const report::Seconds seconds(r.definitions.clock, r.duration());
    const std::string all = report::open_calls_text(r, seconds, 5, report::Style{});
    return all.substr(0, all.find("Never ended"));
  };
  EXPECT_EQ(text(ended_in({of_1, of_0, {"", ""}}, "2 5000000005 exit\n")),
            "Deadlock: rank 0 waits for rank 1, and rank 1 for rank 0. They have no event in the last 5.000 s of\nthe "
            "run.\n");
  EXPECT_EQ(text(ended_in({of_1, of_0})), "Deadlock: rank 0 waits for rank 1, and rank 1 for rank 0.\n")
      << "nobody has an event later";
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
