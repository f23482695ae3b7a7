// Runs that cannot be completed, files that are left as they are, and the sentence that tells the outcome.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "record/archive/archive.hpp"
#include "record/parts/parts.hpp"
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

/// A process that holds its lines, as a recorded one does.
class Writer {
 public:
  explicit Writer(const fs::path& lines) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      lock_lines(::open(lines.c_str(), O_WRONLY));
      (void)!::write(ready[1], "r", 1);
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  void end() const {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t number() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(Recover, ARunThatIsStillGoingOnIsLeftAlone) {
  const RunFolder run;
  run.part(0, 2, {line_of("location", 0, "Master thread")});
  run.part(1, 2, {line_of("location", 0, "Master thread")});
  const Writer writer(run.path() / "parts/1.def");
  const Recovered r = recover(run.name());
  EXPECT_TRUE(r.running);
  EXPECT_EQ(r.problem, "the run is still going on: process " + std::to_string(writer.number()) +
                           " writes parts/1.def; recover it when all its processes have ended");
  EXPECT_TRUE(run.has("parts/0.def"));
  EXPECT_FALSE(run.has("traces"));
  writer.end();
  EXPECT_EQ(problem(run), "");
}

TEST(Recover, OfTwoAtOnceOneIsRefused) {
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  {
    const RunLock other(run.name());
    EXPECT_EQ(problem(run), "another process completes this run already");
  }
  EXPECT_EQ(problem(run), "");
}

/// The two regions have each other's numbers in the processes, so that the definitions of one alone would be wrong.
TEST(Recover, WhenTheArchiveIsCompleteOnlyThePartsAreRemoved) {
  const RunFolder run;
  const std::vector<std::string> first = {line_of("location", 0, "Master thread"),
                                          line_of("region", 0, "MPI_Send", 4, 1)};
  const std::vector<std::string> second = {line_of("location", 0, "Master thread"),
                                           line_of("region", 0, "MPI_Recv", 4, 1)};
  run.part(0, 2, first);
  run.part(1, 2, second);
  ASSERT_EQ(problem(run), "");
  const std::string definitions = RunFolder::read(run.path() / "traces.def");
  fs::create_directories(run.path() / "parts/1/traces");  // as if it had been interrupted while it removed them
  run.part(1, 2, second);
  RunFolder::write(run.path() / "parts/1/traces/0.evt", "");
  EXPECT_TRUE(recover(run.name()).nothing_to_do);
  EXPECT_EQ(RunFolder::read(run.path() / "traces.def"), definitions);
  EXPECT_FALSE(run.has("parts"));
}

TEST(Recover, WhatNoRecorderMadeIsNotRemoved) {
  const RunFolder run;
  run.part(0, 1, {line_of("location", 0, "Master thread")});
  fs::create_directories(run.path() / "parts/0/mine");
  for (const char* const file : {"parts/notes.txt", "parts/0/notes.def", "parts/0/mine/0.evt", "parts/00.def"})
    RunFolder::write(run.path() / file, "of the user");
  ASSERT_EQ(problem(run), "");
  for (const char* const file : {"parts/notes.txt", "parts/0/notes.def", "parts/0/mine/0.evt", "parts/00.def"})
    EXPECT_EQ(RunFolder::read(run.path() / file), "of the user") << file;
  EXPECT_FALSE(run.has("parts/0.def"));

  const RunFolder other;  // an archive of another recorder, with a folder of that name
  RunFolder::write(other.path() / "traces.otf2", "of the user");
  RunFolder::write(other.path() / "parts/0.def", "of the user");
  EXPECT_TRUE(recover(other.name()).nothing_to_do);
  EXPECT_TRUE(other.has("parts/0.def"));
}

TEST(Recover, AnEventFileThatIsGoneIsSaid) {
  const RunFolder run;
  run.part(0, 2, {line_of("location", 0, "Master thread"), line_of("events", 0, 7, 5, 9)});
  run.part(1, 2, {line_of("location", 0, "Master thread")});  // it had a tail at least
  const Recovered r = recover(run.name());
  EXPECT_EQ(sentence("here", r),
            "2 processes, 7 events in here; ended before its end: 0, 1; recorded events whose files are gone: 0, 1");
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
