// Which release a call waited for; and by what name locks of SHMEM are known.
#include "link/rma/lock_releases.hpp"

#include <gtest/gtest.h>

namespace waitstate::link {
namespace {

constexpr RmaWinId of_mpi{0}, of_shmem{1};

struct Owners {
  static Definitions three() {
    Definitions d;
    for (std::size_t i = 0; i < 3; ++i) {
      d.processes.emplace_back().locations = {LocationId{i}};
      d.locations.emplace_back().process = ProcessId{i};
    }
    d.comms.resize(2);
    d.comms[0].paradigm = Paradigm::mpi;
    d.comms[1].paradigm = Paradigm::shmem;
    d.rma_wins.resize(2);
    for (const std::size_t i : {0, 1}) d.rma_wins[i].comm = CommId{i};
    return d;
  }
  Definitions definitions = three();
  Calls calls;
  LockReleases releases{definitions, calls};

  static RmaLockRef lock(RmaWinId win, std::uint64_t number, bool exclusive = true) {
    return {win, win == of_mpi ? ProcessId{2} : ProcessId::none(), number, exclusive};
  }
  void release(std::size_t location, const RmaLockRef& lock, Time t) {
    const CallRef call = calls.add(0);
    calls[call].call = Call{};
    calls[call].call.location = LocationId{location};
    releases.released(LocationId{location}, lock, t, call);
    calls.release(call);
  }
  /// Time of the release that a call of the location from 100 to 200 waited for, 0 if for none, 1 if it is not known.
  Time waited(std::size_t location, const RmaLockRef& lock) {
    Call call;
    call.enter = 100;
    call.exit = 200;
    LockReleases::Release latest;
    if (!releases.find(LocationId{location}, call, lock, latest)) return 1;
    return latest.call == CallState::none ? 0 : latest.time;
  }
};

TEST(LockReleases, TheLastOneInTheCallOfAnotherProcessCounts) {
  Owners o;
  const RmaLockRef lock = Owners::lock(of_mpi, 1);
  o.release(0, lock, 90);
  EXPECT_EQ(o.waited(1, lock), 0u);
  o.release(0, lock, 150);
  EXPECT_EQ(o.waited(1, lock), 150u);
  EXPECT_EQ(o.waited(0, lock), 0u);
  o.release(1, lock, 160);
  EXPECT_EQ(o.waited(1, lock), 150u);
  EXPECT_EQ(o.waited(0, lock), 160u);
  EXPECT_EQ(o.waited(1, Owners::lock(of_mpi, 2)), 0u);
}

TEST(LockReleases, SharedLocksDoNotWaitForEachOther) {
  Owners o;
  o.release(0, Owners::lock(of_mpi, 1, false), 150);
  EXPECT_EQ(o.waited(1, Owners::lock(of_mpi, 1, false)), 0u);
  EXPECT_EQ(o.waited(1, Owners::lock(of_mpi, 1)), 150u);
}

TEST(LockReleases, LocksOfAllTargetsConflictWithThatOfOne) {
  Owners o;
  RmaLockRef all = Owners::lock(of_mpi, 1, false);
  all.target = ProcessId::none();
  o.release(0, Owners::lock(of_mpi, 1), 150);
  EXPECT_EQ(o.waited(1, all), 150u);
  o.release(0, all, 170);
  EXPECT_EQ(o.waited(1, Owners::lock(of_mpi, 1)), 170u);
}

// Symmetric memory lies elsewhere in each process, at the same offset in its page.
TEST(LockReleases, ALockOfShmemIsKnownByItsOffsetInThePage) {
  Owners o;
  o.release(0, Owners::lock(of_shmem, 0x10010), 150);
  EXPECT_EQ(o.waited(1, Owners::lock(of_shmem, 0x20010)), 150u);
  EXPECT_EQ(o.waited(1, Owners::lock(of_shmem, 0x20020)), 0u);
  o.release(0, Owners::lock(of_shmem, 0x11010), 160);  // two of its locks have that offset
  EXPECT_EQ(o.waited(1, Owners::lock(of_shmem, 0x20010)), 1u);
}

TEST(LockReleases, WhereProcessesGiveTheSameNumbersTheWholeNumberIsTheLock) {
  Owners o;
  for (const std::size_t l : {0, 1})
    for (const std::uint64_t number : {0x10010, 0x11010}) o.release(l, Owners::lock(of_shmem, number), 150 + l);
  EXPECT_EQ(o.waited(2, Owners::lock(of_shmem, 0x11010)), 151u);
}

TEST(LockReleases, OnlyTheCallsOfTheLastReleasesAreHeld) {
  Owners o;
  for (Time t = 1; t <= 1000; ++t) o.release(t % 2, Owners::lock(of_mpi, 1), t);
  EXPECT_LE(o.calls.alive(), 4u);
}

}  // namespace
}  // namespace waitstate::link
