// Steps of one location, and the time outside of MPI until each.
#include "replay/for_causes/step_replay.hpp"

#include <fmt/format.h>

#include "parts.hpp"

namespace waitstate::replay {
namespace {

struct StepParts : Parts {
  StepParts() : Parts({.steps = true}) {}

  void in(Time t, TestRegion region) { steps.enter(enter(t, region)); }
  void out(Time t) {
    const std::uint32_t callpath = activity().current;
    exit(t);
    steps.exit(callpath);
  }
  void record(Time t, EventType type) {
    advance(t);
    CommRecord r;
    r.type = type;
    steps.record(r);
    last = r.step;
  }
  void lock(Time t, EventType type) {
    advance(t);
    RmaRecord r;
    r.type = type;
    r.win = RmaWinId{0};
    r.call = static_cast<std::uint32_t>(chunk.calls.size());
    chunk.calls.emplace_back().number = static_cast<std::uint16_t>(t);
    steps.record(r);
  }
  /// "kind time/outside …"
  std::string told() {
    std::string text;
    for (const StepRecord& s : chunk.steps)
      text += fmt::format("{} {}/{} ", static_cast<int>(s.kind), s.time, s.outside);
    return text;
  }
  static std::string kind(StepRecord::Kind k) { return std::to_string(static_cast<int>(k)); }

  StepReplay steps{stack};
  std::uint32_t last = 0;  ///< number of the latest step with a record
};

using enum StepRecord::Kind;

TEST(StepReplay, counts_the_time_outside_of_mpi) {
  StepParts p;
  p.in(10, work);
  p.in(15, mpi_send);
  p.record(16, EventType::send);
  p.out(20);
  p.in(27, mpi_send);
  p.record(30, EventType::isend);
  p.out(31);
  p.record(33, EventType::recv);
  EXPECT_EQ(p.told(), fmt::format("{} 10/0 {} 16/5 {} 30/12 {} 33/14 ", p.kind(begin), p.kind(send), p.kind(send),
                                  p.kind(receive)));
  EXPECT_EQ(p.last, 3u);
}

// A function that an MPI call calls back is the program's own.
TEST(StepReplay, regions_within_a_call_are_outside_of_mpi) {
  StepParts p;
  p.in(0, mpi_send);
  p.in(10, work);
  p.out(15);
  p.record(20, EventType::send);
  EXPECT_EQ(p.chunk.steps.back().outside, 5);
}

TEST(StepReplay, enter_and_exit_of_mpi_init_are_steps_of_one_call) {
  StepParts p;
  p.in(5, mpi_init);
  p.in(6, mpi_init);
  p.out(7);
  p.out(9);
  ASSERT_EQ(p.chunk.steps.size(), 5u);
  EXPECT_EQ(p.chunk.steps[3].kind, exit_world);
  EXPECT_EQ(p.chunk.steps[3].other, 6u);
  EXPECT_EQ(p.chunk.steps[4].other, 5u);
  EXPECT_EQ(p.chunk.steps[4].number, 0u);
}

TEST(StepReplay, a_lock_is_a_step_of_its_call_and_of_its_exit) {
  StepParts p;
  p.lock(1, EventType::rma_request_lock);  // outside of MPI: nobody's
  p.in(2, mpi_send);
  p.lock(3, EventType::rma_request_lock);
  p.out(8);
  p.in(9, mpi_send);
  p.out(10);
  EXPECT_EQ(p.told(),
            fmt::format("{} 2/0 {} 3/0 {} 3/0 {} 8/0 ", p.kind(begin), p.kind(call), p.kind(lock), p.kind(exit_lock)));
  EXPECT_EQ(p.chunk.steps[1].other, 2u);
  EXPECT_EQ(p.chunk.steps[1].number, 3u);
  EXPECT_EQ(p.chunk.steps[3].other, 2u);
  EXPECT_EQ(p.chunk.steps[3].number, 3u);
}

TEST(StepReplay, records_that_nobody_needs_are_no_steps) {
  StepParts p;
  p.in(0, mpi_send);
  for (const EventType type : {EventType::irecv_request, EventType::isend_complete, EventType::collective_begin,
                               EventType::request_test, EventType::probe})
    p.record(1, type);
  EXPECT_EQ(p.chunk.steps.size(), 1u);
}

}  // namespace
}  // namespace waitstate::replay
