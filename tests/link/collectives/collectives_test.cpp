// Collective operations from records made by hand: who belongs together, what is delivered when, what is incomplete.
#include "link/collectives/collectives.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/heard_events.hpp"
#include "support/records.hpp"

namespace waitstate::link {
namespace {

using Rows = std::vector<std::string>;

struct OperationsOfProcesses {
  explicit OperationsOfProcesses(std::size_t processes, Interests interests = {}, MergeFeed* feed = nullptr)
      : OperationsOfProcesses(support::processes_of_one_location(processes), interests, feed) {}
  explicit OperationsOfProcesses(Definitions d, Interests interests = {}, MergeFeed* feed = nullptr)
      : definitions(std::move(d)),
        heard({.interests = interests}),
        collectives(definitions, diagnostics, calls, &heard, feed) {}

  static replay::CommRecord record(CollectiveOp op, Time t, LocationId root = LocationId::none()) {
    replay::CommRecord r;
    r.tag = static_cast<std::uint32_t>(op);
    r.comm = CommId{0};
    r.peer = root;
    r.time = t;
    r.bytes = r.received = 8;
    return r;
  }
  /// A call with one operation from t to t + 5, which begins at t + 1.
  void blocking(std::size_t location, Time t, CollectiveOp op, LocationId root = LocationId::none()) {
    const CallRef call = support::add_call(calls, location, t, t + 5);
    collectives.begin(LocationId{location}, record(op, t + 1));
    collectives.end(LocationId{location}, record(op, t + 4, root), call);
    calls.release(call);
  }
  void barrier(std::size_t location, Time t) { blocking(location, t, CollectiveOp::barrier); }

  /// A call that starts an operation; its number.
  std::uint32_t start(std::size_t location, Time t) {
    const CallRef call = support::add_call(calls, location, t, t + 2, 1);
    replay::CommRecord request;
    request.time = t + 1;
    const std::uint32_t number = collectives.start(LocationId{location}, request, call);
    close(call);
    return number;
  }
  /// A call that completes operations.
  void complete(std::size_t location, Time t, const std::vector<std::uint32_t>& numbers, CollectiveOp op,
                LocationId root = LocationId::none()) {
    const CallRef call = support::add_call(calls, location, t, t + 5, static_cast<std::uint32_t>(numbers.size()));
    calls.keep(call);
    for (const std::uint32_t n : numbers) {
      collectives.complete(n, LocationId{location}, record(op, t + 3, root), call);
      close(call);
    }
    calls.release(call);
  }
  void close(CallRef call) {
    if (--calls[call].records_left == 0) collectives.call_closed(call);
    if (calls[call].records_left == 0) calls.release(call);
  }
  void init_finalize(std::size_t location, MpiFunction function, Time t) {
    Call call;
    call.location = LocationId{location};
    call.function = function;
    call.enter = t;
    call.exit = t + 5;
    collectives.init_finalize_call(call, 5);
  }
  std::uint64_t count(DiagnosticId id) const { return diagnostics[id].count; }

  Definitions definitions;
  Diagnostics diagnostics;
  Calls calls;
  support::HeardEvents heard;
  Collectives collectives;
};

TEST(Collectives, TheNthOfEachProcessBelongTogetherHoweverFarTheyAreRead) {
  OperationsOfProcesses o(3);
  o.barrier(0, 10);
  o.barrier(0, 30);
  o.barrier(1, 12);
  EXPECT_EQ(o.heard.take(), Rows{});
  o.barrier(2, 15);
  EXPECT_EQ(o.heard.take(), Rows{"barrier on 0@11-14 1@13-16 2@16-19"});
  o.barrier(2, 31);
  o.barrier(1, 32);
  EXPECT_EQ(o.heard.take(), Rows{"barrier on 0@31-34 1@33-36 2@32-35"});
  EXPECT_EQ(o.collectives.complete_operations(), 2u);
  EXPECT_EQ(o.calls.alive(), 0u) << "what has been delivered is let go";
}

TEST(Collectives, ARootIsGivenByItsRank) {
  OperationsOfProcesses o(2);
  o.blocking(0, 10, CollectiveOp::bcast, LocationId{1});
  o.blocking(1, 10, CollectiveOp::bcast, LocationId{1});
  EXPECT_EQ(o.heard.take(), Rows{"bcast on 0@11-14 1@11-14 root 1"});
}

TEST(Collectives, WithoutARecordOfItsBeginAMemberBeginsWithItsCall) {
  OperationsOfProcesses o(2);
  o.barrier(0, 10);
  const CallRef call = support::add_call(o.calls, 1, 20, 25);
  o.collectives.end(LocationId{1}, OperationsOfProcesses::record(CollectiveOp::barrier, 24), call);
  EXPECT_EQ(o.heard.take(), Rows{"barrier on 0@11-14 1@20-24"});
}

TEST(Collectives, OperationsThatDisagreeAreCountedAndNotDelivered) {
  OperationsOfProcesses ops(2), roots(2);
  ops.barrier(0, 10);
  ops.blocking(1, 10, CollectiveOp::allreduce);
  roots.blocking(0, 10, CollectiveOp::bcast, LocationId{0});
  roots.blocking(1, 10, CollectiveOp::bcast, LocationId{1});
  for (OperationsOfProcesses* o : {&ops, &roots}) {
    EXPECT_EQ(o->heard.take(), Rows{});
    EXPECT_EQ(o->count(DiagnosticId::collective_mismatch), 1u);
    EXPECT_EQ(o->calls.alive(), 0u);
  }
}

TEST(Collectives, WhoIsNoMemberIsCountedAsAStranger) {
  Definitions d = support::processes_of_one_location(3);
  d.comms[0].members.pop_back();
  OperationsOfProcesses o(d);
  o.barrier(2, 10);
  o.barrier(0, 10);
  o.barrier(1, 10);
  EXPECT_EQ(o.count(DiagnosticId::collective_stranger), 1u);
  EXPECT_EQ(o.heard.take(), Rows{"barrier on 0@11-14 1@11-14"});
}

TEST(Collectives, AnOperationOfOneProcessAloneIsNotDelivered) {
  OperationsOfProcesses o(1);
  o.barrier(0, 10);
  EXPECT_EQ(o.heard.take(), Rows{});
  EXPECT_EQ(o.calls.alive(), 0u);
}

TEST(Collectives, WhatAProcessThatHasEndedDidNotComeToIsIncomplete) {
  OperationsOfProcesses o(2);
  o.barrier(0, 10);
  o.barrier(1, 10);
  o.barrier(0, 20);
  o.barrier(0, 30);
  EXPECT_EQ(o.collectives.missing_count(), 0u);
  o.collectives.end_process(ProcessId{1});
  EXPECT_EQ(o.collectives.missing_count(), 2u);
  EXPECT_EQ(o.calls.alive(), 0u) << "they are let go at once";
  o.barrier(0, 40);
  o.collectives.end_process(ProcessId{0});
  o.collectives.finish();
  EXPECT_EQ(o.count(DiagnosticId::collective_incomplete), 3u);
  EXPECT_EQ(o.diagnostics[DiagnosticId::collective_incomplete].places.at(0).text,
            "barrier on communicator 0: rank 1 never completed it");
}

TEST(Collectives, AnIncompleteOperationIsThatOfTheFirstRankThatCameWheneverItDid) {
  for (int ended = 0; ended < 3; ++ended) {  // how many have come when it turns out that the third one does not
    OperationsOfProcesses o(3);
    if (ended > 0) o.blocking(1, 5, CollectiveOp::allreduce);
    if (ended > 1) o.barrier(0, 70);
    o.collectives.end_process(ProcessId{2});
    if (ended <= 0) o.blocking(1, 5, CollectiveOp::allreduce);
    if (ended <= 1) o.barrier(0, 70);
    for (const std::uint32_t p : {0, 1}) o.collectives.end_process(ProcessId{p});
    o.collectives.finish();
    EXPECT_EQ(o.count(DiagnosticId::collective_incomplete), 1u);
    EXPECT_EQ(o.diagnostics[DiagnosticId::collective_incomplete].places.at(0).text,
              "barrier on communicator 0: rank 2 never completed it")
        << ended;
  }
}

TEST(Collectives, AMemberThatIsNotInTheTraceNeverComes) {
  Definitions d = support::processes_of_one_location(2);
  d.comms[0].members.push_back(LocationId::none());
  OperationsOfProcesses o(d);
  o.barrier(0, 10);
  o.barrier(1, 10);
  EXPECT_EQ(o.heard.take(), Rows{});
  EXPECT_EQ(o.calls.alive(), 0u);
  o.collectives.finish();
  EXPECT_EQ(o.diagnostics[DiagnosticId::collective_incomplete].places.at(0).text,
            "barrier on communicator 0: rank 2 never completed it");
}

TEST(Collectives, NonblockingOnesAreNumberedAsTheyWereStarted) {
  OperationsOfProcesses o(2);
  const std::uint32_t a = o.start(0, 10), b = o.start(0, 20), c = o.start(1, 14), d = o.start(1, 24);
  o.complete(0, 30, {b}, CollectiveOp::barrier);  // the second one first
  o.complete(1, 40, {c, d}, CollectiveOp::barrier);
  const Rows moved{"moved by barrier 0@20: 8 sent, 8 received", "moved by barrier 1@14: 8 sent, 8 received",
                   "moved by barrier 1@24: 8 sent, 8 received"};
  EXPECT_EQ(o.heard.take(), moved);
  o.complete(0, 50, {a}, CollectiveOp::barrier);
  EXPECT_EQ(o.heard.take(),
            (Rows{"moved by barrier 0@10: 8 sent, 8 received", "completes 0@30 barrier 0@20 awaits 1@24",
                  "completes 1@40 barrier 1@14 awaits 1@14 barrier 1@24 awaits 1@24",
                  "completes 0@50 barrier 0@10 awaits 1@14"}))
      << "a call that was complete before comes before the one that completes now";
  EXPECT_EQ(o.calls.alive(), 0u);
}

TEST(Collectives, OfANonblockingOneEachMemberAwaitsTheLatestThatItNeeds) {
  const auto awaited = [](CollectiveOp op, LocationId root = LocationId::none()) {
    OperationsOfProcesses o(3);
    std::vector<std::uint32_t> started;
    for (const std::size_t l : {0, 1, 2}) started.push_back(o.start(l, 10 + 10 * ((l + 1) % 3)));  // 20, 30, 10
    for (const std::size_t l : {0, 1, 2}) o.complete(l, 100, {started[l]}, op, root);
    std::string all;
    for (const std::string& row : o.heard.take())
      if (row.starts_with("completes")) all += row.substr(row.rfind(' ') + 1) + ' ';
    return all;
  };
  EXPECT_EQ(awaited(CollectiveOp::barrier), "1@30 1@30 1@30 ");
  EXPECT_EQ(awaited(CollectiveOp::allreduce), "1@30 1@30 1@30 ");
  EXPECT_EQ(awaited(CollectiveOp::bcast, LocationId{2}), "2@10 2@10 nobody ");
  EXPECT_EQ(awaited(CollectiveOp::reduce, LocationId{2}), "nobody nobody 1@30 ");
  EXPECT_EQ(awaited(CollectiveOp::scan), "0@20 1@30 1@30 ");
}

TEST(Collectives, ACancelledOneIsPassedOver) {
  OperationsOfProcesses o(2);
  const std::uint32_t cancelled = o.start(0, 10), a = o.start(0, 20), b = o.start(1, 20);
  o.complete(0, 30, {a}, CollectiveOp::barrier);
  o.complete(1, 30, {b}, CollectiveOp::barrier);
  (void)o.heard.take();
  o.collectives.cancel(cancelled);
  EXPECT_EQ(o.heard.take(),
            (Rows{"completes 0@30 barrier 0@20 awaits 0@20", "completes 1@30 barrier 1@20 awaits 0@20"}));
  EXPECT_EQ(o.calls.alive(), 0u);
}

TEST(Collectives, BehindOneThatNeverCompletesNothingCanBeNumbered) {
  OperationsOfProcesses o(2);
  (void)o.start(0, 10);
  const std::uint32_t a = o.start(0, 20), b = o.start(1, 20);
  o.complete(0, 30, {a}, CollectiveOp::barrier);
  o.complete(1, 30, {b}, CollectiveOp::barrier);
  (void)o.heard.take();
  o.collectives.end_process(ProcessId{0});
  o.collectives.end_process(ProcessId{1});
  o.collectives.finish();
  EXPECT_EQ(o.heard.take(), Rows{});
  EXPECT_EQ(o.count(DiagnosticId::collective_incomplete), 1u);
  EXPECT_EQ(o.calls.alive(), 0u);
}

TEST(Collectives, LeavingBeforeAnAwaitedMemberHasBegunIsAClockViolation) {
  OperationsOfProcesses o(2), one_to_all(2);
  o.barrier(0, 10);
  o.barrier(1, 20);  // begins at 21, after the other one's end at 14
  EXPECT_EQ(o.count(DiagnosticId::collective_clock_violation), 1u);
  EXPECT_EQ(o.diagnostics[DiagnosticId::collective_clock_violation].places.at(0).location, LocationId{0});
  one_to_all.blocking(0, 10, CollectiveOp::bcast, LocationId{0});
  one_to_all.blocking(1, 20, CollectiveOp::bcast, LocationId{0});
  EXPECT_EQ(one_to_all.count(DiagnosticId::collective_clock_violation), 0u) << "the root waits for nobody";
}

TEST(Collectives, HandlesAreToldToWhoWantsThemOnly) {
  OperationsOfProcesses nobody(2), wanted(2, interest_other_collective);
  for (OperationsOfProcesses* o : {&nobody, &wanted})
    for (const CollectiveOp op : {CollectiveOp::create_handle, CollectiveOp::destroy_handle})
      for (const std::size_t l : {0, 1}) o->blocking(l, 10, op);
  EXPECT_EQ(nobody.heard.take(), Rows{});
  EXPECT_EQ(wanted.heard.take(), Rows{"other create_handle on 0@10…0@10 1@10…1@10"});
}

/// Three processes in a row, or in a ring.
Definitions grid(bool periodic) {
  Definitions d = support::processes_of_one_location(3);
  CartDimension dimension;
  dimension.size = 3;
  dimension.periodicity = periodic ? CartPeriodicity::true_ : CartPeriodicity::false_;
  d.cart_dimensions.push_back(dimension);
  CartTopology topology;
  topology.comm = CommId{0};
  topology.dimensions = {CartDimensionId{0}};
  topology.coordinates = {0, 0, 1, 1, 2, 2};
  d.cart_topologies.push_back(topology);
  return d;
}

Rows neighbourhood(const Definitions& d) {
  OperationsOfProcesses o(d);
  for (const std::size_t l : {0, 1, 2}) {
    const CallRef call = support::add_call(o.calls, l, 10, 15);
    o.calls[call].call.function = MpiFunction::neighbour;
    o.collectives.end(LocationId{l}, OperationsOfProcesses::record(CollectiveOp::alltoall, 14), call);
  }
  Rows rows = o.heard.take();
  if (o.count(DiagnosticId::neighbours_unknown) != 0) rows.emplace_back("neighbours unknown");
  return rows;
}

TEST(Collectives, NeighboursAreThoseOfTheTopology) {
  EXPECT_EQ(neighbourhood(grid(false)), Rows{"alltoall on 0@10-14 1@10-14 2@10-14 neighbours 1|02|1"});
  EXPECT_EQ(neighbourhood(grid(true)), Rows{"alltoall on 0@10-14 1@10-14 2@10-14 neighbours 21|02|10"});
  EXPECT_EQ(neighbourhood(support::processes_of_one_location(3)), Rows{"neighbours unknown"});
}

TEST(Collectives, NeighboursOfAGraphArePropertiesOfTheProcesses) {
  const auto with_sources = [](const std::vector<std::string>& sources) {
    Definitions d = support::processes_of_one_location(3);
    d.comms[0].ref = 7;
    for (std::size_t p = 0; p < sources.size(); ++p) {
      d.strings.push_back(sources[p]);
      d.processes[p].properties.push_back(
          {"WAITSTATE::SOURCES::7", {ValueType::string, static_cast<std::uint64_t>(d.strings.size() - 1)}});
    }
    return neighbourhood(d);
  };
  EXPECT_EQ(with_sources({"1,2", "", "0"}), Rows{"alltoall on 0@10-14 1@10-14 2@10-14 neighbours 12||0"});
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"1", "0"}, {"3", "0", "0"}, {"1;2", "", "0"}})
    EXPECT_EQ(with_sources(wrong), Rows{"neighbours unknown"}) << wrong[0];
}

TEST(Collectives, InitAndFinalizeAreDeliveredWithAllProcessesAtTheEnd) {
  OperationsOfProcesses o(2);
  o.init_finalize(1, MpiFunction::init, 10);
  o.init_finalize(0, MpiFunction::init, 12);
  o.init_finalize(0, MpiFunction::init, 50);  // a second time
  o.init_finalize(0, MpiFunction::finalize, 90);
  o.collectives.finish();
  EXPECT_EQ(o.heard.take(), Rows{"init on 0@12-17 1@10-15"});
  EXPECT_EQ(o.diagnostics[DiagnosticId::collective_incomplete].places.at(0).text,
            "MPI_Finalize: 1 of 2 processes came");
}

TEST(Collectives, TheMergeLearnsOfMembersOperationsAndWhatIsDead) {
  MergeFeed feed;
  OperationsOfProcesses o(2, {}, &feed);
  o.barrier(0, 10);
  replay::Chunk chunk;
  using Kind = MergeStep::Note::Kind;
  const auto kinds = [&] {
    std::vector<Kind> all;
    for (const MergeStep::Note& n : feed.take(chunk, 0).notes) all.push_back(n.kind);
    return all;
  };
  EXPECT_EQ(kinds(), (std::vector{Kind::member_begins, Kind::operation, Kind::member_joins}));
  o.barrier(1, 10);
  EXPECT_EQ(kinds(), (std::vector{Kind::member_begins, Kind::member_joins, Kind::operation_closed}));
  o.barrier(0, 20);
  (void)kinds();
  o.collectives.end_process(ProcessId{1});
  MergeStep& step = feed.take(chunk, 0);
  ASSERT_EQ(step.operations.size(), 1u);
  EXPECT_TRUE(step.operations[0].dead);
  EXPECT_EQ(step.notes.back().kind, Kind::operation_closed);
}

}  // namespace
}  // namespace waitstate::link
