#include "replay/threads/task_replay.hpp"

#include "thread_parts.hpp"

namespace waitstate::replay {
namespace {

using TaskKind = TaskRecord::Kind;

struct Tasks : ThreadParts {
  void switch_to(Time t, std::uint64_t task) { record(EventType::thread_task_switch, t, task); }
  void complete(Time t, std::uint64_t task) { record(EventType::thread_task_complete, t, task); }
  void record(EventType type, Time t, std::uint64_t task) {
    advance(t);
    tasks.task_record(type, CommId{0}, task, task == 0);
  }
  std::vector<TaskKind> kinds() const {
    std::vector<TaskKind> all;
    for (const TaskRecord& r : chunk.task_records) all.push_back(r.kind);
    return all;
  }
  TaskReplay tasks{stack, calls, counters};
};

TEST(TaskReplay, ATaskIsExecutedInABarrierAndTheThreadGoesOnWaiting) {
  Tasks p;
  p.activity().teams.push_back(false);
  const std::uint32_t waiting = p.enter(10, barrier);
  p.switch_to(12, 5);
  EXPECT_TRUE(p.activity().stack.empty());
  EXPECT_TRUE(p.activity().in_task());
  const std::uint32_t inside = p.enter(13, work);
  p.exit(19);
  p.complete(20, 5);
  EXPECT_EQ(p.activity().current, waiting);
  EXPECT_FALSE(p.activity().in_task());
  EXPECT_TRUE(p.tasks.interrupted().empty());
  p.exit(30);

  EXPECT_EQ(p.kinds(), (std::vector{TaskKind::begin, TaskKind::end}));
  const TaskRecord &begin = p.chunk.task_records[0], &end = p.chunk.task_records[1];
  EXPECT_EQ(begin.task, 5u);
  EXPECT_EQ(begin.callpath, waiting);
  EXPECT_EQ(begin.number, end.number);
  EXPECT_TRUE(end.completed);
  EXPECT_EQ(end.outermost, inside);
  EXPECT_EQ(end.depth, 0u);
  EXPECT_EQ(end.profiles, 2u) << "the task's root, and work";
  ASSERT_EQ(p.chunk.task_times.size(), 1u);
  EXPECT_EQ(p.chunk.task_times[0].call, 0u);
  EXPECT_EQ(p.chunk.task_times[0].begin, 12u);
  EXPECT_EQ(p.chunk.task_times[0].end, 20u);
  EXPECT_EQ(p.profiles[waiting].time, 2 + 10);
}

TEST(TaskReplay, AnotherTaskTakesTheOnesPlace) {
  Tasks p;
  p.enter(10, taskwait);
  p.switch_to(12, 5);
  p.enter(13, work);
  p.switch_to(14, 6);
  EXPECT_EQ(p.tasks.interrupted().size(), 1u) << "only what the first has interrupted";
  EXPECT_EQ(p.kinds(), (std::vector{TaskKind::begin, TaskKind::end, TaskKind::begin}));
  EXPECT_FALSE(p.chunk.task_records[1].completed);
  EXPECT_EQ(p.chunk.task_records[1].depth, 1u) << "work is open, and goes on elsewhere";
  p.switch_to(15, 0);
  EXPECT_EQ(p.activity().stack.size(), 1u);
}

TEST(TaskReplay, ATaskThatHasForkedATeamIsInterrupted) {
  Tasks p;
  p.enter(10, taskwait);
  p.switch_to(12, 5);
  p.enter(13, work);
  p.teams.fork(2);
  p.switch_to(14, 6);
  EXPECT_EQ(p.tasks.interrupted().size(), 2u);
  EXPECT_EQ(p.kinds(), (std::vector{TaskKind::begin, TaskKind::part, TaskKind::begin}));
  p.complete(16, 6);
  EXPECT_EQ(p.activity().forks.size(), 1u);
  EXPECT_EQ(p.activity().task.number, 5u);
  p.tasks.give_up_task();
  EXPECT_TRUE(p.tasks.interrupted().empty());
  EXPECT_EQ(p.activity().stack.size(), 1u);
}

TEST(TaskReplay, ARegionThatWasEnteredInAnEarlierSegmentIsLeftOneUpFromTheRoot) {
  Tasks p;
  p.enter(10, taskwait);
  p.switch_to(12, 5);
  const std::uint32_t root = p.activity().base;
  const std::uint32_t up = p.tasks.exit_outside_segment(RegionId{work});
  EXPECT_NE(up, root);
  EXPECT_EQ(p.activity().base, up);
  EXPECT_EQ(p.stack.tree().parent(up), root);
  EXPECT_TRUE(p.chunk.call_paths.back().up);
  EXPECT_EQ(p.chunk.call_paths.back().region, RegionId{work});
  for (int i = 0; i < 300; ++i) p.tasks.exit_outside_segment(RegionId{work});
  EXPECT_GT(p.count(DiagnosticId::exit_without_enter), 0u) << "there is a limit";
}

TEST(TaskReplay, ACreatedThreadIsATaskOfAllThatItDoes) {
  Tasks p;
  p.advance(1);
  p.tasks.thread_record(EventType::thread_begin, CommId{0}, 3);
  EXPECT_TRUE(p.activity().task.thread);
  p.enter(2, work);
  p.exit(7);
  p.advance(8);
  p.tasks.thread_record(EventType::thread_end, CommId{0}, 4);  // a record of another one
  EXPECT_TRUE(p.activity().in_task());
  p.tasks.thread_record(EventType::thread_end, CommId{0}, 3);
  EXPECT_FALSE(p.activity().in_task());
  EXPECT_EQ(p.kinds(), (std::vector{TaskKind::begin, TaskKind::end}));
  EXPECT_TRUE(p.chunk.task_records[1].thread && p.chunk.task_records[1].completed);
}

}  // namespace
}  // namespace waitstate::replay
