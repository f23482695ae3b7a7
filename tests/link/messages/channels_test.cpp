// Channels alone: which send a receive is matched with, and that spilled sends come back as they were.
#include "link/messages/channels.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace waitstate::link {
namespace {

/// So many processes of one location each.
Definitions of_one_location_each(std::size_t n) {
  Definitions d;
  d.processes.resize(n);
  d.locations.resize(n);
  for (std::size_t i = 0; i < n; ++i) d.locations[i].process = ProcessId{i};
  return d;
}

struct Room {
  explicit Room(std::size_t most_in_memory = 1 << 20) : spilled(messages, calls, most_in_memory) {}

  Definitions definitions = of_one_location_each(3);
  Processes known{definitions};
  Calls calls;
  Messages messages{calls};
  SpilledSends spilled;
  Channels channels{known, calls, messages, spilled, nullptr, nullptr};

  CallRef call(LocationId l, Time t) {
    const CallRef id = calls.add(0);
    calls[id].call = Call{};
    calls[id].call.location = l;
    calls[id].call.enter = t - 1;
    calls[id].call.exit = t + 1;
    return id;
  }
  static replay::CommRecord record(EventType type, std::size_t peer, std::uint32_t tag, Time t) {
    replay::CommRecord r;
    r.type = type;
    r.peer = LocationId{peer};
    r.tag = tag;
    r.comm = CommId{0};
    r.time = t;
    r.bytes = 10 * t;
    return r;
  }
  /// A blocking send, complete in its call.
  Channels::Half send(std::size_t from, std::size_t to, std::uint32_t tag, Time t) {
    const CallRef c = call(LocationId{from}, t);
    const auto half = channels.send(LocationId{from}, record(EventType::send, to, tag, t), c);
    messages.complete_send(half.message, c);
    return half;
  }
  Channels::Half receive(std::size_t at, std::size_t from, std::uint32_t tag, Time t) {
    const CallRef c = call(LocationId{at}, t);
    return channels.receive(LocationId{at}, record(EventType::recv, from, tag, t), c, {c});
  }
};

TEST(Channels, TagsCrossAndPairsAreInOrder) {
  Room room;
  const MessageRef a = room.send(0, 1, 7, 10).message, b = room.send(0, 1, 8, 20).message;
  const MessageRef c = room.send(0, 1, 7, 30).message;
  const auto first = room.receive(1, 0, 8, 40), second = room.receive(1, 0, 7, 50), third = room.receive(1, 0, 7, 60);
  EXPECT_TRUE(first.matched && second.matched && third.matched);
  EXPECT_EQ(first.message, b);
  EXPECT_EQ(second.message, a);
  EXPECT_EQ(third.message, c);
  EXPECT_EQ(room.messages[b].send_time, 20u);
  EXPECT_EQ(room.messages[b].recv_time, 40u);
  EXPECT_EQ(room.messages[b].bytes, 200u);
  EXPECT_EQ(room.messages[b].sender, LocationId{0});
  EXPECT_EQ(room.messages[b].receiver, LocationId{1});
}

TEST(Channels, ReceivesThatComeFirstWaitInTheirOrder) {
  Room room;
  const auto first = room.receive(1, 0, 7, 40), second = room.receive(1, 0, 7, 50);
  EXPECT_FALSE(first.matched);
  EXPECT_FALSE(second.matched);
  EXPECT_EQ(room.send(0, 1, 7, 10).message, first.message);
  EXPECT_EQ(room.send(0, 1, 7, 20).message, second.message);
  EXPECT_FALSE(room.send(0, 1, 7, 30).matched);
}

TEST(Channels, OtherProcessesAndCommunicatorsAreOtherChannels) {
  Room room;
  room.send(0, 1, 7, 10);
  EXPECT_FALSE(room.receive(1, 2, 7, 20).matched);
  EXPECT_FALSE(room.receive(2, 0, 7, 20).matched);
  EXPECT_FALSE(room.receive(0, 1, 7, 20).matched);
  replay::CommRecord r = Room::record(EventType::recv, 0, 7, 20);
  r.comm = CommId{1};
  const CallRef c = room.call(LocationId{1}, 20);
  EXPECT_FALSE(room.channels.receive(LocationId{1}, r, c, {c}).matched);
}

TEST(Channels, AReceiveThatIsTakenOutIsNotMatched) {
  for (const std::size_t out : {0, 1, 2}) {
    Room room;
    std::vector<MessageRef> receives;
    for (const Time t : {40, 50, 60}) receives.push_back(room.receive(1, 0, 7, t).message);
    room.channels.remove_receive(receives[out]);
    receives.erase(receives.begin() + static_cast<std::ptrdiff_t>(out));
    for (const MessageRef m : receives) EXPECT_EQ(room.send(0, 1, 7, 10).message, m);
    EXPECT_FALSE(room.send(0, 1, 7, 10).matched);
  }
}

TEST(Channels, SpilledSendsComeBackEqual) {
  Room room(100);
  constexpr Time n = 2000;
  for (Time t = 1; t <= n; ++t) room.send(0, 1, 7, 10 * t);
  EXPECT_TRUE(room.spilled.due());
  room.channels.spill();
  EXPECT_FALSE(room.spilled.due());
  EXPECT_EQ(room.spilled.size() + room.messages.alive(), n);
  EXPECT_EQ(room.calls.alive(), room.messages.alive());
  EXPECT_LT(room.messages.alive(), 32u);
  room.send(0, 1, 7, 10 * (n + 1));  // behind what was spilled
  for (Time t = 1; t <= n + 1; ++t) {
    const auto half = room.receive(1, 0, 7, 100000 + t);
    ASSERT_TRUE(half.matched);
    const MessageState& m = room.messages[half.message];
    ASSERT_EQ(m.send_time, 10 * t);
    ASSERT_EQ(m.bytes, 100 * t);
    ASSERT_EQ(m.tag, 7u);
    ASSERT_EQ(m.sender, LocationId{0});
    ASSERT_EQ(m.send_call, m.send_done_call);
    const CallState& c = room.calls[m.send_call];
    ASSERT_EQ(c.call.location, LocationId{0});
    ASSERT_EQ(c.call.enter, 10 * t - 1);
    ASSERT_EQ(c.call.exit, 10 * t + 1);
    ASSERT_EQ(c.first_send, half.message);
    ASSERT_EQ(c.uses, 3u);
  }
  EXPECT_EQ(room.spilled.size(), 0u);
}

TEST(Channels, OnlySendsThatNothingElseRefersToAreSpilled) {
  Room room(100);
  for (Time t = 1; t <= 200; ++t) {
    const CallRef c = room.call(LocationId{0}, t);
    const auto half = room.channels.send(LocationId{0}, Room::record(EventType::isend, 1, 7, t), c);
    if (t == 100) continue;  // its request is open
    room.messages.complete_send(half.message, c);
    if (t == 150) room.calls.keep(c);
  }
  room.channels.spill();
  std::vector<Time> waiting, spilled;
  room.channels.take_sends([&](const SpilledSends::Send& s) { spilled.push_back(s.message.send_time); },
                           [&](MessageRef m) { waiting.push_back(room.messages[m].send_time); });
  std::vector<Time> front;
  for (Time t = 1; t <= 8; ++t) front.push_back(t);
  front.insert(front.end(), {100, 150});
  EXPECT_EQ(waiting, front);
  EXPECT_EQ(spilled.size(), 190u);
  EXPECT_FALSE(room.receive(1, 0, 7, 1000).matched);
}

TEST(Channels, WhatWaitsLongestCanBeLookedAt) {
  Room room(100);
  const Channels::ChannelKey key = room.channels.key(LocationId{0}, LocationId{1}, CommId{0}, 7);
  EXPECT_EQ(room.channels.front(key), Messages::none);
  const MessageRef m = room.send(0, 1, 7, 10).message;
  EXPECT_EQ(room.channels.front(key), m);
  room.receive(1, 0, 7, 20);
  EXPECT_EQ(room.channels.front(key), Messages::none);
}

}  // namespace
}  // namespace waitstate::link
