// Sends to other workers under their numbers: in memory, spilled, brought back, and what is left in the end.
#include "link/messages/away_sends.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct Sends {
  /// A send to another worker, which may be spilled if it has `completed` in its own call.
  std::uint32_t send(Time t, bool completed = true) {
    const CallRef call = support::add_call(calls, 0, t, t + 5);
    const MessageRef m = messages.add();
    messages[m].has_send = true;
    messages[m].send_call = call;
    messages[m].send_time = t;
    calls.keep(call);
    if (completed) messages.complete_send(m, call);
    calls[call].records_left = 0;
    return away.add(m);
  }
  Time take(std::uint32_t number) {
    const MessageRef m = away.take(number);
    EXPECT_EQ(calls[messages[m].send_call].call.enter, messages[m].send_time);
    return messages[m].send_time;
  }
  /// Send times of those that were left, in memory and spilled.
  std::pair<std::vector<Time>, std::vector<Time>> rest() {
    std::pair<std::vector<Time>, std::vector<Time>> times;
    away.take_rest([&](MessageRef m) { times.first.push_back(messages[m].send_time); },
                   [&](const SpilledSends::Send& s) { times.second.push_back(s.message.send_time); });
    return times;
  }

  Calls calls;
  Messages messages{calls};
  SpilledSends spilled{messages, calls, 4};
  AwaySends away{spilled};
};

constexpr std::uint32_t page = 256;  // numbers of a page

TEST(AwaySends, AFullPageIsSpilledAndComesBackOneByOne) {
  Sends s;
  std::vector<std::uint32_t> numbers;
  for (Time t = 0; t < page + 1; ++t) numbers.push_back(s.send(t));
  s.away.spill();
  EXPECT_EQ(s.spilled.size(), page);
  EXPECT_EQ(s.messages.alive(), 1u) << "the newest page stays";
  for (const std::uint32_t i : {255u, 0u, 64u, 63u, 256u}) EXPECT_EQ(s.take(numbers[i]), i);
  EXPECT_EQ(s.messages.alive(), 5u);
  const auto [in_memory, spilled] = s.rest();
  EXPECT_TRUE(in_memory.empty());
  EXPECT_EQ(spilled.size(), page - 4);
  EXPECT_EQ(spilled.front(), 1u);
  EXPECT_EQ(spilled.back(), 254u);
  EXPECT_EQ(s.spilled.size(), 0u);
}

TEST(AwaySends, WhatMayNotGoStaysInMemory) {
  Sends s;
  std::vector<std::uint32_t> numbers;
  for (Time t = 0; t <= page; ++t) numbers.push_back(s.send(t, t % 8 != 0));
  for (const std::uint32_t answered : {8u, 9u}) s.take(numbers[answered]);
  s.away.spill();
  EXPECT_EQ(s.spilled.size(), page - page / 8 - 1);
  for (const std::uint32_t i : {16u, 17u, 23u, 24u}) EXPECT_EQ(s.take(numbers[i]), i);
  const auto [in_memory, spilled] = s.rest();
  EXPECT_EQ(in_memory.size(), page / 8 - 3 + 1);
  EXPECT_EQ(spilled.size(), page - page / 8 - 1 - 2);
}

TEST(AwaySends, APageOfWhichMuchMayNotGoWaits) {
  Sends s;
  for (Time t = 0; t <= page; ++t) s.send(t, t % 2 == 0);
  s.away.spill();
  EXPECT_EQ(s.spilled.size(), 0u);
}

TEST(AwaySends, NumbersAreUsedAgain) {
  Sends s;
  std::uint32_t largest = 0;
  for (Time t = 0; t < 100 * page; ++t) {
    const std::uint32_t number = s.send(t);
    largest = std::max(largest, number);
    EXPECT_EQ(s.take(number), t);
  }
  EXPECT_LT(largest, 2 * page);
}

TEST(AwaySends, AnyOrderOfAnswersAndSpillingGivesTheSameSends) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    Sends s;
    std::map<std::uint32_t, Time> open;
    for (Time t = 0; t < 5000; ++t) {
      const std::uint32_t number = s.send(t, below(10) != 0);
      ASSERT_TRUE(open.emplace(number, t).second) << "a number is given to one send at a time";
      while (!open.empty() && below(5) < 2 + seed % 3 / 2) {
        const auto one = std::next(open.begin(), below(static_cast<std::uint32_t>(open.size())));
        ASSERT_EQ(s.take(one->first), one->second);
        open.erase(one);
      }
      if (below(100) == 0) s.away.spill();
    }
    std::set<Time> expected, got;
    for (const auto& [number, time] : open) expected.insert(time);
    const auto [in_memory, spilled] = s.rest();
    got.insert(in_memory.begin(), in_memory.end());
    got.insert(spilled.begin(), spilled.end());
    EXPECT_EQ(got, expected);
    EXPECT_EQ(in_memory.size() + spilled.size(), expected.size());
  }
}

}  // namespace
}  // namespace waitstate::link
