#include "util/in_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace waitstate::util {
namespace {

TEST(InThreads, EachItemIsDoneOnce) {
  for (const std::size_t threads : {0, 1, 3, 20}) {
    std::vector<std::atomic<int>> done(10);
    in_threads(threads, done.size(), [&](std::size_t item, std::size_t thread) {
      EXPECT_TRUE(thread == 0 || thread < threads);
      ++done[item];
    });
    for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1) << threads;
  }
}

TEST(InThreads, AFailureIsToldWhenAllHaveEnded) {
  for (const std::size_t threads : {1, 4}) {
    std::atomic<int> at_work = 0;
    const auto work = [&](std::size_t item, std::size_t) {
      ++at_work;
      if (item == 2) {
        --at_work;
        throw std::runtime_error("no more");
      }
      --at_work;
    };
    try {
      in_threads(threads, 1000, work);
      ADD_FAILURE() << threads;
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(e.what(), std::string("no more"));
    }
    EXPECT_EQ(at_work, 0);
  }
}

}  // namespace
}  // namespace waitstate::util
