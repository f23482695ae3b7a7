// Runs that cannot be completed, files that are left as they are, and the sentence that tells the outcome.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "record/core/archive.hpp"
#include "record/run_folder.hpp"

namespace waitstate::record {
namespace {

namespace fs = std::filesystem;

std::string problem(const RunFolder& run) { return recover(run.name()).problem; }

TEST(Recover, AFolderOfSomethingElseIsRefused) {
  const support::TemporaryFolder folder;
  EXPECT_EQ(recover(folder.path().string()).problem,
            "this is not a folder of a recorded run: there is neither parts/ nor traces.otf2 in it");
  EXPECT_EQ(recover("/does/not/exist").problem,
            "this is not a folder of a recorded run: there is neither parts/ nor traces.otf2 in it");
}

TEST(Recover, WithoutAPartThatCanBeReadNothingIsMade) {
  const RunFolder run;
  EXPECT_EQ(problem(run), "no process has left records that can be read");
  RunFolder::write(run.path() / "parts/0.def", "something else\n");
  RunFolder::write(run.path() / "parts/1.txt", lines_of_process(1, 2, {}));
  EXPECT_EQ(problem(run), "no process has left records that can be read");
  EXPECT_TRUE(run.has("parts/0.def"));
  EXPECT_FALSE(run.has("traces.otf2"));
}

TEST(Recover, APartThatNoRecorderWroteIsRefused) {
  const RunFolder run;
  run.part(0, 1, {});
  fs::resize_file(run.path() / "parts/0.def", (std::uintmax_t{256} << 20) + 1);  // a hole
  EXPECT_EQ(problem(run), run.name() + "/parts/0.def has more than 268,435,456 bytes, which no recorder writes");
}

TEST(Recover, NoLinkIsFollowed) {
  const support::TemporaryFolder beside;
  const std::string lines = beside.file("0.def", lines_of_process(0, 1, {}));
  const std::string events = beside.file("0.evt", "events of somebody else");
  const RunFolder links;
  fs::create_symlink(lines, links.path() / "parts/0.def");
  EXPECT_EQ(problem(links), "no process has left records that can be read");

  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  fs::create_directories(run.path() / "parts/0/traces");
  fs::create_symlink(events, run.path() / "parts/0/traces/0.evt");
  EXPECT_EQ(problem(run), "");
  EXPECT_EQ(RunFolder::read(run.path() / "traces/0.evt"), "") << "a thread without events";
  EXPECT_EQ(RunFolder::read(events), "events of somebody else");
}

TEST(Recover, ALinkInThePlaceOfAnEventFileIsReplaced) {
  const support::TemporaryFolder beside;
  const std::string events = beside.file("0.evt", "events of somebody else");
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  fs::create_directory(run.path() / "traces");
  fs::create_symlink(events, run.path() / "traces/0.evt");
  EXPECT_EQ(problem(run), "");
  EXPECT_FALSE(fs::is_symlink(run.path() / "traces/0.evt"));
  EXPECT_EQ(RunFolder::read(events), "events of somebody else");
}

TEST(Recover, EventFilesAreMovedAsTheyAre) {
  const RunFolder run;
  run.part(3, 4, {line_of("location", 0, "Master thread"), line_of("location", 5, "Thread 5")});
  fs::create_directories(run.path() / "parts/3/traces");
  RunFolder::write(run.path() / "parts/3/traces/0.evt", "of the master");
  RunFolder::write(run.path() / "parts/3/traces/5.evt", "of thread 5");
  EXPECT_EQ(problem(run), "");
  EXPECT_EQ(RunFolder::read(run.path() / "traces/3.evt"), "of the master");
  EXPECT_EQ(RunFolder::read(run.path() / ("traces/" + std::to_string((std::uint64_t{5} << 32) + 3) + ".evt")),
            "of thread 5");
}

TEST(Recover, PartsStayWhereTheArchiveCannotBeWritten) {
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  RunFolder::write(run.path() / "traces", "no folder");
  EXPECT_EQ(problem(run), run.name() + "/traces is not a folder");
  EXPECT_TRUE(run.has("parts/0.def"));
  EXPECT_FALSE(run.has("traces.otf2"));
  fs::remove(run.path() / "traces");
  EXPECT_EQ(problem(run), "") << "what the first try left is in the way";
  EXPECT_TRUE(run.has("traces.otf2"));
}

TEST(Recover, OfTwoPartsOfOneRankTheFirstByNameIsTaken) {
  for (const bool swapped : {false, true}) {
    const RunFolder run;
    const auto part = [](const char* name) {
      return lines_of_process(0, 1, {line_of("location", 0, name), line_of("events", 0, 1, 5, 5)});
    };
    RunFolder::write(run.path() / "parts" / (swapped ? "b.def" : "a.def"), part(swapped ? "second" : "first"));
    RunFolder::write(run.path() / "parts" / (swapped ? "a.def" : "b.def"), part(swapped ? "first" : "second"));
    const Recovered r = recover(run.name());
    EXPECT_EQ(r.processes, 1u);
    EXPECT_EQ(r.events, 1u);
    EXPECT_NE(RunFolder::read(run.path() / "traces.def").find("first"), std::string::npos);
    EXPECT_EQ(RunFolder::read(run.path() / "traces.def").find("second"), std::string::npos);
  }
}

TEST(Recover, WhatTheLibraryDroppedOrToldTooLateIsSummedUp) {
  const RunFolder run;
  for (const int rank : {0, 1})
    run.part(rank, 2,
             {"property\tWAITSTATE::DROPPED_EVENTS::arrived\t1000", "property\tWAITSTATE::DROPPED_EVENTS::matched\t7",
              "property\tWAITSTATE::EVENTS_OUT_OF_ORDER::nic\t1", "end"});
  const Recovered r = recover(run.name());
  EXPECT_EQ(r.dropped, 2014u);
  EXPECT_EQ(r.late, 2u);
  EXPECT_EQ(
      sentence("here", r),
      "2 processes, 0 events in here; dropped by the MPI library: 2,014 events; reported by it too late to be put in "
      "order: 2 events");
}

TEST(Sentence, TellsOneOfEachAndCutsLongListsOff) {
  Recovered r;
  r.processes = 1;
  r.events = 1;
  EXPECT_EQ(sentence("here", r), "1 process, 1 event in here");
  r.processes = 12;
  r.events = 1234567;
  r.cut = {0, 1, 2, 3, 4, 5, 6, 7};
  r.missing = {8, 9, 10, 11, 12, 13, 14, 15, 16};
  EXPECT_EQ(
      sentence("here", r),
      "12 processes, 1,234,567 events in here; ended before its end: 0, 1, 2, 3, 4, 5, 6, 7; left no records: 8, 9, "
      "10, 11, 12, 13, 14, 15, ...");
  r.problem = "it went wrong";
  EXPECT_EQ(sentence("here", r), "it went wrong");
}

}  // namespace
}  // namespace waitstate::record
