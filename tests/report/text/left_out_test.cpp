// Sentences about the groups of calls that the recorder left out.
#include "report/words/left_out.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace waitstate::report {
namespace {

std::string text_of(const std::string& left_out, const std::string& called) {
  Definitions d;
  d.recorder.properties = {{"OTHER", "io"}, {"WAITSTATE::LEFT_OUT", left_out}, {"WAITSTATE::LEFT_OUT_CALLED", called}};
  return left_out_text(d);
}

TEST(LeftOut, nothing_is_said_of_other_recorders) { EXPECT_EQ(left_out_text(Definitions()), ""); }

TEST(LeftOut, calls_of_MPI_are_named_if_there_were_any) {
  EXPECT_EQ(text_of("io,other", ""), "");
  EXPECT_EQ(text_of("io,other", "io"), "MPI calls on files: their time is part of computation");
  EXPECT_EQ(text_of("coll,io,other,p2p,rma", "coll,io,other,p2p,rma"),
            "MPI calls that pass messages between two processes, for collective operations, on windows, on files, "
            "for types, groups, attributes and queries: their time is part of computation");
}

TEST(LeftOut, of_others_it_is_not_known_whether_there_were_any) {
  EXPECT_EQ(text_of("pthread", ""), "POSIX threads: time in which they wait for each other is part of computation");
  EXPECT_EQ(text_of("io,openmp,shmem,test,user", "io"),
            "MPI calls on files: their time is part of computation; tests and probes that find nothing: their time "
            "is part of computation; OpenMP: time in its barriers and locks is part of computation; OpenSHMEM: its "
            "time is part of computation");
}

TEST(LeftOut, records_that_one_side_alone_has_are_counted) {
  Definitions d;
  d.recorder.properties = {{"WAITSTATE::UNPAIRED_MESSAGES", "1"}};
  EXPECT_EQ(left_out_text(d),
            "one side of 1 message, where recording was switched off: later ones of the same processes may be paired "
            "with the wrong ones");
  d.recorder.properties = {{"WAITSTATE::UNPAIRED_MESSAGES", "3"}, {"WAITSTATE::UNPAIRED_COLLECTIVES", "2"}};
  EXPECT_EQ(left_out_text(d),
            "one side of 3 messages and of 2 collective operations, where recording was switched off: later ones of "
            "the same processes may be paired with the wrong ones");
}

TEST(LeftOut, communicators_that_could_not_be_told_apart_are_counted) {
  Definitions d;
  d.recorder.properties = {{"WAITSTATE::UNCERTAIN_COMMUNICATORS", "2"}};
  EXPECT_EQ(left_out_text(d),
            "which side belongs to which of 2 inter-communicators: messages in them may be paired with the wrong "
            "ones, or with none");
}

Definitions with(const std::vector<std::pair<std::string, std::string>>& properties) {
  Definitions d;
  d.processes.resize(2);
  for (const auto& [name, text] : properties) {
    d.strings.push_back(text);
    for (LocationGroup& process : d.processes)
      process.properties.push_back({name, {ValueType::string, d.strings.size() - 1}});
  }
  return d;
}

TEST(LeftOut, functions_that_the_recorder_did_not_know_are_named_once) {
  EXPECT_EQ(unseen_text(Definitions()), "");
  EXPECT_EQ(unseen_text(with({{"WAITSTATE::UNKNOWN_FUNCTIONS", "1 MPI_Send_x"}})),
            "calls of 1 function of the MPI library that the recorder did not know (MPI_Send_x): their time is "
            "computation, or a call without a record");
  const Definitions d = with({{"WAITSTATE::UNKNOWN_FUNCTIONS", "1200 MPI_A"},
                              {"WAITSTATE::UNKNOWN_FUNCTIONS", "12 MPI_A,MPI_B"},
                              {"WAITSTATE::UNKNOWN_VERSION", "6.0"},
                              {"WAITSTATE::SESSIONS", "opened"}});
  EXPECT_EQ(left_out_text(d),
            "calls of 12 functions of the MPI library that the recorder did not know (MPI_A, MPI_B and 10 more); calls "
            "of 1,200 functions of the MPI library that the recorder did not know (MPI_A and 1,199 more); functions "
            "that came to MPI "
            "with version 6.0, which the recorder did not know; messages and collective operations on communicators "
            "of MPI sessions: their time is computation, or a call without a record");
}

}  // namespace
}  // namespace waitstate::report
