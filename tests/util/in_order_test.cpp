#include "util/in_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace waitstate::util {
namespace {

TEST(MakeAndUseInOrder, UsesAllInTheirOrderWhoeverIsMadeFirst) {
  for (const std::size_t threads : {1, 2, 3, 16}) {
    std::string used;
    const auto make = [](std::size_t i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(i % 3 == 0 ? 5 : 0));
      return static_cast<char>('a' + i);
    };
    make_and_use_in_order(threads, 10, make, [&](char made) {
      used += made;
      return true;
    });
    EXPECT_EQ(used, "abcdefghij") << threads;
  }
}

TEST(MakeAndUseInOrder, EndsWhereNoMoreIsWanted) {
  std::vector<std::size_t> used;
  make_and_use_in_order(
      3, 10, [](std::size_t i) { return i; },
      [&](std::size_t i) {
        used.push_back(i);
        return i < 4;
      });
  EXPECT_EQ(used, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(MakeAndUseInOrder, TellsWhatFailed) {
  const auto make = [](std::size_t i) { return i == 5 ? throw std::runtime_error("five") : i; };
  std::size_t used = 0;
  const auto use = [&](std::size_t) { return ++used, true; };
  EXPECT_THROW(make_and_use_in_order(4, 10, make, use), std::runtime_error);
  EXPECT_EQ(used, 5u);
}

// Each waits until another is being made: with one thread at a time they would wait for ever.
TEST(MakeAndUseInOrder, MakesSeveralAtATimeToTheEnd) {
  std::atomic<std::size_t> begun = 0;
  const auto make = [&](std::size_t i) {
    ++begun;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (begun < std::min<std::size_t>(i + 2, 10) && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return begun >= std::min<std::size_t>(i + 2, 10);
  };
  std::size_t together = 0;
  make_and_use_in_order(2, 10, make, [&](bool with_another) { return together += with_another, with_another; });
  EXPECT_EQ(together, 10u);
}

TEST(MakeAndUseInOrder, HoldsNoMoreThanItHasThreads) {
  std::atomic<int> held = 0, most = 0;
  const auto make = [&](std::size_t i) {
    const int now = ++held;
    for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    return i;
  };
  make_and_use_in_order(3, 100, make, [&](std::size_t) { return --held, true; });
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 3);
}

}  // namespace
}  // namespace waitstate::util
