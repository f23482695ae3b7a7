// The derived events of one-sided transfers, in the situations of figures 1 and 2 of Hermanns, Mohr and Wolf (Euro-Par
// 2005): their processes, times and links.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using Rows = std::vector<std::string>;

// Type, location, time; other process and bytes; the linked event; the region around it.
Rows transfers(const std::string& text, RmaModel model, std::size_t chunk_events = 0) {
  const support::TraceFile file(text);
  EventTraceOptions options;
  options.transfers = true;
  options.rma_model = model;
  options.chunk_events = chunk_events;
  const EventTrace trace(file.path(), options);
  Rows rows;
  Time last = 0;
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event e = trace.event(pos);
    EXPECT_GE(e.time, last) << trace.literal(pos);
    last = e.time;
    if (!is_derived(e.type)) continue;
    std::string row = fmt::format("{} at {} {}", name(e.type), e.loc.value, e.time);
    if (e.get("remote")) row += fmt::format(" with {}: {} bytes", *e.get("remote"), *e.get("bytes"));
    for (const Position link : {e.startptr, e.originptr})
      if (link != no_position) {
        const Event to = trace.event(link);
        row += fmt::format(", from {} at {} {}", name(to.type), to.loc.value, to.time);
      }
    if (e.enterptr != no_position) row += " in " + trace.definitions()[trace.event(e.enterptr).region()].name;
    rows.push_back(row);
  }
  return rows;
}

// A put and a get of location 0 between fences, which it leaves at 20 and 61; location 1 leaves the second fence at 65.
const std::string fences = R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
0 0 enter main
0 10 enter MPI_Win_fence
0 11 rma_collective_begin
0 20 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
0 20 exit
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
1 20 exit
1 50 enter MPI_Win_fence
1 51 rma_collective_begin
1 60 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
1 65 exit
1 99 exit
)";

TEST(Transfers, BetweenFencesEndWithTheSecondOne) {
  for (const std::size_t chunk : {0, 1, 5})
    EXPECT_EQ(transfers(fences, RmaModel::automatic, chunk),
              (Rows{"put_1ts at 0 31 with 1: 8 bytes in MPI_Put", "get_1to at 0 41 in MPI_Get",
                    "get_1ts at 1 41 with 0: 16 bytes, from get_1to at 0 41 in main",
                    "get_1te at 0 61 with 1: 16 bytes, from get_1ts at 1 41 in MPI_Win_fence",
                    "put_1te at 1 65 with 0: 8 bytes, from put_1ts at 0 31 in MPI_Win_fence"}));
}

// The target leaves the fence before the origin's record of the completion: the put still ends within the target's
// fence.
TEST(Transfers, OfAPutEndBeforeTheirTargetGoesOn) {
  std::string text = fences;
  text.replace(text.find("1 60 rma_collective_end"), 4, "1 54");
  text.replace(text.find("1 65 exit"), 9, "1 55 exit");
  EXPECT_EQ(transfers(text, RmaModel::automatic)[3],
            "put_1te at 1 55 with 0: 8 bytes, from put_1ts at 0 31 in MPI_Win_fence");
}

// The target has left its fence before the put is started, by its clock: the put ends where its origin completes it.
TEST(Transfers, OfAPutThatComesTooLateForItsTargetEndWithTheOriginsFence) {
  std::string text = fences;
  for (const auto& [from, to] : {std::pair{"1 50 enter", "1 22 enter"},
                                 {"1 51 rma", "1 23 rma"},
                                 {"1 60 rma", "1 24 rma"},
                                 {"1 65 exit", "1 25 exit"}})
    text.replace(text.find(from), std::string(from).size(), to);
  const Rows rows = transfers(text, RmaModel::automatic);
  EXPECT_EQ(rows[3], "put_1te at 1 61 with 0: 8 bytes, from put_1ts at 0 31 in main");
}

// The target's records end early: the put ends with the origin's next epoch.
TEST(Transfers, OfAPutWhoseTargetNeverComesEndWithTheOriginsNextFence) {
  std::string text = fences.substr(0, fences.find("1 50 enter")) + "1 99 exit\n";
  text.replace(text.find("0 99 exit"), 9,
               "0 70 enter MPI_Win_fence\n0 71 rma_collective_begin\n"
               "0 75 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0\n0 76 exit\n0 99 exit");
  const Rows rows = transfers(text, RmaModel::automatic);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[4], "put_1te at 1 76 with 0: 8 bytes, from put_1ts at 0 31 in main");
}

TEST(Transfers, EndInTheirCallsByTheBasicModel) {
  EXPECT_EQ(transfers(fences, RmaModel::basic),
            (Rows{"put_1ts at 0 31 with 1: 8 bytes in MPI_Put",
                  "put_1te at 1 35 with 0: 8 bytes, from put_1ts at 0 31 in main", "get_1to at 0 41 in MPI_Get",
                  "get_1ts at 1 41 with 0: 16 bytes, from get_1to at 0 41 in main",
                  "get_1te at 0 45 with 1: 16 bytes, from get_1ts at 1 41 in MPI_Get"}));
}

// The put is flushed, and the fetching atomic operation is complete only with the unlock. The recorder writes the
// release when the unlock is entered; the transfer ends when it is left.
TEST(Transfers, UnderALockEndWithFlushOrUnlock) {
  const std::string text = R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
0 0 enter main
0 10 enter MPI_Win_lock
0 10 rma_request_lock win=0 remote=1 lock=0 type=exclusive
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Win_flush
0 35 rma_op_complete_remote win=0 match=1
0 38 exit
0 40 enter MPI_Fetch_and_op
0 41 rma_atomic win=0 remote=1 type=fetch_and_add sent=4 received=4 match=1
0 45 exit
0 50 enter MPI_Win_unlock
0 50 rma_release_lock win=0 remote=1 lock=0
0 55 exit
0 99 exit
1 0 enter main
1 99 exit
)";
  EXPECT_EQ(transfers(text, RmaModel::extended),
            (Rows{"put_1ts at 0 21 with 1: 8 bytes in MPI_Put",
                  "put_1te at 1 38 with 0: 8 bytes, from put_1ts at 0 21 in main",
                  "put_1ts at 0 41 with 1: 4 bytes in MPI_Fetch_and_op", "get_1to at 0 41 in MPI_Fetch_and_op",
                  "get_1ts at 1 41 with 0: 4 bytes, from get_1to at 0 41 in main",
                  "put_1te at 1 55 with 0: 4 bytes, from put_1ts at 0 41 in main",
                  "get_1te at 0 55 with 1: 4 bytes, from get_1ts at 1 41 in MPI_Win_unlock"}));
}

TEST(Transfers, OfAnAccessEpochEndWithItsCompletion) {
  const std::string text = R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
group 0 type=locations members=(0)
group 1 type=locations members=(1)
0 0 enter main
0 10 enter MPI_Win_start
0 10 rma_group_sync level=0x1 win=0 group=1
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Win_complete
0 36 rma_group_sync level=0x3 win=0 group=1
0 38 exit
0 99 exit
1 0 enter main
1 5 enter MPI_Win_post
1 5 rma_group_sync level=0x1 win=0 group=0
1 6 exit
1 20 enter MPI_Win_wait
1 20 rma_group_sync level=0x3 win=0 group=0
1 44 exit
1 99 exit
)";
  EXPECT_EQ(transfers(text, RmaModel::automatic),
            (Rows{"put_1ts at 0 21 with 1: 8 bytes in MPI_Put",
                  "put_1te at 1 44 with 0: 8 bytes, from put_1ts at 0 21 in MPI_Win_wait"}));
}

// An access epoch without names of MPI's functions: the put shows which of the two epochs is the access epoch.
TEST(Transfers, OfAnEpochWithoutNamesEndWithIt) {
  const std::string text = R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
group 0 type=locations members=(0)
group 1 type=locations members=(1)
0 0 enter main
0 10 rma_group_sync level=0x0 win=0 group=1
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 26 enter MPI_Get
0 27 rma_get win=0 remote=1 bytes=16 match=2
0 28 exit
0 36 rma_group_sync level=0x2 win=0 group=1
0 99 exit
1 0 enter main
1 5 rma_group_sync level=0x0 win=0 group=0
1 40 rma_group_sync level=0x2 win=0 group=0
1 99 exit
)";
  const Rows rows = transfers(text, RmaModel::automatic);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[3], "get_1te at 0 36 with 1: 16 bytes, from get_1ts at 1 27 in main");
  EXPECT_EQ(rows[4], "put_1te at 1 40 with 0: 8 bytes, from put_1ts at 0 21 in main");
}

// An unsuccessful test and a failed attempt to get a lock complete nothing; neither does MPI_Win_sync.
TEST(Transfers, AreNotCompletedByWhatFails) {
  const std::string text = R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
0 0 enter main
0 10 enter MPI_Win_lock
0 10 rma_request_lock win=0 remote=1 lock=0 type=exclusive
0 11 rma_try_lock win=0 remote=1 lock=0 type=exclusive
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Test
0 31 rma_op_test win=0 match=1
0 32 exit
0 40 enter MPI_Win_sync
0 41 rma_sync win=0 remote=none sync=memory
0 42 exit
0 50 enter MPI_Win_unlock
0 50 rma_release_lock win=0 remote=1 lock=0
0 55 exit
0 99 exit
1 0 enter main
1 99 exit
)";
  EXPECT_EQ(transfers(text, RmaModel::extended), Rows{"put_1ts at 0 21 with 1: 8 bytes in MPI_Put"});
}

TEST(Transfers, OfShmemEndInTheirCallsOrByTheExtendedModelAtTheTarget) {
  const std::string text = R"(region 0 name=main
region 1 name=shmem_barrier_all paradigm=shmem role=function
region 2 name=shmem_long_put paradigm=shmem role=function
comm 0 paradigm=shmem members=all
rma_win 0 comm=0
0 0 enter main
0 10 enter shmem_long_put
0 11 rma_put win=0 remote=1 bytes=8 match=0
0 14 rma_op_complete_blocking win=0 match=0
0 15 exit
0 30 enter shmem_barrier_all
0 35 rma_op_complete_remote win=0 match=0
0 37 exit
0 99 exit
1 0 enter main
1 99 exit
)";
  EXPECT_EQ(transfers(text, RmaModel::automatic),
            (Rows{"put_1ts at 0 11 with 1: 8 bytes in shmem_long_put",
                  "put_1te at 1 15 with 0: 8 bytes, from put_1ts at 0 11 in main"}));
  EXPECT_EQ(transfers(text, RmaModel::extended),
            (Rows{"put_1ts at 0 11 with 1: 8 bytes in shmem_long_put",
                  "put_1te at 1 37 with 0: 8 bytes, from put_1ts at 0 11 in main"}));
}

TEST(Transfers, AreNotThereUnlessAskedFor) {
  const support::TraceFile file(fences);
  const EventTrace trace(file.path());
  for (Position pos = 0; pos < trace.size(); ++pos) EXPECT_FALSE(is_derived(trace.event(pos).type));
  EXPECT_EQ(trace.size(), 27u);
}

TEST(Transfers, OfAPrintedTraceAreDerivedAnew) {
  const std::string printed = fences + "1 99 put_1te win=0 remote=0 bytes=8 match=1\n";
  EXPECT_EQ(transfers(printed, RmaModel::automatic), transfers(fences, RmaModel::automatic));
}

}  // namespace
}  // namespace waitstate
