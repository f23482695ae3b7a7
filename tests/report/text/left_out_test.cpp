// Sentences about the groups of calls that the recorder left out.
#include "report/words/left_out.hpp"

#include <gtest/gtest.h>

#include <string>

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
  EXPECT_EQ(text_of("io,other", "io"), "calls of MPI on files: their time is part of computation");
  EXPECT_EQ(text_of("coll,io,other,p2p,rma", "coll,io,other,p2p,rma"),
            "calls of MPI that pass messages between two processes, for collective operations, on windows, on files, "
            "for types, groups, attributes and queries: their time is part of computation");
}

TEST(LeftOut, of_others_it_is_not_known_whether_there_were_any) {
  EXPECT_EQ(text_of("pthread", ""), "POSIX threads: time in which they wait for each other is part of computation");
  EXPECT_EQ(text_of("io,openmp,shmem,test,user", "io"),
            "calls of MPI on files: their time is part of computation; tests and probes that find nothing: their time "
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

}  // namespace
}  // namespace waitstate::report
