// Messages and calls: who keeps whom, and the lists that messages stand in.
#include "link/messages/messages.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/records.hpp"

namespace waitstate::link {
namespace {

struct MessagesOfCalls {
  CallRef call(Time enter) { return support::add_call(calls, 0, enter, enter + 5); }
  Calls calls;
  Messages messages{calls};
};

TEST(Messages, AMessageKeepsItsCallsUntilItIsReleasedTwice) {
  MessagesOfCalls m;
  const CallRef sent = m.call(10), received = m.call(20);
  const MessageRef id = m.messages.add();
  MessageState& state = m.messages[id];
  state.send_call = sent;
  state.recv_call = state.recv_post = received;
  m.calls.keep(received);  // once as the call that posted, once as the one that completed
  m.messages.complete_send(id, sent);
  EXPECT_EQ(m.calls[sent].uses, 2u);
  m.messages.release(id);
  EXPECT_EQ(m.calls.alive(), 2u);
  m.messages.release(id);
  EXPECT_EQ(m.calls.alive(), 0u);
  EXPECT_EQ(m.messages.alive(), 0u);
}

TEST(Messages, TheFirstCallThatCompletesASendCounts) {
  MessagesOfCalls m;
  const CallRef first = m.call(10), second = m.call(20);
  const MessageRef a = m.messages.add(), b = m.messages.add();
  m.messages.complete_send(a, first);
  m.messages.complete_send(b, first);
  m.messages.complete_send(a, second);
  EXPECT_EQ(m.messages[a].send_done_call, first);
  EXPECT_EQ(m.calls[first].first_send, a);
  EXPECT_EQ(m.messages[a].next_send, b);
  EXPECT_EQ(m.calls[first].last_send, b);
  EXPECT_EQ(m.calls[second].first_send, CallState::none);
  EXPECT_EQ(m.calls[first].open_sends, 2u);
}

TEST(Messages, ASendThatHasBeenReceivedIsNotOpen) {
  MessagesOfCalls m;
  const CallRef call = m.call(10);
  const MessageRef id = m.messages.add();
  m.messages[id].has_recv = true;
  m.messages.complete_send(id, call);
  EXPECT_EQ(m.calls[call].open_sends, 0u);
}

TEST(Messages, ReceivesOfACallStandInTheirOrder) {
  MessagesOfCalls m;
  const CallRef call = m.call(10);
  std::vector<MessageRef> added;
  for (int i = 0; i < 3; ++i) {
    added.push_back(m.messages.add());
    m.messages[added.back()].recv_call = call;
    m.messages.add_to_receives(added.back());
  }
  std::vector<MessageRef> listed;
  for (MessageRef r = m.calls[call].first_receive; r != Messages::none; r = m.messages[r].next_receive)
    listed.push_back(r);
  EXPECT_EQ(listed, added);
  EXPECT_EQ(m.calls[call].open_receives, 3u);
}

TEST(Messages, AViewShowsBothHalvesWithTheirCalls) {
  MessagesOfCalls m;
  const MessageRef id = m.messages.add();
  MessageState& state = m.messages[id];
  state.sender = LocationId{1}, state.receiver = LocationId{2};
  state.comm = CommId{3}, state.tag = 4, state.bytes = 5, state.send_time = 6, state.recv_time = 7;
  state.send_call = m.call(10), state.recv_post = m.call(20), state.recv_call = m.call(30);
  const Message v = m.messages.view(id);
  EXPECT_EQ(v.sender, LocationId{1});
  EXPECT_EQ(v.receiver, LocationId{2});
  EXPECT_EQ(v.comm, CommId{3});
  EXPECT_EQ((std::vector<std::uint64_t>{v.tag, v.bytes, v.send_time, v.recv_time}),
            (std::vector<std::uint64_t>{4, 5, 6, 7}));
  EXPECT_EQ((std::vector<Time>{v.send->enter, v.recv_post->enter, v.recv->enter}), (std::vector<Time>{10, 20, 30}));
}

TEST(QueueEntry, IsAMessageARunOrNothing) {
  const QueueEntry message = QueueEntry::of_message(5), run = QueueEntry::of_run(5), nothing;
  EXPECT_TRUE(message.exists() && message.is_message() && !message.is_run());
  EXPECT_TRUE(run.exists() && run.is_run() && !run.is_message());
  EXPECT_TRUE(!nothing.exists() && !nothing.is_run() && !nothing.is_message());
  EXPECT_EQ(message.message(), 5u);
  EXPECT_EQ(run.run(), 5u);
  EXPECT_NE(message, run);
}

TEST(Calls, ACallIsGoneWithItsLastUseAndItsNumberIsGivenOutAgain) {
  Calls calls;
  const CallRef id = calls.add(2);
  EXPECT_EQ(calls[id].records_left, 2u);
  calls[id].open_sends = 7;
  calls.keep(id);
  calls.release(id);
  EXPECT_EQ(calls.alive(), 1u);
  calls.release(id);
  EXPECT_EQ(calls.alive(), 0u);
  EXPECT_EQ(calls.add(1), id);
  EXPECT_EQ(calls[id].open_sends, 0u) << "nothing is left of the call before";
  calls.keep(id);
  calls.forget(id);
  EXPECT_EQ(calls.alive(), 0u);
}

}  // namespace
}  // namespace waitstate::link
