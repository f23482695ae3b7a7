#include "replay/open_calls.hpp"

#include "parts.hpp"

namespace waitstate::replay {
namespace {

TEST(OpenCalls, ACallIsToldWithItsFirstRecord) {
  Parts p;
  p.enter(0, work);
  p.enter(10, mpi_send);
  EXPECT_TRUE(p.calls.none());
  EXPECT_EQ(p.calls.call_of_record(false), 0u);
  EXPECT_EQ(p.calls.call_of_record(false), 0u);
  EXPECT_FALSE(p.calls.none());
  p.exit(15);
  EXPECT_TRUE(p.calls.none());
  p.enter(16, mpi_send);
  p.exit(17);
  ASSERT_EQ(p.chunk.calls.size(), 1u) << "none of a call without records";
  const CallRecord& call = p.chunk.calls[0];
  EXPECT_EQ(call.enter, 10u);
  EXPECT_EQ(call.exit, 15u);
  EXPECT_EQ(call.region, RegionId{mpi_send});
  EXPECT_EQ(call.function, MpiFunction::send);
  EXPECT_EQ(call.before, 1u);
  EXPECT_EQ(call.before_begin, 0u);
  EXPECT_EQ(call.before_end, 10u);
  EXPECT_EQ(p.calls.call_of_record(false), Frame::no_call) << "work is no MPI call";
}

TEST(OpenCalls, ARecordInNoCallIsACallThatTakesNoTime) {
  Parts p;
  const std::uint32_t callpath = p.enter(3, work);
  p.advance(5);
  EXPECT_EQ(p.calls.call_without_region(), 0u);
  EXPECT_EQ(p.chunk.calls[0].enter, 5u);
  EXPECT_EQ(p.chunk.calls[0].exit, 5u);
  EXPECT_EQ(p.chunk.calls[0].callpath, callpath);
  EXPECT_TRUE(p.calls.none());
}

TEST(OpenCalls, ABarrierCutByAChunksEndComesWholeInTheNext) {
  Parts p;
  p.activity().teams.push_back(false);
  p.enter(0, work);
  p.enter(10, barrier);
  p.chunk.task_times.push_back({0, 11, 12});
  ASSERT_EQ(p.chunk.team_records.size(), 1u);
  EXPECT_EQ(p.chunk.team_records[0].kind, TeamRecord::Kind::barrier);

  p.calls.cut(p.activity().stack);
  EXPECT_TRUE(p.chunk.team_records.empty());
  EXPECT_TRUE(p.chunk.task_times.empty());
  EXPECT_EQ(p.chunk.sync_since, 10u);
  p.chunk.clear();
  p.calls.begin_chunk();
  p.exit(30);

  ASSERT_EQ(p.chunk.sync_calls.size(), 1u);
  EXPECT_EQ(p.chunk.sync_calls[0].enter, 10u);
  EXPECT_EQ(p.chunk.sync_calls[0].exit, 30u);
  EXPECT_EQ(p.chunk.sync_calls[0].before_end, 10u);
  ASSERT_EQ(p.chunk.team_records.size(), 1u);
  EXPECT_EQ(p.chunk.team_records[0].call, 0u);
  EXPECT_EQ(p.chunk.team_records[0].time, 10u);
  ASSERT_EQ(p.chunk.task_times.size(), 1u);
  EXPECT_EQ(p.chunk.task_times[0].begin, 11u);
  EXPECT_TRUE(p.calls.none());
}

TEST(OpenCalls, AnyOtherCallIsCutInTwo) {
  Parts p;
  p.enter(0, mpi_send);
  p.calls.call_of_record(false);
  p.advance(8);
  p.calls.cut(p.activity().stack);
  EXPECT_EQ(p.chunk.calls[0].exit, 8u);
  EXPECT_TRUE(p.calls.none());
  p.chunk.clear();
  p.calls.begin_chunk();
  EXPECT_EQ(p.calls.call_of_record(false), 0u);
  p.exit(11);
  EXPECT_EQ(p.chunk.calls[0].enter, 0u);
  EXPECT_EQ(p.chunk.calls[0].exit, 11u);
}

TEST(OpenCalls, TheWaitInABarriersOwnRegionIsNotASecondBarrier) {
  Parts p;
  p.activity().teams.push_back(false);
  p.enter(0, barrier);
  p.enter(1, barrier_wait);
  p.exit(2);
  p.exit(3);
  EXPECT_EQ(p.chunk.sync_calls.size(), 1u);
}

// The interval before an MPI call: the longest interval since the last one, waits for locks between passed over.
TEST(OpenCalls, CallsOfMpiLookPastLockCalls) {
  Parts p;
  p.enter(0, work);
  p.enter(20, critical);  // work: 20
  p.calls.lock(TeamRecord::Kind::acquire, Paradigm::openmp, 1, 1);
  p.exit(21);
  p.enter(26, critical);  // work: 5
  p.calls.lock(TeamRecord::Kind::acquire, Paradigm::openmp, 1, 2);
  p.exit(27);
  p.send(30, 31);
  ASSERT_EQ(p.chunk.sync_calls.size(), 2u);
  EXPECT_EQ(p.chunk.sync_calls[0].before_begin, 0u);
  EXPECT_EQ(p.chunk.sync_calls[1].before_begin, 21u);
  EXPECT_EQ(p.chunk.sync_calls[1].before_end, 26u);
  EXPECT_EQ(p.chunk.calls[0].before_begin, 0u);
  EXPECT_EQ(p.chunk.calls[0].before_end, 20u);
  p.send(34, 35);
  EXPECT_EQ(p.chunk.calls[1].before_begin, 31u);
}

TEST(OpenCalls, ALockThatIsAcquiredInNoCallTakesNoTime) {
  Parts p;
  const std::uint32_t callpath = p.enter(0, work);
  p.advance(4);
  p.calls.lock(TeamRecord::Kind::acquire, Paradigm::pthread, 9, 2);
  ASSERT_EQ(p.chunk.sync_calls.size(), 1u);
  EXPECT_EQ(p.chunk.sync_calls[0].enter, 4u);
  EXPECT_EQ(p.chunk.sync_calls[0].exit, 4u);
  EXPECT_EQ(p.chunk.sync_calls[0].callpath, callpath);
  EXPECT_EQ(p.chunk.team_records[0].paradigm, Paradigm::pthread);
  EXPECT_EQ(p.chunk.team_records[0].lock, 9u);
  EXPECT_EQ(p.chunk.team_records[0].order, 2u);
}

TEST(OpenCalls, InitIsToldWithoutRecords) {
  Parts p;
  p.enter(0, work);
  p.enter(5, mpi_init);
  p.exit(9);
  ASSERT_EQ(p.chunk.init_finalize_calls.size(), 1u);
  EXPECT_EQ(p.chunk.init_finalize_calls[0].enter, 5u);
  EXPECT_EQ(p.chunk.init_finalize_calls[0].exit, 9u);
  EXPECT_EQ(p.chunk.initialised, 9u);
  EXPECT_TRUE(p.chunk.mpi_enters.empty());
}

TEST(OpenCalls, WhenTheLocationIsInMpiIsToldIfAskedFor) {
  Parts p({.mpi_calls = true});
  p.enter(0, mpi_send);
  p.enter(1, mpi_send);
  p.exit(2);
  EXPECT_EQ(p.calls.open_since(), 0u);
  p.next_chunk();
  p.exit(3);
  EXPECT_TRUE(p.chunk.mpi_enters.empty()) << "told in the chunk before";
  EXPECT_EQ(p.chunk.mpi_exits, std::vector<Time>{3});
  EXPECT_EQ(p.calls.open_since(), 3u);
}

TEST(OpenCalls, TheLongestIntervalOutsideOfParallelRegionsMayBeACall) {
  Parts p;
  p.enter(10, work);
  p.send(14, 30);
  p.advance(35);
  const PathInterval first = p.calls.end_outside_parallel_regions();
  EXPECT_EQ(first.begin, 10u) << "the first event";
  EXPECT_EQ(first.end, 35u);
  EXPECT_EQ(first.callpath, p.chunk.calls[0].callpath);
  p.advance(50);
  p.calls.begin_outside_parallel_regions();
  p.advance(52);
  const PathInterval second = p.calls.end_outside_parallel_regions();
  EXPECT_EQ(second.begin, 50u);
  EXPECT_EQ(second.callpath, p.activity().current);
}

}  // namespace
}  // namespace waitstate::replay
