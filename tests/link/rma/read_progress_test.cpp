// How far processes have been read, from their initialisation on.
#include "link/rma/read_progress.hpp"

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

/// Process 0 has locations 0 and 2, process 1 location 1.
struct ProgressOfTwo {
  /// `initialises`: the trace has MPI_Init.
  explicit ProgressOfTwo(bool initialises = false) : definitions(define(initialises)) {}
  static Definitions define(bool initialises) {
    Definitions d = support::processes_of_one_location(2);
    if (initialises) d.regions.emplace_back().mpi_function = MpiFunction::init;
    d.locations.emplace_back().process = ProcessId{0};
    return d;
  }
  void read(std::size_t location, Time first, Time up_to, bool at_end = false) {
    processes.read(LocationId{location}, first, up_to, at_end);
    progress.read(processes.of(LocationId{location}), first, false);
  }
  Time of(std::size_t process) const { return progress.progress(ProcessId{process}); }

  Definitions definitions;
  Processes processes{definitions};
  ReadProgress progress{definitions, processes};
};

TEST(ReadProgress, CountsFromTheFirstEventWithoutAnInitialisation) {
  ProgressOfTwo p;
  EXPECT_EQ(p.of(1), 0u) << "nothing has been read";
  p.read(1, 100, 150);
  EXPECT_EQ(p.of(1), 50u);
  p.read(1, 100, 400);
  EXPECT_EQ(p.of(1), 300u);
}

TEST(ReadProgress, IsNotKnownAsLongAsTheInitialisationMayStillCome) {
  ProgressOfTwo p(true);
  p.read(1, 100, 150);
  EXPECT_EQ(p.of(1), 0u);
  p.progress.initialised(ProcessId{1}, 160);
  p.read(1, 151, 170);
  EXPECT_EQ(p.of(1), 10u);
  p.read(0, 50, 80);
  p.read(2, 60, 80);
  EXPECT_EQ(p.of(0), 0u);
  p.progress.read(ProcessId{0}, 90, true);
  EXPECT_EQ(p.of(0), 30u) << "it has one-sided records: there is no initialisation";
}

TEST(ReadProgress, CountsFromTheFirstInitialisation) {
  ProgressOfTwo p;
  p.progress.initialised(ProcessId{1}, 120);
  p.progress.initialised(ProcessId{1}, 200);
  p.read(1, 100, 150);
  EXPECT_EQ(p.of(1), 30u);
  EXPECT_EQ(p.progress.progress_at(ProcessId{1}, 130), 10u);
  EXPECT_EQ(p.progress.progress_at(ProcessId{1}, 110), 0u) << "before it began";
}

TEST(ReadProgress, IsThatOfTheThreadThatHasBeenReadLeast) {
  ProgressOfTwo p;
  p.read(0, 100, 400);
  p.read(2, 100, 150);
  EXPECT_EQ(p.of(0), 50u);
  p.read(2, 100, 160, true);
  EXPECT_EQ(p.of(0), 300u) << "that thread has ended";
}

TEST(ReadProgress, NothingIsToComeOfAProcessThatHasEnded) {
  ProgressOfTwo p;
  p.read(1, 100, 150, true);
  p.processes.end(ProcessId{1});
  EXPECT_EQ(p.of(1), ~Time{0});
}

}  // namespace
}  // namespace waitstate::link
