// Where segments are attached does not depend on what is known first.
#include "link/threads/attachments.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

TEST(Attachments, ForkOutsideOfSegmentsIsHandedOutAtOnceAndOnce) {
  ProcessOfThreads p(2);
  Attachments attachments(p.paths, 2);
  attachments.fork_in({CommTeam{p.comm, 3}, {master, 0}, 2});
  const std::vector<Fork> forks = attachments.take_forks();
  ASSERT_EQ(forks.size(), 1u);
  EXPECT_EQ(std::get<CommTeam>(forks[0].team).number, 3u);
  EXPECT_EQ(p.name(attachments.call_path(forks[0].segment, forks[0].callpath)), "main/parallel");
  EXPECT_TRUE(attachments.take_forks().empty());
}

// A worker's segment in a team of the master's; in it a task that was created in its parallel region; in that a
// fork. Known in any order: the master's fork, where the task was created, the fork in the task.
TEST(Attachments, ForkInATaskInASegmentHasTheSameCallPathInEachOrder) {
  std::vector<int> order{0, 1, 2};
  do {
    ProcessOfThreads p(2);
    Attachments attachments(p.paths, 2);
    const SegmentRef segment = attachments.begin(worker, CommTeam{p.comm, 0}, 10);
    const SegmentRef task{worker, in_task};
    bool created = false;
    std::vector<Fork> forks;
    for (const int step : order) {
      EXPECT_TRUE(forks.empty());
      if (step == 0) attachments.attach(segment, p.paths.at(master, 2));
      if (step == 1) created = true;
      if (step == 2) attachments.fork_in({CommTeam{p.comm, 1}, task, 4, segment.number});
      if (created && attachments.attached(segment) && !attachments.attached(task))
        attachments.attach(task, attachments.call_path(segment, 5));
      for (const Fork& f : attachments.take_forks()) forks.push_back(f);
    }
    ASSERT_EQ(forks.size(), 1u);
    EXPECT_EQ(p.name(attachments.call_path(forks[0].segment, forks[0].callpath)),
              "main/parallel/parallel/task/parallel");
    EXPECT_TRUE(attachments.find({worker, forks[0].in_team})->attached);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Attachments, ForksComeInTheOrderInWhichTheyWereNoted) {
  ProcessOfThreads p(3);
  Attachments attachments(p.paths, 3);
  const auto task = [](std::uint32_t i) { return SegmentRef{worker, replay::TaskRecord::task_segment | i}; };
  for (std::uint32_t i = 0; i < 4; ++i) attachments.fork_in({CommTeam{p.comm, i}, task(i), 4});
  for (std::uint32_t i = 4; i-- > 0;) attachments.attach(task(i), p.paths.at(master, 2));
  const std::vector<Fork> forks = attachments.take_forks();
  ASSERT_EQ(forks.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(std::get<CommTeam>(forks[i].team).number, i);
}

TEST(Attachments, SegmentsAreForgottenWhenTheNextOneIsProcessed) {
  ProcessOfThreads p(2);
  Attachments attachments(p.paths, 2, true);
  const SegmentRef first = attachments.begin(worker, {}, 10), second = attachments.begin(worker, {}, 20);
  EXPECT_EQ(attachments.first_unattached(worker), first);
  attachments.attach(first, CallPathId::none());
  EXPECT_EQ(attachments.first_unattached(worker), second);
  EXPECT_FALSE(attachments.all_attached(worker));
  attachments.attach(second, p.paths.at(master, 1));
  EXPECT_TRUE(attachments.all_attached(worker));
  EXPECT_EQ(attachments.first_unattached(worker).number, 0u);
  attachments.process_next(worker);
  attachments.forget_processed(worker);
  EXPECT_NE(attachments.find(first), nullptr);  // it may go on in the next chunk
  EXPECT_EQ(attachments.process_next(worker).begin, 20u);
  attachments.forget_processed(worker);
  EXPECT_EQ(attachments.find(first), nullptr);
  EXPECT_EQ(attachments.current(worker), second);
  // For the merge, in the order of events.
  attachments.take(worker);
  EXPECT_EQ(attachments.take(worker), attachments.of(worker, second.number));
}

}  // namespace
}  // namespace waitstate::link
