// Which sends may leave the memory, that they come back as they were, and when the next ones go.
#include "link/messages/spilled_sends.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct SendsInMemory {
  explicit SendsInMemory(std::size_t most = 4) : spilled(messages, calls, most) {}

  /// A send that has completed in its own call, which has been linked.
  MessageRef lone_send(Time t) {
    const CallRef call = support::add_call(calls, 0, t, t + 5);
    const MessageRef m = messages.add();
    messages[m].has_send = true;
    messages[m].send_call = call;
    messages[m].send_time = t + 1;
    messages[m].bytes = 100 * t;
    messages[m].receiver = LocationId{1};
    calls.keep(call);
    messages.complete_send(m, call);
    calls[call].records_left = 0;
    return m;
  }
  bool may_spill(MessageRef m) const { return spilled.may_spill(QueueEntry::of_message(m)); }

  Calls calls;
  Messages messages{calls};
  SpilledSends spilled;
};

TEST(SpilledSends, OnlyALoneSendMayGo) {
  SendsInMemory s;
  EXPECT_TRUE(s.may_spill(s.lone_send(10)));
  EXPECT_FALSE(s.spilled.may_spill({})) << "the end of a queue";
  EXPECT_FALSE(s.spilled.may_spill(QueueEntry::of_run(3))) << "it has gone already";

  const MessageRef received = s.lone_send(20);
  s.messages[received].has_recv = true;
  EXPECT_FALSE(s.may_spill(received));
  const MessageRef elsewhere = s.lone_send(30);
  s.messages[elsewhere].send_done_call = s.messages[received].send_call;
  EXPECT_FALSE(s.may_spill(elsewhere)) << "it completed in another call";
  const MessageRef unlinked = s.lone_send(40);
  s.calls[s.messages[unlinked].send_call].records_left = 1;
  EXPECT_FALSE(s.may_spill(unlinked)) << "its call is still being linked";
  const MessageRef kept = s.lone_send(50);
  s.calls.keep(s.messages[kept].send_call);
  EXPECT_FALSE(s.may_spill(kept)) << "somebody else needs its call";
  const MessageRef receives = s.lone_send(60);
  s.calls[s.messages[receives].send_call].has_receives = true;
  EXPECT_FALSE(s.may_spill(receives)) << "its call receives, too";
  const MessageRef first = s.lone_send(70), second = s.lone_send(80);
  s.calls[s.messages[first].send_call].last_send = second;
  EXPECT_FALSE(s.may_spill(first)) << "its call sends two";
}

TEST(SpilledSends, ARowGoesAndComesBackAsItWas) {
  SendsInMemory s;
  const std::vector<MessageRef> row{s.lone_send(10), s.lone_send(20), s.lone_send(30)};
  const auto run = s.spilled.spill(row);
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->is_run());
  EXPECT_EQ(s.messages.alive(), 0u);
  EXPECT_EQ(s.calls.alive(), 0u);
  EXPECT_EQ(s.spilled.size(), 3u);
  const SpilledRun& in_queue = s.messages.run(run->run());
  EXPECT_EQ(in_queue.count, 3u);
  EXPECT_EQ(in_queue.first_time, 11u);
  EXPECT_EQ(in_queue.receiver, LocationId{1});

  std::vector<Time> sent;
  for (const SpilledSends::Send& send : s.spilled.take(*run)) {
    const MessageRef m = s.spilled.bring_back(send);
    const MessageState& state = s.messages[m];
    const Call& call = s.calls[state.send_call].call;
    sent.push_back(state.send_time);
    EXPECT_EQ(call.enter, state.send_time - 1);
    EXPECT_EQ(state.bytes, 100 * call.enter);
    EXPECT_TRUE(s.may_spill(m)) << "it may go again";
  }
  EXPECT_EQ(sent, (std::vector<Time>{11, 21, 31}));
  EXPECT_EQ(s.spilled.size(), 0u);
  EXPECT_EQ(s.messages.alive(), 3u);
}

TEST(SpilledSends, TheNextOnesGoWhenTwiceAsManyAreThereAsHadToStay) {
  SendsInMemory s(4);
  std::vector<MessageRef> row;
  for (Time t = 0; t < 3; ++t) row.push_back(s.lone_send(10 * t));
  EXPECT_FALSE(s.spilled.due());
  row.push_back(s.lone_send(40));
  EXPECT_TRUE(s.spilled.due());
  s.spilled.begin();
  s.spilled.end();  // all had to stay
  EXPECT_FALSE(s.spilled.due());
  for (Time t = 0; t < 4; ++t) s.lone_send(100 + t);
  EXPECT_TRUE(s.spilled.due());
}

TEST(SpilledSends, WhatComesBackSoonIsSpilledLater) {
  SendsInMemory s(4);
  std::vector<MessageRef> row;
  for (Time t = 0; t < 4; ++t) row.push_back(s.lone_send(10 * t));
  s.spilled.begin();
  const auto run = s.spilled.spill(row);
  s.spilled.end();
  for (const SpilledSends::Send& send : s.spilled.take(*run)) s.spilled.bring_back(send);
  EXPECT_TRUE(s.spilled.due());
  s.spilled.begin();
  s.spilled.end();
  for (Time t = 0; t < 3; ++t) s.lone_send(100 + t);
  EXPECT_FALSE(s.spilled.due()) << "eight may stay by now";
  s.lone_send(200);
  EXPECT_TRUE(s.spilled.due());
}

TEST(SpilledSends, AnAccountComesBackWithItsCall) {
  CallAccounts accounts(0, ~Time{0});
  Calls calls{&accounts};
  Messages messages{calls};
  SpilledSends spilled(messages, calls, 4);
  const CallRef call = support::add_call(calls, 0, 10, 20);
  accounts.open(call, 7);
  const MessageRef m = messages.add();
  messages[m].has_send = true;
  messages[m].send_call = call;
  calls.keep(call);
  messages.complete_send(m, call);
  const auto run = spilled.spill(std::vector{m});
  EXPECT_FALSE(accounts.is_open(call)) << "or it would be closed once more in the end";
  const MessageRef back = spilled.bring_back(spilled.take(*run)[0]);
  const CallRef again = messages[back].send_call;
  EXPECT_TRUE(accounts.is_open(again));
  EXPECT_EQ(accounts.exclusive(again), 7);
}

}  // namespace
}  // namespace waitstate::link
