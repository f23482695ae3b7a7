// When no task was ready, and who ended that.
#include "link/threads/idle_threads.hpp"

#include <gtest/gtest.h>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

using Kind = replay::TaskRecord::Kind;

struct Idle : ProcessOfThreads {
  Idle() : ProcessOfThreads(2) {}
  void wait(Time enter, Time exit, std::vector<TimeSpan> tasks = {}) {
    const std::uint32_t id = call(1, enter, exit);
    idle.add(comm, id, std::move(tasks));
    calls.release(id);
  }
  IdleThreads idle{definitions, processes, calls, &heard};
};

// A task is created at 10 and 50 and begun at once; the worker waits from 20 to 60.
TEST(IdleThreads, WaitForTheNextTaskToBeCreated) {
  Idle w;
  ASSERT_TRUE(w.idle.wanted());
  for (const Time t : {10u, 50u}) {
    w.idle.created(master, task_record(Kind::create, t, t, 2), w.paths.at(master, 2));
    w.idle.begun(master, task_record(Kind::begin, t, t, 2));
  }
  w.wait(20, 60);
  w.idle.deliver(ProcessId{0}, 60);  // a record of that time may come
  EXPECT_TRUE(w.heard.rows.empty());
  w.idle.deliver(ProcessId{0}, 61);
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"idle 1 20-50 created by 0", "idle 1 50-60 ended by nobody"}));
  EXPECT_EQ(w.calls.alive(), 0u);
}

// The worker executes a task itself from 30 to 35; the last running one ends at 40, and none comes.
TEST(IdleThreads, WaitForTheLastTaskToEnd) {
  Idle w;
  w.idle.created(master, task_record(Kind::create, 1, 10, 2), CallPathId::none());
  w.idle.begun(master, task_record(Kind::begin, 1, 10, 2));
  w.idle.ended(master, task_record(Kind::end, 1, 40, 2), CallPathId::none());
  w.wait(20, 60, {{30, 35}});
  w.idle.deliver(ProcessId{0}, ~Time{0});
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"idle 1 20-30 ended by 0", "idle 1 35-40 ended by 0"}));
}

TEST(IdleThreads, AreNotIdleWhileATaskIsReady) {
  Idle w;
  w.idle.created(master, task_record(Kind::create, 1, 10, 2), CallPathId::none());
  w.wait(20, 60);
  w.idle.deliver(ProcessId{0}, ~Time{0});
  EXPECT_TRUE(w.heard.rows.empty());
}

TEST(IdleThreads, NothingIsNotedWithoutListener) {
  ProcessOfThreads p(2);
  EXPECT_FALSE(IdleThreads(p.definitions, p.processes, p.calls, nullptr).wanted());
}

}  // namespace
}  // namespace waitstate::link
