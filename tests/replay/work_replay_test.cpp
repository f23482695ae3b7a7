// Time per call path between cuts, and what of a worker's time does not count.
#include "replay/for_causes/work_replay.hpp"

#include <fmt/format.h>

#include "parts.hpp"

namespace waitstate::replay {
namespace {

struct WorkParts : Parts {
  WorkParts() { log.turn_on(); }

  void enter(Time t, TestRegion region) {
    profiles.advance(t, activity());
    const std::uint32_t callpath = stack.child(region);
    log.enter(callpath);
    stack.push(callpath, t);
  }
  void leave(Time t) {
    profiles.advance(t, activity());
    const std::uint32_t callpath = activity().current;
    stack.pop();
    log.exit(callpath);
  }
  void at(Time t) { profiles.advance(t, activity()); }
  /// "region:ticks … |time …": up to each cut what was done. The last one is the end.
  std::string told(bool last = true) {
    log.end(last);
    std::string text;
    std::size_t next = 0;
    const auto put = [&](std::size_t until) {
      for (; next < until; ++next)
        text += fmt::format("{}:{} ", definitions.regions[stack.region(chunk.work_shares[next].callpath).index()].name,
                            chunk.work_shares[next].ticks);
    };
    for (const WorkCutRecord& c : chunk.work_cuts) {
      put(c.shares);
      text += fmt::format("|{} ", c.time);
    }
    put(chunk.work_shares.size());
    chunk.clear();
    return text;
  }

  WorkReplay log{stack};
};

TEST(WorkReplay, CutsWhereCallsOfMpiAreEntered) {
  WorkParts p;
  p.enter(10, work);
  p.enter(15, mpi_send);
  p.leave(18);
  p.enter(20, work);
  p.leave(27);
  p.enter(30, mpi_send);
  p.leave(31);
  p.leave(40);
  EXPECT_EQ(p.told(), "work:5 |15 MPI_Send:3 work:5 work:7 |30 MPI_Send:1 work:9 |40 ");
}

TEST(WorkReplay, GoesOnInTheNextChunk) {
  WorkParts p;
  p.enter(10, work);
  p.at(12);
  EXPECT_EQ(p.told(false), "");
  p.enter(15, mpi_send);
  p.leave(18);
  EXPECT_EQ(p.told(false), "work:5 |15 MPI_Send:3 ");
  p.leave(40);
  EXPECT_EQ(p.told(), "work:22 |40 ");
}

TEST(WorkReplay, LeavesOutAWorkersTimeAfterItsLastBarrier) {
  WorkParts p;
  p.at(5);
  p.log.begin_part(CommId{0});
  p.enter(10, parallel);
  p.enter(12, barrier);
  p.leave(14);
  p.enter(15, mpi_send);
  p.leave(16);
  EXPECT_EQ(p.told(false), "|10 parallel:2 |12 ");
  p.enter(20, barrier);
  p.leave(29);
  p.enter(30, mpi_send);
  p.leave(31);
  p.leave(40);
  EXPECT_EQ(p.told(), "barrier:2 parallel:1 |15 MPI_Send:1 parallel:4 |20 |30 |40 ");
}

TEST(WorkReplay, TheMastersTimeUpToTheJoinIsTheRegions) {
  WorkParts p;
  p.enter(10, work);
  p.at(20);
  p.log.fork();
  p.enter(23, parallel);
  p.leave(30);
  p.at(34);
  p.log.join();
  p.leave(40);
  EXPECT_EQ(p.chunk.work_marks.size(), 3u);
  EXPECT_EQ(p.told(), "work:10 |20 |23 parallel:11 |34 work:6 |40 ");
}

}  // namespace
}  // namespace waitstate::replay
