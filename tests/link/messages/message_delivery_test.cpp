// Delivery alone: a call's messages are told when all are known, and in the order of the location's calls.
#include "link/messages/message_delivery.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace waitstate::link {
namespace {

struct MessagesTold : Listener {
  std::vector<std::uint32_t> received;  ///< tags
  std::vector<std::uint32_t> sent;
  void completed_receives(const CompletedReceives& r) override {
    for (const Message& m : r.messages) received.push_back(m.tag);
  }
  void completed_sends(const CompletedSends& s) override {
    for (const Message& m : s.messages) sent.push_back(m.tag);
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
  MessageDelivery delivery{processes, calls, messages, channels, diagnostics, &told, nullptr};

  CallRef call(std::size_t location) {
    const CallRef id = calls.add(1);
    calls[id].call.location = LocationId{location};
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
