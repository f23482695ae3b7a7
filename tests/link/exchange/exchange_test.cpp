#include "link/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "link/exchange/port.hpp"

namespace waitstate::link {
namespace {

constexpr Ticks end = std::numeric_limits<Ticks>::max();

/// Processes with a home each.
Definitions processes(std::size_t n) {
  Definitions d;
  for (std::size_t p = 0; p < n; ++p) {
    d.processes.emplace_back().host = ProcessId{p};
    d.locations.emplace_back().process = ProcessId{p};
  }
  return d;
}

// Whatever the delays: what one worker posts arrives in the order in which it was posted, and all of it arrives.
TEST(Exchange, keeps_the_order_between_two_workers) {
  constexpr WorkerId workers = 3;
  constexpr std::uint64_t records = 2000;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Definitions d = processes(workers);
    const Homes homes(d, workers);
    Exchange exchange(workers, seed);
    CallTree tree;
    SharedCallTree shared(tree);
    std::vector<std::vector<std::uint64_t>> came(workers);
    const auto work = [&](WorkerId me) {
      CallTree own;
      Port port(exchange, homes, me, shared, own);
      std::vector<std::uint64_t> next(workers);
      std::uint64_t taken = 0;
      const auto take = [&] {
        return port.take([&](WorkerId from, const auto& record) {
          if constexpr (std::is_same_v<std::decay_t<decltype(record)>, CommCount>) {
            EXPECT_EQ(record.count, next[from]++);
            ++taken;
          }
        });
      };
      for (std::uint64_t i = 0; i < records; ++i) {
        port.post_to_others(CommCount{ProcessId{me}, CommId::none(), 0, i});
        port.send_batches(0, i % 5 == 0 ? 0 : 100);
        take();
      }
      port.send_batches(0, 0);
      exchange.publish(me, end);
      while (taken != (workers - 1) * records)
        if (!take()) exchange.wait(me, exchange.least_progress());
    };
    std::vector<std::thread> threads;
    for (WorkerId w = 0; w < workers; ++w) threads.emplace_back(work, w);
    for (std::thread& t : threads) t.join();
  }
}

TEST(Exchange, least_progress_is_that_of_the_least_far_worker) {
  Exchange exchange(3);
  exchange.publish(0, 70);
  exchange.publish(1, 50);
  EXPECT_EQ(exchange.least_progress(), -1);
  exchange.publish(2, 60);
  EXPECT_EQ(exchange.least_progress(), 50);
  exchange.publish(1, end);
  EXPECT_EQ(exchange.least_progress(), 60);
}

TEST(Exchange, waits_until_others_are_farther_or_stop) {
  Exchange exchange(2);
  exchange.publish(0, 10);
  std::thread other([&] { exchange.publish(1, 5); });
  while (exchange.least_progress() == -1) exchange.wait(0, -1);
  other.join();
  EXPECT_EQ(exchange.least_progress(), 5);
  exchange.stop();
  exchange.wait(0, 5);
  EXPECT_TRUE(exchange.stopped());
}

// A number that is sent is known to who gets it, and promises are the least of all others.
TEST(Port, call_paths_and_promises_come_with_the_records) {
  const Definitions d = processes(3);
  const Homes homes(d, 3);
  Exchange exchange(3);
  CallTree tree, first, second, third;
  SharedCallTree shared(tree);
  Port a(exchange, homes, 0, shared, first), b(exchange, homes, 1, shared, second),
      c(exchange, homes, 2, shared, third);
  const CallPathId root = shared.find_or_add({CallPathId::none(), RegionId{7}, StringId::none()}, first);
  const CallPathId child = shared.find_or_add({root, RegionId{8}, StringId::none()}, first);
  SendRecord sent;
  sent.tag = 3;
  sent.call.callpath = child;
  a.post(1, sent);
  a.send_batches(100, 0);
  EXPECT_EQ(b.promise(), 0u);
  std::uint32_t tag = 0;
  EXPECT_TRUE(b.take([&](WorkerId from, const auto& record) {
    if constexpr (std::is_same_v<std::decay_t<decltype(record)>, SendRecord>) {
      EXPECT_EQ(from, 0u);
      EXPECT_EQ(second[record.call.callpath].region, RegionId{8});
      tag = record.tag;
    }
  }));
  EXPECT_EQ(tag, 3u);
  EXPECT_EQ(b.promise(), 0u);  // nothing is known of the third worker
  c.send_batches(80, 0);
  b.take([](WorkerId, const auto&) {});
  EXPECT_EQ(b.promise(), 80u);
  EXPECT_FALSE(b.take([](WorkerId, const auto&) {}));
}

}  // namespace
}  // namespace waitstate::link
