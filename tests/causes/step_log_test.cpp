// Steps come back in the order of their location, whatever the order of chunks, who has read them, and how much of them
// is in memory.
#include "causes/ideal/step_log.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace waitstate::causes {
namespace {

constexpr std::size_t one_page = 1;  // bytes in memory: all but a page is in the scratch file

replay::StepRecord step(Time t) {
  replay::StepRecord s;
  s.time = t;
  s.kind = replay::StepRecord::Kind::send;
  return s;
}

std::vector<replay::StepRecord> steps_of(const StepLog& log, std::size_t l) {
  std::vector<replay::StepRecord> all;
  StepLog::Reader reader;
  while (const auto s = reader.next(log, LocationId{l})) all.push_back(*s);
  return all;
}

std::vector<Time> times_of(const StepLog& log, std::size_t l) {
  std::vector<Time> times;
  for (const replay::StepRecord& s : steps_of(log, l)) times.push_back(s.time);
  return times;
}

TEST(StepLog, of_a_location_without_steps_has_none) {
  StepLog log(2, one_page);
  EXPECT_EQ(log.add(LocationId{0}, {}), 0u);
  EXPECT_TRUE(times_of(log, 0).empty());
  EXPECT_TRUE(times_of(log, 1).empty());
}

TEST(StepLog, keeps_the_order_of_each_location) {
  StepLog log(3, one_page);
  std::mt19937 random(1);
  std::vector<std::vector<Time>> expected(3);
  for (int chunk = 0; chunk < 400; ++chunk) {
    const std::size_t l = random() % 3;
    std::vector<replay::StepRecord> steps;
    for (std::size_t n = random() % 20; n > 0; --n) {
      expected[l].push_back(random());
      steps.push_back(step(expected[l].back()));
    }
    log.add(LocationId{l}, steps);
  }
  for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(times_of(log, l), expected[l]) << l;
}

TEST(StepLog, is_told_later_what_a_step_belongs_to) {
  StepLog log(2, one_page);
  const std::vector<replay::StepRecord> two{step(1), step(2)};
  log.add(LocationId{0}, two);
  const std::uint64_t first = log.add(LocationId{1}, two);
  for (int i = 0; i < 1000; ++i) log.add(LocationId{0}, two);
  log.set_other(static_cast<std::uint32_t>(first + 1), 7);
  log.set_number(static_cast<std::uint32_t>(first), 9);
  log.set_operation(0, {CommId{3}, CollectiveOp::bcast, 4, LocationId{1}});
  const auto of_1 = steps_of(log, 1);
  ASSERT_EQ(of_1.size(), 2u);
  EXPECT_EQ(of_1[0].number, 9u);
  EXPECT_EQ(of_1[0].other, replay::StepRecord::none);
  EXPECT_EQ(of_1[1].number, replay::StepRecord::none);
  EXPECT_EQ(of_1[1].other, 7u);
  const replay::StepRecord request = steps_of(log, 0).front();
  EXPECT_EQ(request.on, 3u);
  EXPECT_EQ(request.op, CollectiveOp::bcast);
  EXPECT_EQ(request.number, 4u);
  EXPECT_EQ(request.other, 1u);
}

// A step's name has only the low half of its number, which is its own again where the reader is.
TEST(StepLog, readers_know_the_numbers_that_were_given_out) {
  StepLog log(2, one_page);
  const std::vector<replay::StepRecord> one{step(1)};
  std::vector<std::uint32_t> given;
  for (int i = 0; i < 700; ++i) {
    log.add(LocationId{0}, one);
    given.push_back(static_cast<std::uint32_t>(log.add(LocationId{1}, one)));
  }
  StepLog::Reader reader;
  for (const std::uint32_t number : given) {
    ASSERT_TRUE(reader.next(log, LocationId{1}));
    EXPECT_EQ(reader.number(), number);
  }
}

TEST(StepLog, takes_over_what_another_worker_has_read) {
  StepLog first(3, one_page), second(3, one_page);
  const std::vector<replay::StepRecord> two{step(1), step(2)}, three{step(3), step(4), step(5)};
  first.add(LocationId{0}, two);
  second.add(LocationId{2}, three);
  second.add(LocationId{1}, two);
  second.add(LocationId{2}, two);
  first.join(second, {LocationId{1}, LocationId{2}});
  EXPECT_EQ(times_of(first, 0), (std::vector<Time>{1, 2}));
  EXPECT_EQ(times_of(first, 1), (std::vector<Time>{1, 2}));
  EXPECT_EQ(times_of(first, 2), (std::vector<Time>{3, 4, 5, 1, 2}));
}

}  // namespace
}  // namespace waitstate::causes
