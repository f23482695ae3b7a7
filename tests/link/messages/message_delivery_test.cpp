// Delivery alone: a call's messages are told when all are known, and in the order of the location's calls.
#include "link/messages/message_delivery.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace waitstate::link {
namespace {

struct MessagesTold : Listener {
  std::vector<std::uint32_t> received;  ///< tags
  std::vector<std::uint32_t> sent;
  std::vector<std::vector<std::string>> all{3};  ///< the lines of each location
  void completed_receives(const CompletedReceives& r) override {
    for (const Message& m : r.messages) received.push_back(m.tag);
    tell("received", r.call, r.messages);
  }
  void completed_sends(const CompletedSends& s) override {
    for (const Message& m : s.messages) sent.push_back(m.tag);
    tell("sent", s.call, s.messages);
  }
  void tell(const char* what, const Call& call, std::span<const Message> messages) {
    std::string row = what + text(call);
    for (const Message& m : messages)
      row += ": " + std::to_string(m.tag) + text(*m.send) + text(*m.recv_post) + text(*m.recv);
    all[call.location.index()].push_back(row);
  }
  static std::string text(const Call& c) {
    return " " + std::to_string(c.location.value) + "@" + std::to_string(c.enter);
  }
};

/// Three processes of one location each; each call has one record.
struct Exchange {
  static Definitions three() {
    Definitions d;
    d.processes.resize(3);
    d.locations.resize(3);
    for (std::size_t i = 0; i < 3; ++i) d.locations[i].process = ProcessId{i};
    return d;
  }
  Processes processes{three()};
  Calls calls;
  Messages messages{calls};
  SpilledSends spilled{messages, calls, 1000};
  Channels channels{processes, calls, messages, spilled, nullptr, nullptr};
  Diagnostics diagnostics;
  MessagesTold told;
  Time now = 0;
  AwaySends away{spilled};
  MessageDelivery delivery{processes, calls, messages, channels, away, diagnostics, &told, nullptr, nullptr};

  CallRef call(std::size_t location, std::uint32_t records = 1) {
    const CallRef id = calls.add(records);
    calls[id].call = {};
    calls[id].call.location = LocationId{location};
    calls[id].call.enter = ++now;
    return id;
  }
  void close(CallRef call) {
    if (--calls[call].records_left == 0) delivery.call_closed(call);
  }
  static replay::CommRecord record(std::size_t peer, std::uint32_t tag) {
    replay::CommRecord r;
    r.peer = LocationId{peer};
    r.tag = tag;
    r.comm = CommId{0};
    return r;
  }
  void send(std::size_t from, std::size_t to, std::uint32_t tag) {
    const CallRef c = call(from);
    const auto [message, matched] = channels.send(LocationId{from}, record(to, tag), c);
    if (matched) delivery.matched(message);
    messages.complete_send(message, c);
    close(c);
  }
  void receive(std::size_t at, std::size_t from, std::uint32_t tag) {
    const CallRef c = call(at);
    delivery.completes_receives(LocationId{at}, c);
    const auto [message, matched] = channels.receive(LocationId{at}, record(from, tag), c, {c});
    if (matched) delivery.matched(message);
    close(c);
  }
  void send_and_receive(std::size_t at, std::size_t to, std::size_t from, std::uint32_t tag) {
    const CallRef c = call(at, 2);
    const auto [sent, sent_matched] = channels.send(LocationId{at}, record(to, tag), c);
    if (sent_matched) delivery.matched(sent);
    messages.complete_send(sent, c);
    close(c);
    delivery.completes_receives(LocationId{at}, c);
    const auto [received, matched] = channels.receive(LocationId{at}, record(from, tag), c, {c});
    if (matched) delivery.matched(received);
    close(c);
  }
  void end(std::size_t process) {
    processes.read(LocationId{process}, 0, 1, true);
    processes.end(ProcessId{process});
    delivery.process_ended(ProcessId{process});
  }
};

using Tags = std::vector<std::uint32_t>;

TEST(MessageDelivery, ReceivesOfALocationAreToldInTheOrderOfItsCalls) {
  Exchange e;
  e.receive(1, 0, 5);
  e.receive(1, 2, 6);
  e.send(2, 1, 6);
  EXPECT_EQ(e.told.received, Tags{});
  EXPECT_EQ(e.told.sent, Tags{6});  // the sender waits for nobody else
  e.send(0, 1, 5);
  EXPECT_EQ(e.told.received, (Tags{5, 6}));
  EXPECT_EQ(e.delivery.messages_matched(), 2u);
  EXPECT_EQ(e.messages.alive(), 0u);
  EXPECT_EQ(e.calls.alive(), 0u);
}

TEST(MessageDelivery, TheEndOfTheSenderLetsLaterReceivesPass) {
  Exchange e;
  e.receive(1, 0, 5);
  e.receive(1, 2, 6);
  e.send(2, 1, 6);
  e.end(0);
  EXPECT_EQ(e.told.received, Tags{6});
  EXPECT_EQ(e.delivery.missing_count(), 1u);
  EXPECT_EQ(e.diagnostics[DiagnosticId::recv_unmatched].count, 1u);
  e.receive(1, 0, 7);  // this one does not wait either
  EXPECT_EQ(e.delivery.missing_count(), 2u);
  EXPECT_EQ(e.calls.alive(), 0u);
}

TEST(MessageDelivery, SendsThatNobodyReceivesAreCountedAtTheEnd) {
  Exchange e;
  e.send(0, 1, 5);
  e.send(0, 1, 5);
  e.receive(1, 0, 5);
  e.delivery.finish();
  EXPECT_EQ(e.diagnostics[DiagnosticId::send_unmatched].count, 1u);
  EXPECT_EQ(e.told.sent, Tags{5});
}

// Two locations wait for a message that is never sent, and meanwhile exchange others with each other and with a third.
TEST(MessageDelivery, WhatStandsBehindAReceiveThatWaitsIsTheSameWhetherItIsSpilledOrNot) {
  const auto told = [](std::uint32_t seed, bool spills) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    Exchange e;
    e.receive(0, 2, 99);
    e.receive(1, 2, 99);
    std::uint64_t most_spilled = 0;
    for (int i = 0; i < 600; ++i) {
      const std::uint32_t at = below(3), to = (at + 1 + below(2)) % 3, from = (at + 1 + below(2)) % 3, tag = below(2);
      switch (below(3)) {
        case 0:
          e.send(at, to, tag);
          break;
        case 1:
          e.receive(at, from, tag);
          break;
        default:
          e.send_and_receive(at, to, from, tag);
      }
      if (i == 300) e.send(2, 1, 99);
      if (below(20) == 0 && spills) e.delivery.spill();
      most_spilled = std::max(most_spilled, e.delivery.spilled());
    }
    EXPECT_EQ(most_spilled > 0, spills);
    for (const std::size_t process : {1, 0, 2}) e.end(process);
    EXPECT_EQ(e.delivery.spilled(), 0u);
    e.delivery.finish();
    e.told.all.push_back({std::to_string(e.calls.alive())});  // sends that nobody receives keep theirs
    return e.told.all;
  };
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto expected = told(seed, false), found = told(seed, true);
    for (std::size_t l = 0; l < expected.size(); ++l) EXPECT_EQ(found[l], expected[l]) << seed;
  }
}

TEST(MessageDelivery, ALocationWithTooManyReceivesWaitsUntilTheirSendsCome) {
  Exchange e;
  const LocationId receiver{1};
  std::size_t n = 0;
  for (; !e.delivery.waits_for_others(receiver); ++n) e.receive(1, 0, 5);
  EXPECT_EQ(n, MessageDelivery::most_waiting / 3 + 1);
  e.send(0, 1, 5);
  EXPECT_FALSE(e.delivery.waits_for_others(receiver));
}

}  // namespace
}  // namespace waitstate::link
