// One-sided communication: records that only some recorders write - synchronisations with groups outside of MPI's
// functions, direct synchronisation, attempts to get a lock, tests of operations - and the order of deliveries.
#include <gtest/gtest.h>

#include <string>

#include "analysis/rma_watch.hpp"

namespace waitstate::one_sided {
namespace {

const std::string groups = mpi_window + R"(group 0 type=locations members=(0)
group 1 type=locations members=(1)
)";

std::uint64_t count(const std::string& text, DiagnosticId id) {
  Diagnostics diagnostics;
  seen_in_order(text, RmaModel::automatic, 0, diagnostics);
  return diagnostics[id].count;
}

// Location 0 puts, so its epoch is one of accesses, and the other one's an exposure. The put is complete with the end.
TEST(OneSided, EpochsWithoutNamesAreToldByTheirOperations) {
  const std::string text = groups + R"(0 0 enter main
0 10 rma_group_sync level=0x0 win=0 group=1
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 rma_group_sync level=0x2 win=0 group=1
0 99 exit
1 0 enter main
1 5 rma_group_sync level=0x0 win=0 group=0
1 40 rma_group_sync level=0x2 win=0 group=0
1 99 exit
)";
  for (const std::size_t chunk : {0, 1})
    EXPECT_EQ(seen(text, RmaModel::automatic, chunk),
              (Rows{"access 0 10-30: 1 posted 5 1 operations, 20 on #0", "exposure 1 5-40: 0 10-30 1 operations",
                    "put 0 -> 1 put 8 got 0 at 21 in MPI_Put, complete at 30 in nothing"}));
  EXPECT_EQ(count(text, DiagnosticId::rma_unplaced), 0u);
  EXPECT_EQ(count(text, DiagnosticId::rma_incomplete), 0u);
}

// Both exchange: each has an exposure and an access epoch open at once, with one and the same group.
TEST(OneSided, OfTwoEpochsWithOneGroupTheOneThatWasOpenedLastAccesses) {
  std::string text = groups;
  for (const char* at : {"0", "1"}) {
    const std::string l = at, other = l == "0" ? "1" : "0";
    const std::string sync = l + " {} rma_group_sync level={} win=0 group=" + other + "\n";
    text += l + " 0 enter main\n" + fmt::format(fmt::runtime(sync), 10, "0x0") +
            fmt::format(fmt::runtime(sync), 20, "0x1") + l + " 30 enter MPI_Put\n" + l +
            " 31 rma_put win=0 remote=" + other + " bytes=8 match=1\n" + l + " 35 exit\n" +
            fmt::format(fmt::runtime(sync), 40, "0x3") + fmt::format(fmt::runtime(sync), 50, "0x2") + l + " 99 exit\n";
  }
  EXPECT_EQ(seen(text), (Rows{"access 0 20-40: 1 posted 10 1 operations, 30 on #0",
                              "access 1 20-40: 0 posted 10 1 operations, 30 on #0",
                              "exposure 0 10-50: 1 20-40 1 operations", "exposure 1 10-50: 0 20-40 1 operations",
                              "put 0 -> 1 put 8 got 0 at 31 in MPI_Put, complete at 40 in nothing",
                              "put 1 -> 0 put 8 got 0 at 31 in MPI_Put, complete at 40 in nothing"}));
}

// As sync images of Fortran: nothing was opened, the operation on a member is complete, the one on another process not.
TEST(OneSided, AnEndWithoutABeginningCompletesOperationsOnTheGroup) {
  const std::string text = groups + R"(0 0 enter main
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 22 rma_put win=0 remote=2 bytes=8 match=1
0 25 exit
0 30 rma_group_sync level=0x3 win=0 group=1
0 99 exit
1 0 enter main
1 99 exit
2 0 enter main
2 99 exit
)";
  EXPECT_EQ(seen(text), Rows{"put 0 -> 1 put 8 got 0 at 21 in MPI_Put, complete at 30 in nothing"});
  EXPECT_EQ(count(text, DiagnosticId::rma_unplaced), 0u);
}

TEST(OneSided, WhatCannotBeToldOfGroupsIsCounted) {
  EXPECT_EQ(count(groups + "0 0 enter main\n0 30 rma_group_sync level=0x3 win=0 group=1\n0 99 exit\n1 0 enter main\n"
                           "1 99 exit\n",
                  DiagnosticId::rma_unplaced),
            1u);
  const std::string open = "0 30 rma_group_sync level=0x0 win=0 group=1\n";
  EXPECT_EQ(count(groups + "0 0 enter main\n" + open + open + open + "0 99 exit\n1 0 enter main\n1 99 exit\n",
                  DiagnosticId::rma_unplaced),
            1u);
  EXPECT_EQ(count(groups + "0 0 enter main\n" + open + open + "0 99 exit\n1 0 enter main\n1 99 exit\n",
                  DiagnosticId::rma_incomplete),
            2u);
}

// OTF2: RmaOpTest is a test that was not successful.
TEST(OneSided, ATestOfAnOperationDoesNotCompleteIt) {
  EXPECT_EQ(seen(mpi_window + R"(0 0 enter main
0 10 enter MPI_Rput
0 11 rma_put win=0 remote=1 bytes=8 match=1
0 12 exit
0 20 enter MPI_Test
0 21 rma_op_test win=0 match=1
0 22 exit
0 30 enter MPI_Test
0 31 rma_op_complete_nonblocking win=0 match=1
0 32 exit
0 99 exit
1 0 enter main
1 99 exit
)"),
            Rows{"put 0 -> 1 put 8 got 0 at 11 in MPI_Rput, complete at 31 in MPI_Test"});
}

const std::string shmem = R"(region 0 name=main
region 1 name=shmem_test_lock paradigm=shmem role=function
region 2 name=shmem_clear_lock paradigm=shmem role=function
region 3 name=shmem_long_put paradigm=shmem role=function
region 4 name=shmem_fence paradigm=shmem role=function
region 5 name=shmem_put_signal paradigm=shmem role=function
region 6 name=shmem_signal_wait_until paradigm=shmem role=function
comm 0 paradigm=shmem members=all
rma_win 0 comm=0
)";

// OTF2: RmaTryLock is an attempt that was not successful. The first one takes back the request of its call, the second
// has none; then the lock is had.
TEST(OneSided, AFailedAttemptIsNoLock) {
  const std::string text = shmem + R"(0 0 enter main
0 10 enter shmem_test_lock
0 10 rma_request_lock win=0 remote=none lock=64 type=exclusive
0 11 rma_try_lock win=0 remote=none lock=64 type=exclusive
0 12 exit
0 20 enter shmem_test_lock
0 21 rma_try_lock win=0 remote=none lock=64 type=exclusive
0 22 exit
0 30 enter shmem_test_lock
0 30 rma_request_lock win=0 remote=none lock=64 type=exclusive
0 31 rma_acquire_lock win=0 remote=none lock=64 type=exclusive
0 32 exit
0 50 enter shmem_clear_lock
0 51 rma_release_lock win=0 remote=none lock=64
0 52 exit
0 99 exit
1 0 enter main
1 99 exit
)";
  EXPECT_EQ(seen(text), Rows{"lock exclusive of -1 30-52 released 51:"});
  EXPECT_EQ(count(text, DiagnosticId::rma_incomplete), 0u);
  EXPECT_EQ(count(text, DiagnosticId::rma_unplaced), 0u);
}

// One release for two: the first lock was never released.
TEST(OneSided, ALockThatIsHadTwiceIsNotReleasedOnce) {
  const std::string ask = "0 {} rma_acquire_lock win=0 remote=none lock=64 type=exclusive\n";
  const std::string text = shmem + "0 0 enter main\n" + fmt::format(fmt::runtime(ask), 10) +
                           fmt::format(fmt::runtime(ask), 20) + "0 30 rma_release_lock win=0 remote=none lock=64\n" +
                           "0 99 exit\n1 0 enter main\n1 99 exit\n";
  EXPECT_EQ(seen(text), Rows{"lock exclusive of -1 20-30 released 30:"});
  EXPECT_EQ(count(text, DiagnosticId::rma_incomplete), 1u);
}

// By the extended model the put to 1 is complete with the synchronisation with 1, the one to 2 with that with all. In
// MPI nothing is complete: MPI_Win_sync makes two copies of a process's own memory equal.
TEST(OneSided, SynchronisationOfMemoryCompletesOutsideOfMpi) {
  const std::string events = R"(0 0 enter main
0 10 enter shmem_long_put
0 11 rma_put win=0 remote=1 bytes=8 match=1
0 12 exit
0 13 enter shmem_long_put
0 14 rma_put win=0 remote=2 bytes=8 match=1
0 15 exit
0 20 enter shmem_fence
0 21 rma_sync win=0 remote=1 sync=memory
0 22 exit
0 30 enter shmem_fence
0 31 rma_sync win=0 remote=none sync=memory
0 32 exit
0 99 exit
1 0 enter main
1 99 exit
2 0 enter main
2 99 exit
)";
  EXPECT_EQ(seen(shmem + events, RmaModel::extended),
            (Rows{"put 0 -> 1 put 8 got 0 at 11 in shmem_long_put, complete at 21 in shmem_fence",
                  "put 0 -> 2 put 8 got 0 at 14 in shmem_long_put, complete at 31 in shmem_fence"}));
  std::string mpi = shmem + events;
  mpi.replace(mpi.find("comm 0 paradigm=shmem"), 21, "comm 0 paradigm=mpi");
  EXPECT_EQ(seen(mpi, RmaModel::extended), Rows{});
}

// The notification of 1 is the one that was waited for, though 2 sent one later.
TEST(OneSided, ANotificationIsWaitedForByItsSender) {
  const std::string text = shmem + R"(0 0 enter main
0 10 enter shmem_signal_wait_until
0 40 rma_sync win=0 remote=1 sync=notify_in
0 41 exit
0 50 enter shmem_signal_wait_until
0 60 rma_sync win=0 remote=2 sync=notify_in
0 61 exit
0 99 exit
1 0 enter main
1 30 enter shmem_put_signal
1 31 rma_sync win=0 remote=0 sync=notify_out
1 35 exit
1 99 exit
2 0 enter main
2 33 enter shmem_put_signal
2 34 rma_sync win=0 remote=0 sync=notify_out
2 36 exit
2 99 exit
)";
  for (const std::size_t chunk : {0, 1})
    EXPECT_EQ(seen(text, RmaModel::automatic, chunk),
              (Rows{"change 0 10-41: by 1 in shmem_put_signal at 30", "change 0 50-61: by nobody"}));
}

/// Records calls that request, use or release locks.
class PassiveCalls : public Pattern {
 public:
  explicit PassiveCalls(Rows& rows) : rows_(rows) {}
  PatternInfo info() const override {
    return {.metrics = {{"passive_calls", "", Unit::occurrences, true, "Calls", "Nothing."}}};
  }
  void rma_passive_call_callback(const RmaPassiveCall& r, Context&) override {
    rows_.push_back(fmt::format("{} {}-{}", r.call.location.value, r.call.enter, r.call.exit));
  }

 private:
  Rows& rows_;
};

// Location 1's MPI_Win_lock has a record of another kind, which is done with before the lock is: the call stays known.
TEST(OneSided, ACallMayHaveOtherRecordsToo) {
  const support::TraceFile file(mpi_window + R"(1 66587 rma_op_complete_remote win=0 match=3
1 249072 rma_release_lock win=0 remote=0 lock=0
0 650757 enter MPI_Win_flush
3 655618 rma_request_lock win=0 remote=0 lock=0 type=exclusive
2 696644 rma_request_lock win=0 remote=0 lock=0 type=exclusive
1 720931 enter MPI_Win_lock
1 720931 rma_request_lock win=0 remote=0 lock=0 type=exclusive
0 751247 exit MPI_Win_flush
0 5920611 enter MPI_Win_unlock
0 5941879 exit MPI_Win_unlock
0 5942581 enter MPI_Barrier
2 5968709 rma_put win=0 remote=0 bytes=512 match=10
2 6016030 rma_op_complete_nonblocking win=0 match=10
3 15896700 rma_release_lock win=0 remote=0 lock=0
1 19980472 collective_begin
1 49828945 enter MPI_Accumulate
1 23755230 rma_op_complete_remote win=0 match=9
)");
  Rows rows;
  AnalysisOptions options;
  options.built_in = false;
  options.threads = 1;
  options.patterns.push_back(make_pattern<PassiveCalls>(rows));
  analyze(file.path(), options);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), "1 720931-49828945"), 1);
}

// The numbers are in no order: operations that the fence completes come in the order of the puts.
TEST(OneSided, OperationsThatOneCallCompletesComeInTheirOrder) {
  std::string text = mpi_window + "0 0 enter main\n";
  const int numbers[] = {71, 3, 500, 4, 12, 77, 1, 900, 2, 65};
  int time = 10;
  Rows expected;
  for (const int number : numbers) {
    text += fmt::format("0 {} enter MPI_Put\n0 {} rma_put win=0 remote=1 bytes={} match={}\n0 {} exit\n", time,
                        time + 1, number, number, time + 2);
    expected.push_back(
        fmt::format("put 0 -> 1 put {} got 0 at {} in MPI_Put, complete at 300 in MPI_Win_fence", number, time + 1));
    time += 10;
  }
  const std::string fence =
      "{0} 290 enter MPI_Win_fence\n{0} 291 rma_collective_begin\n"
      "{0} 300 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0\n{0} 310 exit\n";
  text += fmt::format(fmt::runtime(fence), 0) + "0 399 exit\n1 0 enter main\n" + fmt::format(fmt::runtime(fence), 1) +
          "1 399 exit\n";
  Diagnostics diagnostics;
  Rows rows = seen_in_order(text, RmaModel::extended, 0, diagnostics);
  std::erase_if(rows, [](const std::string& row) { return row.starts_with("collective"); });
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace waitstate::one_sided
