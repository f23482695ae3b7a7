// Where tasks are, from records of several threads in any order.
#include "link/threads/tasks.hpp"

#include <gtest/gtest.h>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

using Kind = replay::TaskRecord::Kind;

struct WithTasks : ProcessOfThreads {
  WithTasks() : ProcessOfThreads(2) {}
  Attachments attachments{paths, 2};
  IdleThreads idle{definitions, processes, calls, nullptr};
  Tasks tasks{processes, paths, attachments, idle, diagnostics, nullptr};

  static replay::TaskRecord begin(std::uint64_t task, Time t) {
    replay::TaskRecord r = task_record(Kind::begin, task, t, 0);
    r.number = in_task;
    return r;
  }
  std::string where() { return name(attachments.call_path({worker, in_task}, 3)); }
};

// The thread that executes the task has been read first: it waits for whom creates it.
TEST(Tasks, AreWhereTheyWereCreatedOnAnotherThread) {
  WithTasks w;
  w.tasks.scan(chunk_of(1, {}, {WithTasks::begin(5, 20)}, 30, true));
  w.tasks.order(worker);
  EXPECT_FALSE(w.tasks.resolved(worker));
  EXPECT_EQ(w.tasks.awaited(worker), master);
  w.tasks.scan(chunk_of(0, {}, {task_record(Kind::create, 5, 10, 2)}, 15));
  w.tasks.order(master);
  EXPECT_FALSE(w.tasks.resolved(worker));  // an earlier record may come
  w.tasks.scan(chunk_of(0, {}, {}, 21));
  w.tasks.order(master);
  EXPECT_TRUE(w.tasks.resolved(worker));
  EXPECT_EQ(w.where(), "main/parallel");
}

TEST(Tasks, CreatedInASegmentWaitForItsFork) {
  WithTasks w;
  const SegmentRef segment = w.attachments.begin(worker, {}, 5);
  w.tasks.scan(chunk_of(0, {}, {}, 30, true));
  w.tasks.scan(chunk_of(1, {}, {task_record(Kind::create, 5, 10, 5, segment.number), WithTasks::begin(5, 20)}, 30));
  w.tasks.order(worker);
  EXPECT_FALSE(w.tasks.resolved(worker));
  w.attachments.attach(segment, w.paths.at(master, 1));
  w.tasks.order(worker);
  EXPECT_TRUE(w.tasks.resolved(worker));
  EXPECT_EQ(w.where(), "main/parallel/task");
}

TEST(Tasks, ThatNobodyCreatedBeginWhereTheThreadIs) {
  WithTasks w;
  w.tasks.scan(chunk_of(0, {}, {}, 30, true));
  replay::TaskRecord begin = WithTasks::begin(5, 20);
  begin.callpath = 1;
  w.tasks.scan(chunk_of(1, {}, {begin}, 30));
  w.tasks.order(worker);
  EXPECT_EQ(w.where(), "main");
  EXPECT_EQ(w.diagnostics[DiagnosticId::task_unknown].count, 1u);
}

TEST(Tasks, ThatAreNeverCompletedAreCounted) {
  WithTasks w;
  w.tasks.scan(chunk_of(0, {}, {task_record(Kind::create, 5, 10, 2), task_record(Kind::create, 6, 11, 2)}, 30));
  w.tasks.scan(chunk_of(1, {}, {task_record(Kind::complete, 6, 25, 0)}, 30));
  w.tasks.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::task_never_completed].count, 1u);
}

}  // namespace
}  // namespace waitstate::link
