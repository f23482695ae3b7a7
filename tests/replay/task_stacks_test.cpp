// Explicit tasks in the event stream: the regions that a task has open are its own, on whatever location it goes on.
#include <gtest/gtest.h>

#include <vector>

#include "support/case_file.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using Stack = std::vector<Position>;

class TaskStacks : public testing::Test {
 protected:
  TaskStacks()
      : file_(
            support::read_case(std::filesystem::path(WAITSTATE_CASES) / "time/task_moves_between_threads.case").trace),
        trace_(file_.path()) {}

  /// The n-th task_switch of the trace.
  Position nth_switch(int n) const {
    for (Position p = 0; p < trace_.size(); ++p)
      if (trace_.event(p).type == EventType::thread_task_switch && n-- == 0) return p;
    return no_position;
  }

  support::TraceFile file_;
  EventTrace trace_;
};

TEST_F(TaskStacks, move_with_the_task) {
  const LocationId one{1}, zero{0};
  const Position begins = nth_switch(0), back = nth_switch(1), goes_on = nth_switch(2), ends = nth_switch(4);
  EXPECT_EQ(trace_.stack(one, begins), Stack{});
  const Stack of_task = trace_.stack(one, back - 1);
  ASSERT_EQ(of_task.size(), 2u);  // task, work
  EXPECT_EQ(trace_.stack(one, back).size(), 1u) << "the implicit task is in the parallel region";
  EXPECT_EQ(trace_.stack(zero, goes_on), of_task) << "thread 0 is where thread 1 had left the task";
  EXPECT_EQ(trace_.stack(one, goes_on).size(), 1u);
  const Stack later = trace_.stack(one, ends);
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(later.front(), of_task.front());
  EXPECT_NE(later.back(), of_task.back()) << "thread 0 has left that work and entered another";
}

TEST_F(TaskStacks, exits_lead_to_enters_on_other_threads) {
  int across = 0;
  for (Position p = 0; p < trace_.size(); ++p) {
    const Event e = trace_.event(p);
    if (e.type != EventType::exit) continue;
    ASSERT_NE(e.enterptr, no_position) << p;
    EXPECT_EQ(trace_.event(e.enterptr).callpath, e.callpath) << p;
    across += trace_.event(e.enterptr).loc != e.loc;
  }
  EXPECT_EQ(across, 2);  // work by thread 0 and by thread 1
}

}  // namespace
}  // namespace waitstate
