// One-sided communication: the compound events that patterns of one's own receive, in the situations of the figures of
// Hermanns, Mohr and Wolf (Euro-Par 2005), by both event models. Severities are in tests/cases/mpi_rma_* and shmem_*.
#include <gtest/gtest.h>

#include <string>

#include "analysis/rma_watch.hpp"

namespace waitstate::one_sided {
namespace {

// Figure 2 (a): put and get between fences. The recorder says that the put is complete, not that the get is.
const std::string fences = mpi_window + R"(0 0 enter main
0 10 enter MPI_Win_fence
0 11 rma_collective_begin
0 20 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
0 21 exit
0 30 enter MPI_Put
0 31 rma_put win=0 remote=1 bytes=8 match=1
0 35 exit
0 40 enter MPI_Get
0 41 rma_get win=0 remote=1 bytes=16 match=2
0 45 exit
0 50 enter MPI_Win_fence
0 51 rma_collective_begin
0 58 rma_op_complete_nonblocking win=0 match=1
0 60 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
0 61 exit
0 99 exit
1 0 enter main
1 10 enter MPI_Win_fence
1 11 rma_collective_begin
1 20 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
1 21 exit
1 50 enter MPI_Win_fence
1 51 rma_collective_begin
1 60 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
1 61 exit
1 99 exit
)";

TEST(OneSided, FencesCompleteWhatLiesBetweenThem) {
  for (const std::size_t chunk : {0, 1, 3})
    EXPECT_EQ(seen(fences, RmaModel::automatic, chunk),
              (Rows{"collective 2 of 2:", "collective 2 of 2: 0->1 1p 1g 0a 8/16 last 45",
                    "get 0 -> 1 put 0 got 16 at 41 in MPI_Get, complete at 60 in MPI_Win_fence",
                    "put 0 -> 1 put 8 got 0 at 31 in MPI_Put, complete at 58 in MPI_Win_fence"}));
}

TEST(OneSided, ByTheBasicModelTransfersEndInTheirCalls) {
  EXPECT_EQ(seen(fences, RmaModel::basic),
            (Rows{"collective 2 of 2:", "collective 2 of 2: 0->1 1p 1g 0a 8/16 last 45",
                  "get 0 -> 1 put 0 got 16 at 41 in MPI_Get, complete at 45 in MPI_Get",
                  "put 0 -> 1 put 8 got 0 at 31 in MPI_Put, complete at 35 in MPI_Put"}));
}

// Figure 2 (b): one origin, two targets; nothing is done to the second one.
TEST(OneSided, AccessAndExposureEpochsFindEachOther) {
  const std::string text = mpi_window + R"(group 0 type=locations members=(0)
group 1 type=locations members=(1,2)
0 0 enter main
0 10 enter MPI_Win_start
0 10 rma_group_sync level=0x1 win=0 group=1
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Win_complete
0 35 rma_op_complete_nonblocking win=0 match=1
0 36 rma_group_sync level=0x3 win=0 group=1
0 38 exit
0 99 exit
1 0 enter main
1 5 enter MPI_Win_post
1 5 rma_group_sync level=0x1 win=0 group=0
1 6 exit
1 40 enter MPI_Win_wait
1 40 rma_group_sync level=0x3 win=0 group=0
1 44 exit
1 99 exit
2 0 enter main
2 8 enter MPI_Win_post
2 8 rma_group_sync level=0x1 win=0 group=0
2 9 exit
2 41 enter MPI_Win_wait
2 41 rma_group_sync level=0x3 win=0 group=0
2 45 exit
2 99 exit
)";
  for (const std::size_t chunk : {0, 1, 3})
    EXPECT_EQ(seen(text, RmaModel::extended, chunk),
              (Rows{"access 0 10-38: 1 posted 5 1 operations 2 posted 8 0 operations, 20 on #0",
                    "exposure 1 5-44: 0 10-38 1 operations", "exposure 2 8-45: 0 10-38 0 operations",
                    "put 0 -> 1 put 8 got 0 at 21 in MPI_Put, complete at 35 in MPI_Win_complete"}));
}

// Figure 2 (c), and a flush: the put is complete with the flush, the get with the unlock. Then a lock of all targets.
TEST(OneSided, LocksHoldTheirOperations) {
  const std::string text = mpi_window + R"(0 0 enter main
0 10 enter MPI_Win_lock
0 10 rma_request_lock win=0 remote=1 lock=0 type=exclusive
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Win_flush
0 35 rma_op_complete_remote win=0 match=1
0 38 exit
0 40 enter MPI_Get
0 41 rma_get win=0 remote=1 bytes=16 match=1
0 45 exit
0 50 enter MPI_Win_unlock
0 52 rma_release_lock win=0 remote=1 lock=0
0 55 exit
0 60 enter MPI_Win_lock_all
0 60 rma_request_lock win=0 remote=none lock=0 type=shared
0 62 exit
0 63 enter MPI_Fetch_and_op
0 64 rma_atomic win=0 remote=0 type=fetch_and_add sent=4 received=4 match=2
0 65 exit
0 70 enter MPI_Win_unlock_all
0 72 rma_release_lock win=0 remote=none lock=0
0 75 exit
0 99 exit
1 0 enter main
1 99 exit
)";
  EXPECT_EQ(seen(text),
            (Rows{"atomic 0 -> 0 put 4 got 4 at 64 in MPI_Fetch_and_op, complete at 72 in MPI_Win_unlock_all",
                  "get 0 -> 1 put 0 got 16 at 41 in MPI_Get, complete at 52 in MPI_Win_unlock",
                  "lock exclusive of 1 10-55 released 52: 1: 2 operations",
                  "lock shared of -1 60-75 released 72: 0: 1 operations",
                  "put 0 -> 1 put 8 got 0 at 21 in MPI_Put, complete at 35 in MPI_Win_flush"}));
}

// Figure 1: put and get between barriers of SHMEM.
TEST(OneSided, ShmemTransfersEndInTheirCallsUnlessTheExtendedModelIsAskedFor) {
  const std::string text = R"(region 0 name=main
region 1 name=shmem_barrier_all paradigm=shmem role=function
region 2 name=shmem_long_put paradigm=shmem role=function
region 3 name=shmem_long_get paradigm=shmem role=function
comm 0 paradigm=shmem members=all
rma_win 0 comm=0
0 0 enter main
0 10 enter shmem_long_put
0 11 rma_put win=0 remote=1 bytes=8 match=0
0 14 rma_op_complete_blocking win=0 match=0
0 15 exit
0 20 enter shmem_long_get
0 21 rma_get win=0 remote=1 bytes=16 match=0
0 24 rma_op_complete_blocking win=0 match=0
0 25 exit
0 30 enter shmem_barrier_all
0 31 rma_collective_begin
0 35 rma_op_complete_remote win=0 match=0
0 36 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
0 37 exit
0 99 exit
1 0 enter main
1 30 enter shmem_barrier_all
1 31 rma_collective_begin
1 36 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
1 37 exit
1 99 exit
)";
  const std::string get = "get 0 -> 1 put 0 got 16 at 21 in shmem_long_get, complete at 24 in shmem_long_get";
  const std::string barrier = "collective 3 of 2: 0->1 1p 1g 0a 8/16 last 25";
  EXPECT_EQ(seen(text),
            (Rows{barrier, get, "put 0 -> 1 put 8 got 0 at 11 in shmem_long_put, complete at 14 in shmem_long_put"}));
  EXPECT_EQ(
      seen(text, RmaModel::extended),
      (Rows{barrier, get, "put 0 -> 1 put 8 got 0 at 11 in shmem_long_put, complete at 35 in shmem_barrier_all"}));
}

// Copies of an accelerator have no calls at all.
TEST(OneSided, CopiesOfAnAcceleratorAreOperations) {
  EXPECT_EQ(seen("process 0\nlocation 0 process=0\nlocation 1 type=accelerator_stream process=0\n"
                 "comm 0 paradigm=cuda members=(0,1)\nrma_win 0 comm=0\n"
                 "0 0 enter main\n0 99 exit\n1 10 rma_put win=0 remote=0 bytes=64 match=42\n"
                 "1 20 rma_op_complete_blocking win=0 match=42\n"),
            (Rows{"put 1 -> 0 put 64 got 0 at 10 in nothing, complete at 20 in nothing"}));
}

TEST(OneSided, WhatNothingCompletesIsNotDelivered) {
  EXPECT_EQ(
      seen(mpi_window + "0 0 enter main\n0 10 enter MPI_Put\n0 11 rma_put win=0 remote=1 bytes=8 match=1\n0 12 exit\n"
                        "0 99 exit\n1 0 enter main\n1 99 exit\n"),
      Rows{});
}

}  // namespace
}  // namespace waitstate::one_sided
