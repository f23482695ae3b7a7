// Parts that lack their partner do not stay in memory: access epochs whose posts are not in the trace, collectives that
// a member does not come to, although all processes go on.
#include "link/rma/epochs.hpp"

#include <gtest/gtest.h>

#include "link/rma/window_collectives.hpp"

namespace waitstate::link {
namespace {

Definitions definitions_of_two() {
  Definitions d;
  for (std::size_t i = 0; i < 2; ++i) {
    d.processes.emplace_back().locations = {LocationId{i}};
    d.locations.emplace_back().process = ProcessId{i};
  }
  Group& group = d.groups.emplace_back();
  group.type = GroupType::locations;
  group.members = {1};
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
  ReadProgress reading{processes};
  RmaGroups groups{definitions};

  void read(LocationId l, Time first, Time up_to, bool at_end) {
    processes.read(l, first, up_to, at_end);
    reading.read(processes.of(l), first);
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
    epochs.complete(epochs.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start), complete);
    w.calls.release(start);
    w.calls.release(complete);
    w.read(LocationId{0}, 0, 10 * t + 6, false);
    w.read(LocationId{1}, 5, 10 * t + 6, false);
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
    epochs.complete(epochs.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start), complete);
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
    epochs.complete(epochs.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start), complete);
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
  std::uint32_t open = RmaEpochs::none;
  for (Time t = 0; t < 100; ++t) {
    const std::uint32_t start = w.call(0, 10 * t);
    if (open != RmaEpochs::none) epochs.give_up_access(open);
    open = epochs.start(LocationId{0}, RmaWinId{0}, GroupId{0}, start);
    w.calls.release(start);
    EXPECT_EQ(w.calls.alive(), 1u);
  }
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 99u);
  epochs.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, 100u);
  EXPECT_EQ(w.calls.alive(), 0u);
}

TEST(WindowCollectives, ThatAMemberDoesNotComeToAreLetGoAndCounted) {
  TwoProcesses w;
  WindowCollectives collectives(w.definitions, w.diagnostics, w.calls, w.listener, w.reading);
  replay::RmaRecord fence;
  fence.type = EventType::rma_collective_end;
  fence.op = CollectiveOp::barrier;
  fence.win = RmaWinId{0};
  std::size_t most = 0;
  for (Time t = 0; t < many; ++t) {
    const std::uint32_t call = w.call(0, 10 * t);
    fence.time = 10 * t + 1;
    RmaAccesses nothing;
    collectives.end(LocationId{0}, fence, call, nothing);
    w.calls.release(call);
    w.read(LocationId{0}, 0, 10 * t + 6, false);
    w.read(LocationId{1}, 5, 10 * t + 6, false);
    most = std::max(most, w.calls.alive());
  }
  EXPECT_LE(most, 2 * ReadProgress::most_waiting);
  collectives.finish();
  EXPECT_EQ(w.diagnostics[DiagnosticId::rma_incomplete].count, many);
  EXPECT_EQ(w.calls.alive(), 0u);
}

}  // namespace
}  // namespace waitstate::link
