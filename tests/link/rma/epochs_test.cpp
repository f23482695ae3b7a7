// Parts that lack their partner do not stay in memory: access epochs whose posts are not in the trace, collectives that
// a member does not come to, although all processes go on.
#include "link/rma/epochs/epochs.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "link/rma/window_collectives.hpp"

namespace waitstate::link {
namespace {

Definitions definitions_of_two() {
  Definitions d;
  for (std::size_t i = 0; i < 2; ++i) {
    d.processes.emplace_back().locations = {LocationId{i}};
    d.locations.emplace_back().process = ProcessId{i};
  }
  for (const std::uint64_t member : {1, 0}) {
    Group& group = d.groups.emplace_back();
    group.type = GroupType::locations;
    group.members = {member};
  }
  d.comms.emplace_back().members = {LocationId{0}, LocationId{1}};
  d.rma_wins.emplace_back().comm = CommId{std::size_t{0}};
  return d;
}

class NobodyListens : public Listener {
 public:
  void completed_receives(const CompletedReceives&) override {}
  void completed_sends(const CompletedSends&) override {}
  void collective(const Collective&) override {}
  void completed_collectives(const CompletedCollectives&) override {}
  void nonblocking_collective(const Call&, CollectiveOp, std::uint64_t, std::uint64_t) override {}
};

struct TwoProcesses {
  Definitions definitions = definitions_of_two();
  Diagnostics diagnostics;
  Calls calls;
  NobodyListens listener;
  Processes processes{definitions};
  ReadProgress reading{definitions, processes};
  RmaGroups groups{definitions};

  void read(LocationId l, Time first, Time up_to, bool at_end) {
    processes.read(l, first, up_to, at_end);
    reading.read(processes.of(l), first, false);
  }
  std::uint32_t call(std::size_t location, Time enter) {
    const std::uint32_t id = calls.add(0);
    calls[id].call.location = LocationId{location};
    calls[id].call.enter = enter;
    calls[id].call.exit = enter + 1;
    return id;
  }
};

constexpr std::uint64_t many = 50000;

TEST(RmaEpochs, OfAPartnerThatNeverPostsAreLetGoAndCounted) {
  TwoProcesses w;
  RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, w.listener, w.reading, w.groups);
  std::size_t most = 0;
  for (Time t = 0; t < many; ++t) {
    const std::uint32_t start = w.call(0, 10 * t), complete = w.call(0, 10 * t + 5);
    epochs.accesses.complete(
        epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start, w.calls[start].call.enter), complete);
    w.calls.release(start);
    w.calls.release(complete);
    w.read(LocationId{0}, 0, 10 * t + 6, false);
    w.read(LocationId{1}, 5, 10 * t + 6, false);
    epochs.accesses.read(ProcessId{1});
    most = std::max(most, w.calls.alive());
  }
  EXPECT_LE(most, 6 * ReadProgress::most_waiting);
  epochs.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, many);
  EXPECT_EQ(w.calls.alive(), 0u);
}

// The other process has not been read yet: its posts may come.
TEST(RmaEpochs, OfAPartnerThatIsBehindWait) {
  TwoProcesses w;
  RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, w.listener, w.reading, w.groups);
  for (Time t = 0; t < many; ++t) {
    const std::uint32_t start = w.call(0, 10 * t), complete = w.call(0, 10 * t + 5);
    epochs.accesses.complete(
        epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start, w.calls[start].call.enter), complete);
    w.calls.release(start);
    w.calls.release(complete);
    w.read(LocationId{0}, 0, 10 * t + 6, false);
    w.read(LocationId{1}, 0, 10, false);
  }
  EXPECT_EQ(w.calls.alive(), 2 * many);
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 0u);
  epochs.finish();
}

// The other process had started long before, and waited in MPI_Init: from then on it is behind.
TEST(RmaEpochs, OfAPartnerThatHadStartedEarlierWait) {
  TwoProcesses w;
  RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, w.listener, w.reading, w.groups);
  const Time begin = 100 * many;
  w.reading.initialised(ProcessId{0}, begin);
  w.reading.initialised(ProcessId{1}, begin);
  for (Time t = 0; t < many; ++t) {
    const std::uint32_t start = w.call(0, begin + 10 * t), complete = w.call(0, begin + 10 * t + 5);
    epochs.accesses.complete(
        epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start, w.calls[start].call.enter), complete);
    w.calls.release(start);
    w.calls.release(complete);
    w.read(LocationId{0}, begin - 1, begin + 10 * t + 6, false);
    w.read(LocationId{1}, 0, begin + 10, false);
  }
  EXPECT_EQ(w.calls.alive(), 2 * many);
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 0u);
  epochs.finish();
}

// An epoch that is opened while one is open: the first will not be closed.
TEST(RmaEpochs, ThatAreReplacedAreLetGoAtOnce) {
  TwoProcesses w;
  RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, w.listener, w.reading, w.groups);
  std::uint32_t open = AccessEpochs::none;
  for (Time t = 0; t < 100; ++t) {
    const std::uint32_t start = w.call(0, 10 * t);
    if (open != AccessEpochs::none) epochs.accesses.give_up(open);
    open = epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start, 10 * t);
    w.calls.release(start);
    EXPECT_EQ(w.calls.alive(), 1u);
  }
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 99u);
  epochs.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 100u);
  EXPECT_EQ(w.calls.alive(), 0u);
}

// The origin opens 1,500 epochs, one every ten ticks; the target 60, from when 1,101 of these have been opened: of them
// the first 1,024 lack their posts, and the target's first one is matched with the one behind them.
TEST(RmaEpochs, AreMatchedByTheProgressOfBothWhoeverIsReadFirst) {
  struct Matched : NobodyListens {
    std::vector<std::pair<Time, Time>> epochs;
    void rma_access_epoch(const RmaAccessEpoch& e) override {
      epochs.emplace_back(e.start.enter, e.targets[0].post.enter);
    }
  };
  const auto matched = [](bool target_first, int at_once) {
    TwoProcesses w;
    Matched heard;
    RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, heard, w.reading, w.groups);
    int accesses = 0, exposures = 0;
    const auto access = [&] {
      const Time t = 10 * static_cast<Time>(accesses++);
      const std::uint32_t call = w.call(0, t);
      epochs.accesses.complete(epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, call, t), call);
      w.calls.release(call);
      w.read(LocationId{0}, 0, t, false);
    };
    const auto expose = [&] {
      const Time t = 11005 + 300 * static_cast<Time>(exposures++);
      const std::uint32_t call = w.call(1, t);
      epochs.exposures.wait(epochs.exposures.post(LocationId{1}, RmaWinId{0}, GroupId{1}, call, t), call);
      w.calls.release(call);
      w.read(LocationId{1}, 0, t, false);
    };
    while (accesses < 1500 || exposures < 60)
      for (const bool target : {target_first, !target_first}) {
        for (int i = 0; i < at_once; ++i)
          if (target && exposures < 60)
            expose();
          else if (!target && accesses < 1500)
            access();
        epochs.accesses.read(ProcessId{target ? 1u : 0u});
      }
    for (const std::size_t p : {0, 1}) {
      w.read(LocationId{p}, 0, 100000, true);
      w.processes.end(ProcessId{p});
    }
    epochs.finish();
    EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 1500 + 60 - 2 * heard.epochs.size());
    EXPECT_EQ(w.calls.alive(), 0u);
    return heard.epochs;
  };
  const auto expected = matched(false, 1);
  ASSERT_EQ(expected.size(), 60u);
  EXPECT_EQ(expected[0], (std::pair<Time, Time>{10240, 11005}));
  for (const bool target_first : {false, true})
    for (const int at_once : {1, 7, 50, 300, 5000}) EXPECT_EQ(matched(target_first, at_once), expected) << at_once;
}

// The target opens an epoch anew without MPI_Win_wait, and so does the origin without MPI_Win_complete: each has a
// reason of its own, which counts whether or not the other one is known to have failed.
TEST(RmaEpochs, OfTwoReasonsItsOwnCounts) {
  for (const bool origin_first : {true, false}) {
    TwoProcesses w;
    RmaEpochs epochs(w.definitions, w.diagnostics, w.calls, w.listener, w.reading, w.groups);
    const std::uint32_t start = w.call(0, 10), post = w.call(1, 20);
    const std::uint32_t access = epochs.accesses.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start, 10);
    const std::uint32_t exposure = epochs.exposures.post(LocationId{1}, RmaWinId{0}, GroupId{1}, post, 20);
    w.read(LocationId{0}, 0, 100, false);
    w.read(LocationId{1}, 0, 100, false);
    for (const std::size_t p : {0, 1}) epochs.accesses.read(ProcessId{p});
    if (origin_first) epochs.accesses.give_up(access);
    epochs.exposures.give_up(exposure);
    if (!origin_first) epochs.accesses.give_up(access);
    for (const std::uint32_t call : {start, post}) w.calls.release(call);
    epochs.finish();
    EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 2u);
    ASSERT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].places.size(), 2u);
    EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].places[0].text, "an access epoch that is never completed");
    EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].places[1].text, "an exposure epoch that is never waited for");
    EXPECT_EQ(w.calls.alive(), 0u);
  }
}

// The origin is another worker's, and its answer is on its way when the exposure epoch is given up: it is the only one,
// and until it is there no other part has the number.
TEST(ExposureEpochs, HaveOneAnswerForEachPartThatNoOtherOneGets) {
  struct Away : WayToAccesses {
    std::vector<std::uint32_t> exposed_slots, given_up;
    void exposed(const ExposurePart& part) override { exposed_slots.push_back(part.slot); }
    void give_up_exposure(LocationId, std::uint32_t slot) override { given_up.push_back(slot); }
  };
  struct Delivered : NobodyListens {
    std::vector<std::pair<Time, Time>> epochs;
    void rma_exposure_epoch(const RmaExposureEpoch& e) override {
      epochs.emplace_back(e.post.enter, e.origins[0].complete.enter);
    }
  };
  TwoProcesses w;
  Away away;
  Delivered heard;
  ExposureEpochs exposures(w.definitions, w.diagnostics, w.calls, heard, w.reading, w.groups, away);
  const std::uint32_t first = w.call(1, 10), second = w.call(1, 30), wait = w.call(1, 40);
  const std::uint32_t start = w.call(0, 31), complete = w.call(0, 35);
  exposures.give_up(exposures.post(LocationId{1}, RmaWinId{0}, GroupId{1}, first, 10));
  const std::uint32_t exposure = exposures.post(LocationId{1}, RmaWinId{0}, GroupId{1}, second, 30);
  ASSERT_EQ(away.exposed_slots.size(), 2u);
  EXPECT_EQ(away.given_up, std::vector<std::uint32_t>{away.exposed_slots[0]});
  EXPECT_NE(away.exposed_slots[0], away.exposed_slots[1]);
  exposures.wait(exposure, wait);
  exposures.completed(away.exposed_slots[0], first, first, nullptr);
  EXPECT_TRUE(heard.epochs.empty());
  exposures.completed(away.exposed_slots[1], start, complete, nullptr);
  EXPECT_EQ(heard.epochs, (std::vector<std::pair<Time, Time>>{{30, 35}}));
  for (const std::uint32_t call : {first, second, wait, start, complete}) w.calls.release(call);
  exposures.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 1u);
  EXPECT_EQ(w.calls.alive(), 0u);
}

TEST(WindowCollectives, ThatAMemberDoesNotComeToAreLetGoAndCounted) {
  TwoProcesses w;
  WindowCollectives collectives(w.definitions, w.diagnostics, w.calls, w.listener, w.reading);
  std::size_t most = 0;
  for (Time t = 0; t < many; ++t) {
    const std::uint32_t call = w.call(0, 10 * t);
    RmaAccesses nothing;
    collectives.end(
        {LocationId{0}, call, RmaWinId{0}, CollectiveOp::barrier, LocationId::none(), 10 * t, 10 * t + 1, 0, 0},
        nothing);
    w.calls.release(call);
    w.read(LocationId{0}, 0, 10 * t + 6, false);
    w.read(LocationId{1}, 5, 10 * t + 6, false);
    collectives.read();
    most = std::max(most, w.calls.alive());
  }
  EXPECT_LE(most, 2 * ReadProgress::most_waiting);
  collectives.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, many);
  EXPECT_EQ(w.calls.alive(), 0u);
}

}  // namespace
}  // namespace waitstate::link
