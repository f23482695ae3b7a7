// The watermark of a receiver: never later than a message that is still to be delivered, and not held up by others.
#include "link/messages/messages_in_flight.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace waitstate::link {
namespace {

struct HeardReceives : Listener {
  std::vector<std::pair<ProcessId, Time>> told;
  void watermark(ProcessId receiver, Time t) override { told.emplace_back(receiver, t); }
};

struct Flight {
  static Definitions definitions() {
    Definitions d;
    d.processes.resize(2);
    d.locations.resize(2);
    for (const std::size_t i : {0, 1}) d.locations[i].process = ProcessId{i};
    return d;
  }
  Processes processes{definitions()};
  Calls calls;
  Messages messages{calls};
  HeardReceives heard;
  MessagesInFlight in_flight{messages, processes, heard};

  MessageRef send(Time t, std::size_t to = 1) {
    const MessageRef id = messages.add();
    MessageState& m = messages[id];
    m.has_send = true;
    m.send_time = t;
    m.receiver = LocationId{to};
    in_flight.tell_if_many(ProcessId{to});
    in_flight.add(ProcessId{to}, QueueEntry::of_message(id), t);
    return id;
  }
  void deliver(MessageRef m) {
    messages[m].delivered = true;
    messages.release(m);
    messages.release(m);
  }
};

using Told = std::vector<std::pair<ProcessId, Time>>;

TEST(MessagesInFlight, TheOldestThatIsNotDeliveredIsTheWatermark) {
  Flight f;
  f.in_flight.all_linked_until(1000);
  std::vector<MessageRef> sent;
  for (Time t = 1; t <= 16; ++t) sent.push_back(f.send(t));
  EXPECT_TRUE(f.heard.told.empty());
  for (std::size_t i = 0; i < 5; ++i) f.deliver(sent[i]);
  f.send(17);
  EXPECT_EQ(f.heard.told, (Told{{ProcessId{1}, 6}}));
}

TEST(MessagesInFlight, WhatIsStillToBeReadHoldsTheWatermarkBack) {
  Flight f;
  f.in_flight.all_linked_until(3);
  for (Time t = 10; t <= 26; ++t) f.send(t);
  EXPECT_EQ(f.heard.told, (Told{{ProcessId{1}, 3}}));
}

TEST(MessagesInFlight, ReceiversAreToldOnTheirOwn) {
  Flight f;
  f.in_flight.all_linked_until(1000);
  f.send(1, 0);
  for (Time t = 10; t <= 26; ++t) f.send(t);
  EXPECT_EQ(f.heard.told, (Told{{ProcessId{1}, 10}}));
}

// Constant cost per message: told when the list has doubled.
TEST(MessagesInFlight, MessagesThatStayMakeItTellLessOften) {
  Flight f;
  f.in_flight.all_linked_until(~Time{0});
  for (Time t = 1; t <= 1025; ++t) f.send(t);
  EXPECT_EQ(f.heard.told.size(), 7u);  // at 16, 32, ..., 1024
}

TEST(MessagesInFlight, ANumberThatIsGivenToAnotherMessageHoldsBackNothing) {
  Flight f;
  f.in_flight.all_linked_until(1000);
  for (Time t = 1; t <= 100; ++t) f.deliver(f.send(t));
  ASSERT_FALSE(f.heard.told.empty());
  EXPECT_EQ(f.heard.told.back().second, 1000u);
}

TEST(MessagesInFlight, ARunOfSpilledSendsCountsFromItsFirst) {
  Flight f;
  f.in_flight.all_linked_until(1000);
  const std::uint32_t run = f.messages.add_run({0, 20, LocationId{1}, 5, {}});
  f.in_flight.add(ProcessId{1}, QueueEntry::of_run(run), 5);
  for (Time t = 10; t <= 25; ++t) f.send(t);
  EXPECT_EQ(f.heard.told, (Told{{ProcessId{1}, 5}}));
  f.messages.release_run(run);
  for (Time t = 26; t <= 60; ++t) f.send(t);
  EXPECT_EQ(f.heard.told.back(), (std::pair{ProcessId{1}, Time{10}}));
}

}  // namespace
}  // namespace waitstate::link
