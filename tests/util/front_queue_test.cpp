// FrontQueue against std::deque and std::set, through phases in which it grows, shrinks and becomes empty.
#include "util/front_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace waitstate::util {
namespace {

std::uint32_t next_number(std::uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return static_cast<std::uint32_t>(state >> 33);
}

TEST(front_queue, gives_what_was_put_in_and_in_that_order) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::uint64_t state = seed;
    FrontQueue<std::uint32_t> queue;
    std::deque<std::uint32_t> expected;
    for (int step = 0; step < 4000; ++step) {
      const bool grows = step / 400 % 2 == 0;
      if (next_number(state) % 4 < (grows ? 3 : 1)) {
        expected.push_back(next_number(state));
        queue.push_back(expected.back());
      } else if (!expected.empty()) {
        ASSERT_EQ(queue.front(), expected.front());
        queue.pop_front();
        expected.pop_front();
      }
      ASSERT_EQ(queue.size(), expected.size());
      ASSERT_EQ(queue.empty(), expected.empty());
      if (!expected.empty()) {
        const std::size_t i = next_number(state) % expected.size();
        ASSERT_EQ(queue[i], expected[i]);
      }
    }
    ASSERT_TRUE(std::equal(queue.begin(), queue.end(), expected.begin(), expected.end()));
    queue.clear();
    EXPECT_TRUE(queue.empty());
  }
}

TEST(front_queue, stays_in_order) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::uint64_t state = seed;
    FrontQueue<std::uint32_t> queue;
    std::set<std::uint32_t> expected;
    std::uint32_t base = 0;
    for (int step = 0; step < 2000; ++step) {
      const std::uint32_t number = base + next_number(state) % 50;
      if (expected.insert(number).second) queue.insert_in_order(number);
      const std::uint32_t gone = next_number(state) % 2 == 0 ? *expected.begin() : base + next_number(state) % 50;
      expected.erase(gone);
      queue.erase_in_order(gone);  // whether it is there or not
      if (step % 3 == 0) ++base;
      ASSERT_TRUE(std::equal(queue.begin(), queue.end(), expected.begin(), expected.end()));
      if (expected.empty()) expected.insert(base), queue.insert_in_order(base);
    }
  }
}

}  // namespace
}  // namespace waitstate::util
