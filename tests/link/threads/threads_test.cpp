// Teams and tasks that wait for each other, through the one loop.
#include "link/threads/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

using Kind = replay::TaskRecord::Kind;

// The master forks for thread 1, which creates a task in the team, executes it, and in it forks for thread 2.
std::vector<replay::Chunk> fork_in_a_task() {
  replay::TaskRecord begin = task_record(Kind::begin, 5, 24, 4, 1);
  begin.number = in_task;
  replay::TeamRecord inner = fork_at(25, 4, in_task), last = begin_segment_at(30);
  inner.team = last.team = CommId{1};
  return {chunk_of(0, {fork_at(10, 2), join_at(90)}, {}, 90, true),
          chunk_of(1, {begin_segment_at(20), inner, join_at(50), end_segment_at(60)},
                   {task_record(Kind::create, 5, 22, 5, 1), begin}, 90, true),
          chunk_of(2, {last, end_segment_at(40)}, {}, 90, true)};
}

struct WithThreads : ProcessOfThreads {
  WithThreads() : ProcessOfThreads(3) {
    definitions.comms.resize(2);
    definitions.comms[0].members = {LocationId{0}, LocationId{1}};
    definitions.comms[1].members = {LocationId{1}, LocationId{2}};
    threads = std::make_unique<Threads>(definitions, processes, paths, calls, diagnostics, &heard, false);
  }
  std::string where(std::size_t thread, std::uint32_t segment) {
    return name(paths.at(LocationId{thread}, threads->attachment(LocationId{thread}, segment), 3));
  }
  std::unique_ptr<Threads> threads;
};

TEST(Threads, AForkInATaskInATeamIsResolvedInEachOrder) {
  const std::vector<replay::Chunk> chunks = fork_in_a_task();
  std::vector<std::size_t> order{0, 1, 2};
  do {
    WithThreads w;
    for (const std::size_t i : order) w.threads->scan(chunks[i]);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(w.threads->resolved(LocationId{i})) << i;
    EXPECT_EQ(w.where(1, 1), "main/parallel");
    EXPECT_EQ(w.where(1, in_task), "main/parallel/parallel/task");
    EXPECT_EQ(w.where(2, 1), "main/parallel/parallel/task/parallel");
    for (const std::size_t i : order) w.threads->process(chunks[i]);
    w.threads->finish();
    EXPECT_EQ(w.calls.alive(), 0u);
  } while (std::next_permutation(order.begin(), order.end()));
}

// The outermost fork is missing: threads that wait for it, through tasks and teams, go on when it is given up.
TEST(Threads, WhatWaitsForAMissingForkGoesOnWhenItIsGivenUp) {
  const std::vector<replay::Chunk> chunks = fork_in_a_task();
  WithThreads w;
  w.threads->scan(chunks[2]);
  w.threads->scan(chunks[1]);
  EXPECT_FALSE(w.threads->resolved(LocationId{1}));
  EXPECT_FALSE(w.threads->resolved(LocationId{2}));
  EXPECT_EQ(w.threads->awaited(LocationId{2}), LocationId{1});
  EXPECT_EQ(w.threads->awaited(LocationId{1}), LocationId{0});
  w.threads->scan(chunk_of(0, {}, {}, 90, true));  // without a fork
  EXPECT_TRUE(w.threads->resolved(LocationId{1}));
  EXPECT_TRUE(w.threads->resolved(LocationId{2}));
  EXPECT_EQ(w.where(1, 1), "");
  EXPECT_EQ(w.where(1, in_task), "parallel/task");
  EXPECT_EQ(w.where(2, 1), "parallel/task/parallel");
}

}  // namespace
}  // namespace waitstate::link
