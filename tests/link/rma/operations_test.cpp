// When single operations are complete: by which record, in which call, by either model.
#include "link/rma/operations.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/heard_events.hpp"
#include "support/records.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;
constexpr RmaWinId of_mpi{0}, of_shmem{1};

/// Operations of location 0 on location 1; window 0 is MPI's, window 1 SHMEM's.
struct OperationsOfAProcess {
  explicit OperationsOfAProcess(RmaModel model) : heard({.interests = interest_rma_operation, .rma_model = model}) {}

  static Definitions define() {
    Definitions d = support::processes_of_one_location(2);
    d.comms.resize(2);
    d.comms[0].paradigm = Paradigm::mpi;
    d.comms[1].paradigm = Paradigm::shmem;
    d.rma_wins.resize(2);
    for (const std::size_t i : {0, 1}) d.rma_wins[i].comm = CommId{i};
    return d;
  }
  CallRef start(RmaOperationKind kind, Time t, std::uint64_t match, bool locked = false) {
    const CallRef call = support::add_call(calls, 0, t, t + 5);
    operations.start(pending, match, locked, {{kind, LocationId{1}, 8, 0, call}, LocationId{0}, t + 1, 0, true});
    calls.release(call);
    return call;
  }
  static replay::RmaRecord record(EventType type, RmaWinId win, Time t, std::uint64_t match) {
    replay::RmaRecord r;
    r.type = type;
    r.win = win;
    r.time = t;
    r.match = match;
    return r;
  }
  /// In a call from t - 1 to t + 1.
  Rows complete(EventType type, RmaWinId win, Time t, std::uint64_t match) {
    const CallRef call = support::add_call(calls, 0, t - 1, t + 1);
    operations.complete_matching(pending, LocationId{0}, record(type, win, t, match), call);
    calls.release(call);
    return heard.take();
  }
  Rows complete_rest(RmaWinId win, Time t, bool locked) {
    const CallRef call = support::add_call(calls, 0, t - 1, t + 1);
    operations.complete_rest(pending, LocationId{0}, record(EventType::rma_collective_end, win, t, 0), call, locked,
                             [](LocationId) { return true; });
    calls.release(call);
    return heard.take();
  }

  Definitions definitions = define();
  Diagnostics diagnostics;
  Calls calls;
  support::HeardEvents heard;
  PassiveTarget target{definitions, calls, heard};
  PassiveDoor passive{definitions, calls, heard, &target, nullptr, {}, false};
  Operations operations{definitions, diagnostics, calls, heard, passive};
  Operations::Pending pending;
};

constexpr EventType complete_nonblocking = EventType::rma_op_complete_nonblocking;

TEST(Operations, ByTheExtendedModelAnOperationIsCompleteWithTheFirstRecordThatSaysSo) {
  OperationsOfAProcess o(RmaModel::extended);
  o.start(RmaOperationKind::put, 10, 7);
  o.start(RmaOperationKind::get, 20, 7);
  EXPECT_EQ(o.complete(complete_nonblocking, of_mpi, 30, 8), Rows{});
  EXPECT_EQ(o.complete(complete_nonblocking, of_mpi, 40, 7),
            (Rows{"put 0→1 from 11 to 40 in 0@39", "get 0→1 from 21 to 40 in 0@39"}));
  EXPECT_EQ(o.complete(EventType::rma_op_complete_remote, of_mpi, 50, 7), Rows{}) << "it is complete already";
  EXPECT_EQ(o.calls.alive(), 0u);
}

TEST(Operations, APutOfShmemIsCompleteAtItsTarget) {
  OperationsOfAProcess o(RmaModel::extended);
  o.start(RmaOperationKind::put, 10, 7);
  o.start(RmaOperationKind::get, 20, 7);
  EXPECT_EQ(o.complete(complete_nonblocking, of_shmem, 30, 7), Rows{"get 0→1 from 21 to 30 in 0@29"});
  EXPECT_EQ(o.complete(EventType::rma_op_complete_remote, of_shmem, 40, 7), Rows{"put 0→1 from 11 to 40 in 0@39"});
}

TEST(Operations, ByTheBasicModelAnOperationIsCompleteInItsOwnCall) {
  OperationsOfAProcess o(RmaModel::basic);
  o.start(RmaOperationKind::put, 10, 7);
  EXPECT_EQ(o.complete(complete_nonblocking, of_mpi, 40, 7), Rows{"put 0→1 from 11 to 15 in 0@10"});
}

TEST(Operations, TheModelFollowsTheWindowUnlessItIsChosen) {
  OperationsOfAProcess o(RmaModel::automatic);
  o.start(RmaOperationKind::put, 10, 7);
  EXPECT_EQ(o.complete(complete_nonblocking, of_shmem, 40, 7), Rows{"put 0→1 from 11 to 15 in 0@10"});
  o.start(RmaOperationKind::put, 50, 8);
  EXPECT_EQ(o.complete(complete_nonblocking, of_mpi, 80, 8), Rows{"put 0→1 from 51 to 80 in 0@79"});
}

TEST(Operations, WhatEndsAnEpochCompletesTheRestOfIt) {
  OperationsOfAProcess o(RmaModel::extended);
  o.start(RmaOperationKind::put, 10, 7, true);
  o.start(RmaOperationKind::put, 20, 8, false);
  EXPECT_EQ(o.complete_rest(of_mpi, 30, false), Rows{"put 0→1 from 21 to 30 in 0@29"});
  EXPECT_EQ(o.complete_rest(of_mpi, 40, true), Rows{"put 0→1 from 11 to 40 in 0@39"});
  EXPECT_EQ(o.complete_rest(of_mpi, 50, true), Rows{});
}

TEST(Operations, BeyondWhatMayWaitAllAreTakenAsNeverCompleted) {
  OperationsOfAProcess o(RmaModel::extended);
  const CallRef call = support::add_call(o.calls, 0, 10, 15);
  for (std::size_t i = 0; i <= Operations::most_pending; ++i)
    o.operations.start(o.pending, 7, i % 2 == 0, {{{}, LocationId{1}, 8, 0, call}, LocationId{0}, 11, 0, true});
  EXPECT_EQ(o.pending.size(), 1u);
  EXPECT_EQ(o.diagnostics[DiagnosticId::rma_incomplete].count, Operations::most_pending);
  EXPECT_EQ(o.calls[call].uses, 2u);
}

TEST(Operations, LocksOfAWindowAreNamedByTheTargetsProcess) {
  OperationsOfAProcess o(RmaModel::extended);
  EXPECT_EQ(o.operations.lock_ref(of_mpi, LocationId{1}, 3, false), (RmaLockRef{of_mpi, ProcessId{1}, 3, false}));
  EXPECT_EQ(o.operations.lock_ref(of_mpi, LocationId::none(), 3, true),
            (RmaLockRef{of_mpi, ProcessId::none(), 3, true}));
}

TEST(Operations, AreWantedByWhoAsksForThemOrForWhatIsUnderALock) {
  const auto wanted = [](Interests interests) {
    OperationsOfAProcess o(RmaModel::automatic);
    support::HeardEvents heard({.interests = interests});
    const Operations operations(o.definitions, o.diagnostics, o.calls, heard, o.passive);
    return std::pair{operations.wanted(false), operations.wanted(true)};
  };
  EXPECT_EQ(wanted(interest_rma_operation), (std::pair{true, true}));
  EXPECT_EQ(wanted(interest_rma_passive_call), (std::pair{false, true}));
  EXPECT_EQ(wanted(interest_rma_collective), (std::pair{false, false}));
}

}  // namespace
}  // namespace waitstate::link
