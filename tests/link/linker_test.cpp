// The linker's promises beyond the case files: constant cost and bounded memory, whatever the order.
#include "link/linker.hpp"

#include <gtest/gtest.h>

#include "replay/location_replay.hpp"

namespace waitstate::link {
namespace {

/// With one location each.
Definitions processes(std::size_t n) {
  Definitions d;
  d.processes.resize(n);
  d.locations.resize(n);
  for (std::size_t i = 0; i < n; ++i) d.locations[i].process = ProcessId{i};
  d.regions.resize(2);
  d.regions[0].name = "MPI_Send";
  d.regions[1].name = "MPI_Recv";
  Group locations, world;
  locations.type = GroupType::comm_locations;
  world.type = GroupType::comm_group;
  locations.paradigm = world.paradigm = Paradigm::mpi;
  for (std::size_t i = 0; i < n; ++i) {
    locations.members.push_back(i);
    world.members.push_back(i);
  }
  d.groups = {locations, world};
  d.comms.resize(1);
  d.comms[0].group = GroupId{1};
  d.finish();
  return d;
}

Definitions two_processes(std::size_t threads_of_second) {
  Definitions d = processes(2);
  d.locations.resize(1 + threads_of_second);
  for (std::size_t i = 0; i < threads_of_second; ++i) d.locations[1 + i].process = ProcessId{1};
  d.finish();
  return d;
}

/// Feeds one location; every call is one chunk.
class Feed {
 public:
  Feed(const Definitions& d, Linker& linker, std::size_t location)
      : linker_(linker), replay_(d, LocationId{location}, {}) {}

  void send(Time t, std::uint32_t dest, std::uint32_t tag) { message(EventType::send, RegionId{0}, t, dest, tag); }
  void recv(Time t, std::uint32_t src, std::uint32_t tag) { message(EventType::recv, RegionId{1}, t, src, tag); }
  /// A call that completes a receive from each.
  void recv_all(Time t, std::initializer_list<std::uint32_t> sources, std::uint32_t tag) {
    if (!begun_) replay_.begin(chunk_);
    begun_ = true;
    replay_.enter(t, RegionId{1});
    for (const std::uint32_t src : sources) {
      const std::uint64_t attributes[] = {src, tag, 0, 8};
      replay_.event(EventType::recv, ++t, attributes, {});
    }
    replay_.exit(t + 1, RegionId{1});
  }
  void flush(bool last = false) {
    if (!begun_) replay_.begin(chunk_);
    replay_.end(last);
    linker_.process(chunk_);
    begun_ = false;
  }

 private:
  void message(EventType type, RegionId region, Time t, std::uint32_t peer, std::uint32_t tag) {
    if (!begun_) replay_.begin(chunk_);
    begun_ = true;
    const std::uint64_t attributes[] = {peer, tag, 0, 8};
    replay_.enter(t, region);
    replay_.event(type, t + 1, attributes, {});
    replay_.exit(t + 2, region);
  }
  Linker& linker_;
  replay::LocationReplay replay_;
  replay::Chunk chunk_;
  bool begun_ = false;
};

struct Collect : Listener {
  std::vector<std::uint32_t> tags;
  std::vector<Time> sent;
  std::size_t non_members = 0;  ///< messages whose sending call is not that of a send at the time
  void completed_receives(const CompletedReceives& r) override {
    for (const Message& m : r.messages) {
      tags.push_back(m.tag);
      sent.push_back(m.send_time);
      non_members += m.send->location != m.sender || m.send->enter >= m.send_time || m.send->exit <= m.send_time;
    }
  }
  void completed_sends(const CompletedSends&) override {}
  void collective(const Collective&) override {}
  void completed_collectives(const CompletedCollectives&) override {}
  void nonblocking_collective(const Call&, CollectiveOp, std::uint64_t, std::uint64_t) override {}
};

struct World {
  explicit World(std::size_t threads = 1) : World(two_processes(threads)) {}
  explicit World(Definitions d) : definitions(std::move(d)), linker(definitions, calls, diagnostics, &heard, nullptr) {}
  Definitions definitions;
  CallTree calls;
  Diagnostics diagnostics;
  Collect heard;
  Linker linker;
};

TEST(Linker, AMillionMessagesInFlightAreMatchedInAnyOrderOfTheirTags) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  constexpr std::uint32_t n = 1'000'000;
  for (std::uint32_t i = 0; i < n; ++i) {
    sender.send(10 * i, 1, i);
    if (i % 1000 == 999) sender.flush();
  }
  sender.flush(true);
  EXPECT_EQ(s.linker.open_messages(), n);
  for (std::uint32_t i = 0; i < n; ++i) {  // the youngest first
    receiver.recv(10 * (n + i), 0, n - 1 - i);
    if (i % 1000 == 999) receiver.flush();
  }
  receiver.flush(true);
  s.linker.finish();
  EXPECT_EQ(s.linker.messages_matched(), n);
  EXPECT_EQ(s.linker.open_messages(), 0u);
  ASSERT_EQ(s.heard.tags.size(), n);
  EXPECT_EQ(s.heard.tags.front(), n - 1);
  EXPECT_EQ(s.heard.tags.back(), 0u);
}

TEST(Linker, WhatIsDoneIsLetGo) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  for (std::uint32_t round = 0; round < 1000; ++round) {
    for (std::uint32_t i = 0; i < 10; ++i) sender.send(1000 * round + 10 * i, 1, round * 10 + i);  // every tag is new
    sender.flush();
    for (std::uint32_t i = 0; i < 10; ++i) receiver.recv(1000 * round + 10 * i + 500, 0, round * 10 + i);
    receiver.flush();
    ASSERT_EQ(s.linker.open_messages(), 0u);
  }
}

// Two queues of which nothing is received before all has been sent.
TEST(Linker, SendsInLongQueuesAreSpilledUntilTheyAreReceived) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  constexpr std::uint32_t n = static_cast<std::uint32_t>(Linker::most_in_memory) * 3;
  for (std::uint32_t i = 0; i < n; ++i) {
    sender.send(10 * i, 1, i % 2);
    if (i % 1000 == 999) sender.flush();
    ASSERT_LE(s.linker.open_messages(), Linker::most_in_memory + 1000);
  }
  sender.flush(true);
  EXPECT_GE(s.linker.spilled(), n - Linker::most_in_memory - 1000);
  for (std::uint32_t i = 0; i < n; ++i) {
    receiver.recv(10 * (n + i), 0, i < n / 2 ? 1 : 0);
    if (i % 1000 == 999) receiver.flush();
  }
  receiver.flush(true);
  s.linker.finish();
  EXPECT_EQ(s.linker.messages_matched(), n);
  EXPECT_EQ(s.linker.open_messages(), 0u);
  EXPECT_EQ(s.linker.spilled(), 0u);
  EXPECT_EQ(s.heard.non_members, 0u);
  ASSERT_EQ(s.heard.sent.size(), n);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(s.heard.sent[i], 10 * (i < n / 2 ? 2 * i + 1 : 2 * (i - n / 2)) + 1);
}

// Messages that were spilled and have been received since hold back nothing any more.
TEST(Linker, SendsThatWereSpilledAreForgottenOnceTheyAreReceived) {
  struct Bounds : Collect {
    Time bound = 0;
    Wanted wanted() const override { return {.interests = interest_completed_receives | interest_overtaken}; }
    void watermark(ProcessId, Time t) override { bound = t; }
  } heard;
  const Definitions d = two_processes(1);
  CallTree call_tree;
  Diagnostics diagnostics;
  Linker linker(d, call_tree, diagnostics, &heard, nullptr);
  Feed sender(d, linker, 0), receiver(d, linker, 1);
  constexpr std::uint32_t n = static_cast<std::uint32_t>(Linker::most_in_memory) * 2;
  const auto exchange = [&](std::uint32_t from, std::uint32_t to, std::uint32_t at_once) {
    for (std::uint32_t first = from; first < to; first += at_once) {
      for (std::uint32_t i = first; i < first + at_once; ++i) {
        sender.send(10 * i, 1, 1);
        if (i % 1000 == 999) sender.flush();
      }
      if (first == 0) {
        EXPECT_GT(linker.spilled(), 0u);
      }
      for (std::uint32_t i = first; i < first + at_once; ++i) {
        receiver.recv(10 * i + 5, 0, 1);
        if (i % 1000 == 999) receiver.flush();
      }
    }
  };
  exchange(0, n / 1000 * 1000, n / 1000 * 1000);
  exchange(n / 1000 * 1000, 4 * (n / 1000 * 1000), 1000);
  EXPECT_EQ(linker.open_messages(), 0u);
  EXPECT_GT(heard.bound, Time{10} * n);
}

TEST(Linker, SendsThatWereSpilledAndAreNotReceivedAreCounted) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  constexpr std::uint32_t n = static_cast<std::uint32_t>(Linker::most_in_memory) * 2, received = 5000;
  for (std::uint32_t i = 0; i < n; ++i) {
    sender.send(10 * i, 1, 1);
    if (i % 1000 == 999) sender.flush();
  }
  sender.flush(true);
  for (std::uint32_t i = 0; i < received; ++i) receiver.recv(10 * (n + i), 0, 1);
  receiver.flush(true);
  EXPECT_GT(s.linker.spilled(), n / 3);
  s.linker.finish();
  EXPECT_EQ(s.linker.messages_matched(), received);
  EXPECT_EQ(s.diagnostics[DiagnosticId::send_unmatched].count, n - received);
  EXPECT_EQ(s.linker.spilled(), 0u);
}

// A receiver waits for one sender after the other, whose messages come late each time.
TEST(Linker, WaitsThatAreOverAreForgotten) {
  World s(processes(3));
  Feed senders[] = {{s.definitions, s.linker, 0}, {s.definitions, s.linker, 1}};
  Feed receiver(s.definitions, s.linker, 2);
  for (std::uint32_t i = 0; i < 10000; ++i) {
    receiver.recv(10 * i, i % 2, i);
    receiver.flush();
    senders[i % 2].send(10 * i + 5, 2, i);
    senders[i % 2].flush();
    ASSERT_LE(s.linker.waiters(), 40u);
  }
  EXPECT_EQ(s.heard.tags.size(), 10000u);
  receiver.recv(200000, 0, 1);  // never sent: given up when the sender has ended
  receiver.recv(200010, 1, 2);
  receiver.flush();
  senders[1].send(200005, 2, 2);
  senders[1].flush();
  EXPECT_EQ(s.heard.tags.size(), 10000u);
  senders[0].flush(true);
  EXPECT_EQ(s.heard.tags.size(), 10001u);
}

TEST(Linker, AReceiverThatIsReadFirstWaits) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  for (std::uint32_t i = 0; i < 40000; ++i) receiver.recv(10 * i, 0, i);
  receiver.flush();
  EXPECT_TRUE(s.heard.tags.empty());
  EXPECT_TRUE(s.linker.waits_for_others(LocationId{1}));
  for (std::uint32_t i = 0; i < 40000; ++i) sender.send(10 * i, 1, i);
  sender.flush();
  EXPECT_EQ(s.heard.tags.size(), 40000u);
  EXPECT_FALSE(s.linker.waits_for_others(LocationId{1}));
}

// The oldest call waits for two processes, of which one ends first and the other sends then: nothing of what ends makes
// the location be looked at again, but its next call does.
TEST(Linker, AReceiveWhoseSenderHasEndedDoesNotHoldBackOthers) {
  const Definitions d = processes(3);
  CallTree call_tree;
  Diagnostics diagnostics;
  Collect heard;
  Linker linker(d, call_tree, diagnostics, &heard, nullptr);
  Feed receiver(d, linker, 0), sender(d, linker, 1), ended(d, linker, 2);
  receiver.recv_all(0, {1, 2}, 5);
  receiver.flush();
  ended.flush(true);
  sender.send(0, 0, 5);
  sender.flush();
  EXPECT_TRUE(heard.tags.empty());
  receiver.recv(10, 1, 6);
  receiver.flush();
  sender.send(10, 0, 6);
  sender.flush();
  EXPECT_EQ(heard.tags, (std::vector<std::uint32_t>{5, 6}));
  EXPECT_EQ(diagnostics[DiagnosticId::recv_unmatched].count, 1u);
}

// Each waits for the other: location 1 for a message that was never sent, location 0 for what 1 sends after what has
// been read of it. It is known that the message is missing when its sender has ended, and not before.
TEST(Linker, WhereAllWaitNoReceiveIsGivenUpBeforeItsSenderEnds) {
  constexpr std::uint32_t many = static_cast<std::uint32_t>(MessageDelivery::most_waiting);
  World s;
  Feed zero(s.definitions, s.linker, 0), one(s.definitions, s.linker, 1);
  one.send(0, 0, 1);
  one.recv_all(10, {0, 0}, 2);  // the second of them is never sent
  for (std::uint32_t i = 0; i < many; ++i) one.recv(100 + 10 * i, 0, 3);
  one.flush();
  zero.recv(20, 1, 1);
  zero.send(30, 1, 2);
  for (std::uint32_t i = 0; i < many; ++i) zero.recv(10 * (many + i), 1, 4);  // sent after what has been read of 1
  zero.flush();
  EXPECT_TRUE(s.linker.waits_for_others(LocationId{0}));
  EXPECT_TRUE(s.linker.waits_for_others(LocationId{1}));
  EXPECT_EQ(s.heard.tags, (std::vector<std::uint32_t>{1}));
  for (std::uint32_t i = 0; i < many; ++i) one.send(10 * (many + i), 0, 4);
  one.flush(true);
  for (std::uint32_t i = 0; i < many; ++i) zero.send(20 * (many + i), 1, 3);
  zero.flush();
  EXPECT_EQ(s.heard.tags.size(), 1 + many);
  EXPECT_EQ(s.diagnostics[DiagnosticId::recv_unmatched].count, 0u);
  zero.flush(true);
  s.linker.finish();
  EXPECT_EQ(s.heard.tags.size(), 2 + 2 * many);
  EXPECT_EQ(s.diagnostics[DiagnosticId::recv_unmatched].count, 1u);
  EXPECT_EQ(s.diagnostics[DiagnosticId::send_unmatched].count, 0u);
  EXPECT_EQ(s.linker.open_messages(), 0u);
}

// The first message is never sent, which is known when its sender ends, after all the others.
TEST(Linker, ReceivesBehindOneThatWaitsAreSpilledUntilItIsGivenUp) {
  World s(processes(3));
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1), silent(s.definitions, s.linker, 2);
  constexpr std::uint32_t n = static_cast<std::uint32_t>(Linker::most_in_memory) * 3;
  receiver.recv(0, 2, 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    sender.send(10 * i, 1, i % 7);
    receiver.recv(10 * i + 5, 0, i % 7);
    if (i % 1000 != 999) continue;
    sender.flush();
    receiver.flush();
    ASSERT_LE(s.linker.open_messages(), Linker::most_in_memory + 1000);
  }
  sender.flush(true);
  receiver.flush(true);
  EXPECT_TRUE(s.heard.tags.empty());
  EXPECT_EQ(s.linker.messages_matched(), n);
  silent.flush(true);
  s.linker.finish();
  ASSERT_EQ(s.heard.sent.size(), n);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(s.heard.sent[i], 10 * i + 1);
  EXPECT_EQ(s.heard.non_members, 0u);
  EXPECT_EQ(s.diagnostics[DiagnosticId::recv_unmatched].count, 1u);
  EXPECT_EQ(s.linker.open_messages(), 0u);
}

TEST(Linker, ReceivesAfterTheSendersEndDoNotDisturbOtherChannels) {
  World s;
  Feed sender(s.definitions, s.linker, 0), receiver(s.definitions, s.linker, 1);
  sender.flush(true);
  for (std::uint32_t i = 0; i < 10; ++i) {
    receiver.recv(100 * i, 0, 1);  // nobody sends it any more
    receiver.flush();
    receiver.send(100 * i + 10, 0, 2);  // takes the place of the given up receive
    receiver.flush();
  }
  receiver.flush(true);
  s.linker.finish();
  EXPECT_EQ(s.diagnostics[DiagnosticId::recv_unmatched].count, 10u);
  EXPECT_EQ(s.diagnostics[DiagnosticId::send_unmatched].count, 10u);
}

TEST(Linker, RecordsOfThreadsAreTakenInOrderOfTime) {
  // Two threads of process 1 receive equal tags alternately: the first message belongs to the earlier receive, although
  // the later thread is read first.
  World s(2);
  Feed sender(s.definitions, s.linker, 0), first(s.definitions, s.linker, 1), second(s.definitions, s.linker, 2);
  for (Time t : {1, 2, 3, 4}) sender.send(10 * t, 1, 7);
  sender.flush(true);
  second.recv(200, 0, 7);
  second.recv(400, 0, 7);
  second.flush(true);
  EXPECT_TRUE(s.heard.tags.empty());  // thread 1 may still bring an earlier one
  first.recv(100, 0, 7);
  first.recv(300, 0, 7);
  first.flush(true);
  s.linker.finish();
  EXPECT_EQ(s.linker.messages_matched(), 4u);
  EXPECT_EQ(s.heard.tags.size(), 4u);
}

}  // namespace
}  // namespace waitstate::link
