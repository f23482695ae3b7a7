// Owners of a lock in the order of their numbers, in whatever order threads are read.
#include "link/threads/locks.hpp"

#include <gtest/gtest.h>

#include "link/threads/process_of_threads.hpp"

namespace waitstate::link {
namespace {

struct WithLocks : ProcessOfThreads {
  explicit WithLocks(std::size_t threads) : ProcessOfThreads(threads) {}
  void record(std::size_t thread, bool acquires, std::uint32_t order, Time t) {
    replay::TeamRecord r;
    r.kind = acquires ? replay::TeamRecord::Kind::acquire : replay::TeamRecord::Kind::release;
    r.order = order;
    r.time = t;
    const std::uint32_t id = call(thread, t - 1, t);
    locks.add(LocationId{thread}, r, id);
    calls.release(id);
  }
  void own(std::size_t thread, std::uint32_t order, Time from, Time to) {
    record(thread, true, order, from);
    record(thread, false, order, to);
  }
  Locks locks{definitions, processes, calls, &heard};
};

TEST(Locks, AnAcquisitionMatchesTheReleaseBeforeIt) {
  WithLocks w(2);
  w.own(1, 2, 30, 40);
  w.locks.processed(LocationId{1}, 100, true);
  EXPECT_TRUE(w.heard.rows.empty());  // the other thread has not been read as far
  w.own(0, 1, 10, 20);
  w.locks.processed(LocationId{0}, 100, true);
  w.locks.finish();
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"lock 1@30 after 0@20"}));
}

// The counter starts again: each matches the nearest in time.
TEST(Locks, NumbersThatComeTwiceMatchTheNearestInTime) {
  WithLocks w(2);
  w.own(0, 1, 10, 20);
  w.own(0, 1, 110, 120);
  w.locks.processed(LocationId{0}, 200, true);
  w.own(1, 2, 30, 40);
  w.own(1, 2, 130, 140);
  w.locks.processed(LocationId{1}, 200, true);
  w.locks.finish();
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"lock 1@30 after 0@20", "lock 1@130 after 0@120"}));
}

TEST(Locks, ANestedOwnerIsOneFromItsFirstNumberToItsLast) {
  WithLocks w(2);
  w.record(0, true, 1, 10);
  w.record(0, true, 2, 11);
  w.record(0, false, 2, 19);
  w.record(0, false, 1, 20);
  w.own(1, 3, 30, 40);
  w.locks.finish();
  EXPECT_EQ(w.heard.rows, (std::vector<std::string>{"lock 1@30 after 0@20"}));
}

}  // namespace
}  // namespace waitstate::link
