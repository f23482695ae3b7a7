// Collective operations on a window: who belongs together, what was accessed in between, and who never comes.
#include "link/rma/window_collectives.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/heard_events.hpp"
#include "support/records.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;
constexpr RmaWinId win{0};

struct WindowOfProcesses {
  explicit WindowOfProcesses(Definitions d = support::processes_of_one_location(2)) : definitions(std::move(d)) {
    definitions.comms[0].paradigm = Paradigm::mpi;
    definitions.rma_wins.resize(1);
    definitions.rma_wins[0].comm = CommId{0};
    collectives.emplace(definitions, diagnostics, calls, heard, reading);
  }
  void end(std::size_t location, Time t, CollectiveOp op = CollectiveOp::barrier,
           LocationId root = LocationId::none()) {
    const CallRef call = support::add_call(calls, location, t, t + 5);
    collectives->end({LocationId{location}, call, win, op, root, t + 1, t + 4, 0, 0}, accesses);
    calls.release(call);
    now = std::max(now, t + 5);
  }
  /// The operations that are delivered when all have been read to where the last one stands.
  Rows told() {
    read_all(now);
    return heard.take();
  }
  void read_all(Time up_to) {
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) read(i, up_to);
    collectives->read();
  }
  void read(std::size_t location, Time up_to) {
    processes.read(LocationId{location}, 0, up_to, false);
    reading.read(ProcessId{location}, 0, true);
  }
  void put(std::size_t location, std::size_t target, Time t) {
    const CallRef call = support::add_call(calls, location, t, t + 1);
    accesses.add(calls, {RmaOperationKind::put, LocationId{target}, 8, 0, call});
    calls.release(call);
  }

  Definitions definitions;
  Diagnostics diagnostics;
  Calls calls;
  support::HeardEvents heard;
  Processes processes{definitions};
  ReadProgress reading{definitions, processes};
  RmaAccesses accesses;
  Time now = 0;
  std::optional<WindowCollectives> collectives;
};

TEST(WindowCollectives, AFenceEndsTheEpochOfAllItsMembers) {
  WindowOfProcesses w;
  w.put(0, 1, 5);
  w.put(0, 1, 7);
  w.end(0, 10);
  EXPECT_EQ(w.told(), Rows{});
  w.put(1, 0, 8);
  w.end(1, 20);
  EXPECT_EQ(w.told(), Rows{"window 0 fence 0@10 1@20, 0→1: 2 puts of 16, 1→0: 1 puts of 8"});
  w.end(1, 30);
  w.end(0, 30);
  EXPECT_EQ(w.told(), Rows{"window 0 fence 0@30 1@30"}) << "nothing was accessed since";
  EXPECT_EQ(w.calls.alive(), 0u);
}

TEST(WindowCollectives, AreOfTheKindsThatTheirOperationsSay) {
  const auto kind = [](CollectiveOp op, Paradigm paradigm = Paradigm::mpi) {
    WindowOfProcesses w;
    w.definitions.comms[0].paradigm = paradigm;
    for (const std::size_t l : {0, 1}) w.end(l, 10, op);
    return w.told().at(0);
  };
  EXPECT_EQ(kind(CollectiveOp::create_handle), "window 0 create 0@10 1@10");
  EXPECT_EQ(kind(CollectiveOp::allocate), "window 0 create 0@10 1@10");
  EXPECT_EQ(kind(CollectiveOp::destroy_handle_and_deallocate), "window 0 free 0@10 1@10");
  EXPECT_EQ(kind(CollectiveOp::barrier), "window 0 fence 0@10 1@10");
  EXPECT_EQ(kind(CollectiveOp::barrier, Paradigm::shmem), "window 0 other 0@10 1@10");
  EXPECT_EQ(kind(CollectiveOp::bcast), "window 0 other 0@10 1@10");
}

TEST(WindowCollectives, OnesThatDisagreeAreCounted) {
  WindowOfProcesses w;
  w.end(0, 10, CollectiveOp::bcast, LocationId{0});
  w.end(1, 10, CollectiveOp::bcast, LocationId{1});
  EXPECT_EQ(w.told(), Rows{});
  EXPECT_EQ(w.diagnostics[DiagnosticId::collective_mismatch].count, 1u);
  w.end(0, 20, CollectiveOp::bcast, LocationId{1});
  w.end(1, 20, CollectiveOp::bcast, LocationId{1});
  EXPECT_EQ(w.told(), Rows{"window 0 other 0@20 1@20 root 1"});
}

TEST(WindowCollectives, WhoIsNoMemberIsCounted) {
  Definitions d = support::processes_of_one_location(3);
  d.comms[0].members.pop_back();
  WindowOfProcesses w(d);
  w.put(2, 0, 5);
  w.end(2, 10);
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_unplaced].count, 1u);
  EXPECT_EQ(w.calls.alive(), 0u);
  EXPECT_TRUE(w.accesses.entries().empty());
}

TEST(WindowCollectives, WhatAProcessThatHasEndedDidNotComeToIsForgottenAndCounted) {
  WindowOfProcesses w;
  w.put(0, 1, 5);
  w.end(0, 10);
  w.collectives->end_process(ProcessId{1});
  EXPECT_EQ(w.calls.alive(), 0u);
  w.put(0, 1, 15);
  w.end(0, 20);
  EXPECT_EQ(w.calls.alive(), 0u);
  w.collectives->finish();
  EXPECT_EQ(w.told(), Rows{});
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 2u);
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].places.at(0).text,
            "collectives on window 0: rank 1 never came");
}

TEST(WindowCollectives, AMemberThatIsNotInTheTraceNeverComes) {
  Definitions d = support::processes_of_one_location(2);
  d.comms[0].members.push_back(LocationId::none());
  WindowOfProcesses w(d);
  for (const std::size_t l : {0, 1}) w.end(l, 10);
  EXPECT_EQ(w.calls.alive(), 0u);
  w.collectives->finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].places.at(0).text,
            "collectives on window 0: rank 2 never came");
}

TEST(WindowCollectives, IsToldWhenNobodyCanHaveHadManyMoreBefore) {
  WindowOfProcesses w;
  w.end(0, 10);
  w.end(1, 20);
  EXPECT_EQ(w.heard.take(), Rows{}) << "the first member may have had any number of them by then";
  w.read_all(23);
  EXPECT_EQ(w.heard.take(), Rows{});
  w.read_all(24);
  EXPECT_EQ(w.heard.take(), Rows{"window 0 fence 0@10 1@20"});
}

TEST(WindowCollectives, AMemberThatHasBeenReadBeyondWhereTheOthersWaitNeverComes) {
  constexpr Time many = ReadProgress::most_waiting;
  WindowOfProcesses w;
  for (Time i = 0; i + 1 < many; ++i) w.end(0, 10 * i);
  w.read_all(20 * many);
  EXPECT_EQ(w.calls.alive(), many - 1) << "one more of them, and it is given up";
  w.end(0, 20 * many);
  EXPECT_EQ(w.calls.alive(), many) << "it may still come at that time";
  w.read_all(20 * many + 5);
  EXPECT_EQ(w.calls.alive(), 0u);
  w.collectives->finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, many);
}

// Two members have 1,500 fences each. The second is 1,000 behind the first, then 1,100: there they end to belong
// together.
TEST(WindowCollectives, TheProgressOfTheMembersDecidesAndNotWhoIsReadFirst) {
  const auto result = [](std::size_t first, int at_once) {
    WindowOfProcesses w;
    int had[] = {0, 0};
    const auto time_of = [](std::size_t l, int n) {
      return static_cast<Time>(10 * (n + (l == 0 ? 0 : n < 200 ? 1000 : 1100)));
    };
    std::size_t told = 0;
    while (had[0] < 1500 || had[1] < 1500) {
      const std::size_t l = had[first] < 1500 && had[first] <= had[1 - first] ? first : 1 - first;
      for (int i = 0; i < at_once && had[l] < 1500; ++i) w.end(l, time_of(l, had[l]++));
      if (had[l] != 0) w.read(l, time_of(l, had[l] - 1) + 4);
      w.collectives->read();
      told += w.heard.take().size();
    }
    for (const std::size_t p : {0, 1}) w.read(p, 100000);
    w.collectives->finish();
    told += w.heard.take().size();
    EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 1500 - told);
    EXPECT_EQ(w.calls.alive(), 0u);
    return told;
  };
  for (const std::size_t first : {0, 1})
    for (const int at_once : {1, 7, 50, 300, 5000}) EXPECT_EQ(result(first, at_once), 200u) << first << ' ' << at_once;
}

}  // namespace
}  // namespace waitstate::link
