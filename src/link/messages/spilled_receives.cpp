#include "link/messages/spilled_receives.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace waitstate::link {

bool SpilledReceives::may_spill(CallRef call) const {
  const CallState& c = calls_[call];
  if (c.records_left != 0 || c.open_receives != 0 || c.open_sends != 0 || c.completions != CallState::none)
    return false;
  std::uint32_t uses = 1;  // its delivery
  const auto count = [&](const MessageState& m) {
    for (const CallRef used : {m.send_call, m.recv_post, m.recv_call, m.send_done_call}) uses += used == call;
  };
  for (MessageRef m = c.first_receive; m != Messages::none; m = messages_[m].next_receive) count(messages_[m]);
  for (MessageRef m = c.first_send; m != Messages::none; m = messages_[m].next_send) {
    if (messages_[m].recv_call == call) return false;  // to itself
    if (!messages_[m].shows_receive()) return false;
    count(messages_[m]);
  }
  return c.uses == uses;
}

// --- out of memory ---------------------------------------------------------------------------------------------------

std::optional<SpilledReceives::Row> SpilledReceives::spill(std::span<const CallRef> calls) {
  bytes_.clear();
  Time first_sent = ~Time{0};
  for (const CallRef call : calls) {
    put(call);
    for (MessageRef m = calls_[call].first_receive; m != Messages::none; m = messages_[m].next_receive)
      first_sent = std::min(first_sent, messages_[m].send_time);
  }
  const auto place = file_.put(bytes_);
  if (!place) return std::nullopt;
  Row row{*place, static_cast<std::uint32_t>(bytes_.size()), 0};
  if (in_flight_ != nullptr) {
    const LocationId receiver = calls_[calls.front()].call.location;
    row.run = messages_.add_run({*place, static_cast<std::uint32_t>(calls.size()), receiver, first_sent, {}});
    in_flight_->add(processes_.of(receiver), QueueEntry::of_run(row.run), first_sent);
  }
  for (const CallRef call : calls) let_go(call);
  return row;
}

void SpilledReceives::put(CallRef call) {
  const CallState& c = calls_[call];
  SpilledCall spilled{.call = c.call, .account = {}};
  if (CallAccounts* const accounts = calls_.accounts()) spilled.account = accounts->get(call);
  for (MessageRef m = c.first_receive; m != Messages::none; m = messages_[m].next_receive) ++spilled.receives;
  for (MessageRef m = c.first_send; m != Messages::none; m = messages_[m].next_send) ++spilled.sends;
  append(spilled);
  for (MessageRef m = c.first_receive; m != Messages::none; m = messages_[m].next_receive) put(call, m);
  for (MessageRef m = c.first_send; m != Messages::none; m = messages_[m].next_send) put(call, m);
}

void SpilledReceives::put(CallRef call, MessageRef message) {
  const MessageState& m = messages_[message];
  append(SpilledMessage{m, calls_[m.send_call].call, calls_[m.recv_post].call, calls_[m.recv_call].call,
                        m.send_call == call, m.recv_post == call, m.recv_call == call});
}

void SpilledReceives::let_go(CallRef call) {
  if (CallAccounts* const accounts = calls_.accounts()) accounts->add(call);  // without an account
  CallState& c = calls_[call];
  for (MessageRef m = c.first_receive, next = Messages::none; m != Messages::none; m = next) {
    next = messages_[m].next_receive;
    messages_[m].delivered = true;  // the run stands for it
    messages_.release(m);
  }
  for (MessageRef m = c.first_send, next = Messages::none; m != Messages::none; m = next) {
    next = messages_[m].next_send;
    messages_.release(m);
  }
  c.first_receive = c.last_receive = c.first_send = c.last_send = Messages::none;
  calls_.release(call);
}

template <class T>
void SpilledReceives::append(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t at = bytes_.size();
  bytes_.resize(at + sizeof value);
  std::memcpy(bytes_.data() + at, &value, sizeof value);
}

// --- into memory -----------------------------------------------------------------------------------------------------

template <class T>
T SpilledReceives::next() {
  T value;
  std::memcpy(&value, bytes_.data() + read_, sizeof value);
  read_ += sizeof value;
  return value;
}

void SpilledReceives::bring_back(const Row& row, util::FrontQueue<CallRef>& calls) {
  bytes_.resize(row.bytes);
  file_.take(row.place, bytes_);
  if (in_flight_ != nullptr) messages_.release_run(row.run);
  LocationId location;
  for (read_ = 0; read_ != bytes_.size();) calls.push_back(bring_back_call(location));
  if (in_flight_ != nullptr) in_flight_->tell_if_many(processes_.of(location));
}

CallRef SpilledReceives::bring_back_call(LocationId& location) {
  const auto spilled = next<SpilledCall>();
  location = spilled.call.location;
  const CallRef call = copy_of(spilled.call);
  if (CallAccounts* const accounts = calls_.accounts()) accounts->put(call, spilled.account);
  CallState& c = calls_[call];
  c.has_receives = true;
  for (std::uint32_t i = 0; i < spilled.receives; ++i) {
    const MessageRef m = bring_back_message(call);
    messages_[m].delivered = false;
    messages_.add_to_receives(m);
    if (in_flight_ != nullptr)
      in_flight_->add(processes_.of(location), QueueEntry::of_message(m), messages_[m].send_time);
  }
  c.open_receives = 0;
  for (std::uint32_t i = 0; i < spilled.sends; ++i) messages_.complete_send(bring_back_message(call), call);
  return call;
}

// It is used once, by the call.
MessageRef SpilledReceives::bring_back_message(CallRef call) {
  const auto spilled = next<SpilledMessage>();
  const MessageRef id = messages_.add_again(spilled.message);
  MessageState& m = messages_[id];
  m.next_in_channel = {};
  m.next_receive = m.next_send = Messages::none;
  m.uses = 1;
  m.delivered = true;
  const auto call_of = [&](bool here, const Call& other) {
    if (here) calls_.keep(call);
    return here ? call : copy_of(other);
  };
  m.send_call = call_of(spilled.sent_here, spilled.send);
  m.recv_post = call_of(spilled.posted_here, spilled.post);
  m.recv_call = call_of(spilled.received_here, spilled.recv);
  m.send_done_call = Messages::none;
  return id;
}

CallRef SpilledReceives::copy_of(const Call& call) {
  const CallRef id = calls_.add(0);
  calls_[id].call = call;
  return id;
}

}  // namespace waitstate::link
