#include "link/messages/message_delivery.hpp"

#include <algorithm>

#include "util/prefetch.hpp"

namespace waitstate::link {
namespace {

/// The send that the call starts waits for nobody.
bool is_buffered(const Call& call) {
  return call.function == MpiFunction::bsend || call.function == MpiFunction::ibsend;
}

// The front of a location's calls is not spilled, nor are rows too short to be worth a read.
constexpr std::size_t front_of_calls = 8, fewest_in_row = 16, most_in_row = 1024;

}  // namespace

MessageDelivery::MessageDelivery(const Processes& processes, Calls& calls, Messages& messages, Channels& channels,
                                 AwaySends& away, Diagnostics& diagnostics, Listener* listener,
                                 MessagesInFlight* in_flight, const MpiPresence* presence, MessageSearches* searches,
                                 Port* port)
    : processes_(processes),
      calls_(calls),
      messages_(messages),
      channels_(channels),
      away_(away),
      diagnostics_(diagnostics),
      listener_(listener),
      presence_(presence),
      message_searches_(searches),
      port_(port),
      wanted_(listener != nullptr ? listener->wanted() : Wanted{.interests = 0}),
      most_waiting_(std::max(most_waiting / std::max<std::size_t>(processes.locations(), 1), most_waiting_of_each)),
      receives_(processes.locations()),
      spilled_(processes, calls, messages, in_flight),
      first_receives_(processes.locations(), none),
      blocked_on_(processes.locations()),
      waiters_(processes.size()) {}

// --- what comes ------------------------------------------------------------------------------------------------------

void MessageDelivery::matched(MessageRef message) {
  const MessageState& m = messages_[message];
  ++matched_;
  if (m.recv_time < m.send_time)
    diagnostics_.add_between(DiagnosticId::clock_violation, processes_.recorded(m.sender),
                             processes_.recorded(m.receiver), {m.receiver, m.recv_time, {}},
                             static_cast<Ticks>(m.send_time - m.recv_time));
  if (m.received != 0) [[unlikely]]
    diagnostics_.add(m.received > 0 ? DiagnosticId::received_more : DiagnosticId::received_less,
                     {m.receiver, m.recv_time, {}});
  if (m.slot != none) answer(m);
  const CallRef done = m.send_done_call;
  const LocationId receiver = m.receiver;
  const CallRef received = m.recv_call;
  CallState& c = calls_[received];
  --c.open_receives;
  const bool receive_ready = c.open_receives == 0 && c.records_left == 0;
  if (done != none) --calls_[done].open_sends;
  if (receive_ready)
    deliver_receives_if_first(receiver, received);
  else if (first_receives_[receiver.index()] == received && blocked_on_[receiver.index()] == processes_.of(m.sender))
    blocked_on_[receiver.index()] = ProcessId::none();  // waits for somebody else now, who may have ended
  if (done != none) deliver_sends_if_ready(done);
}

// A receive that was posted before the send's call was not late for the call in which the send completes, which is
// entered later still; nor was one for a call in which the send completed at once, and which had ended.
void MessageDelivery::answer(const MessageState& m) {
  const Call &sent = calls_[m.send_call].call, &posted = calls_[m.recv_post].call;
  const bool may_be_late = posted.enter > sent.enter && (posted.enter < sent.exit || !m.at_once);
  if (!may_be_late && (wanted_.late_receives_only || !wanted_.sends()))
    return port_->post(m.sender_home, SendAnswer{m.slot, completes_requests(posted.function), posted.enter});
  ReceiveAnswer a;
  a.slot = m.slot;
  a.same_call = m.recv_post == m.recv_call;
  a.receiver = m.receiver;
  a.post_order = m.post_order;
  a.time = m.recv_time;
  a.call = calls_[m.recv_call].call;
  if (!a.same_call) a.post = posted;
  port_->post(m.sender_home, a);
}

void MessageDelivery::answered(const SendAnswer& a) {
  const MessageRef id = away_.take(a.slot);
  MessageState& m = messages_[id];
  m.has_recv = true;
  m.recv_time = a.posted;
  m.start_unknown = a.start_unknown;
  answer_is_in(id);
}

void MessageDelivery::answered(const ReceiveAnswer& a) {
  const MessageRef id = away_.take(a.slot);
  MessageState& m = messages_[id];
  m.has_recv = true;
  m.receiver = a.receiver;
  m.post_order = a.post_order;
  m.recv_time = a.time;
  m.recv_call = calls_.adopt(a.call);
  m.recv_post = a.same_call ? m.recv_call : calls_.adopt(a.post);
  if (a.same_call) calls_.keep(m.recv_call);
  answer_is_in(id);
}

void MessageDelivery::answer_is_in(MessageRef message) {
  const CallRef done = messages_[message].send_done_call;
  if (done != none) --calls_[done].open_sends;
  messages_.release(message);
  if (done != none) deliver_sends_if_ready(done);
}

void MessageDelivery::process_ended(ProcessId process) {
  std::vector<LocationId> waiters;
  waiters.swap(waiters_[process.index()].locations);
  for (const LocationId l : waiters) {
    blocked_on_[l.index()] = ProcessId::none();
    deliver_receives(l);
  }
}

// --- receives --------------------------------------------------------------------------------------------------------

// Delivers the completed receives of a location in order, up to the first that still waits for a sender.
void MessageDelivery::deliver_receives(LocationId l) {
  util::FrontQueue<CallRef>& receives = receives_[l.index()];
  const bool far = messages_.exceed_caches();
  while (!receives.empty()) {
    const CallRef call = receives.front();
    if (far && receives.size() > 1) prefetch(receives);
    CallState& c = calls_[call];
    if (c.records_left != 0) return;
    if (c.open_receives != 0) {
      for (MessageRef m = c.first_receive; m != none; m = messages_[m].next_receive) {
        const MessageState& message = messages_[m];
        if (message.has_send || message.missing) continue;
        const ProcessId sender = processes_.of(message.sender);
        if (processes_.ended(sender)) {
          mark_missing(m);
          continue;
        }
        wait_for(l, sender);
        return;
      }
    }
    receives.pop_front();
    if (receives.empty() && !behind_.empty()) bring_back(l);
    first_receives_[l.index()] = receives.empty() ? none : receives.front();
    deliver_receives_of(call);
  }
}

// Most waits end when the send is read: that the location is among the waiters is only of use if the sender ends first.
// Entries that by now wait for another process are removed when there are many.
void MessageDelivery::wait_for(LocationId l, ProcessId sender) {
  if (blocked_on_[l.index()] == sender) return;
  blocked_on_[l.index()] = sender;
  auto& [waiters, limit] = waiters_[sender.index()];
  if (waiters.size() >= limit) {
    const auto over = [&](LocationId w) { return blocked_on_[w.index()].valid() && blocked_on_[w.index()] != sender; };
    std::erase_if(waiters, [&](LocationId w) { return w == l || over(w); });
    std::sort(waiters.begin(), waiters.end());
    waiters.erase(std::unique(waiters.begin(), waiters.end()), waiters.end());
    limit = std::max(fewest_waiters, waiters.size() * 2);
  }
  waiters.push_back(l);
}

void MessageDelivery::deliver_receives_of(CallRef call) {
  CallState& c = calls_[call];
  if (message_searches_ != nullptr && message_searches_->any()) tell_searches(call);
  if (wanted_.receives()) {
    views_.clear();
    for (MessageRef m = c.first_receive; m != none; m = messages_[m].next_receive)
      if (!messages_[m].missing) views_.push_back(messages_.view(m));
    if (presence_ != nullptr)
      for (Message& m : views_) look_when_seen(m);
    listener_->completed_receives({c.call, views_, call, c.first_send != none});
  }
  c.receives_delivered = true;
  if (calls_.accounts() != nullptr) account_for_receives(call);
  if (wanted_.work) tell_of_missing_sends(call);
  for (MessageRef m = c.first_receive; m != none;) {
    const MessageRef next = messages_[m].next_receive;
    messages_[m].delivered = true;
    messages_.release(m);
    m = next;
  }
  finish_call(call);
}

void MessageDelivery::tell_searches(CallRef call) {
  for (MessageRef m = calls_[call].first_receive; m != none; m = messages_[m].next_receive) {
    const MessageState& message = messages_[m];
    if (message.searches == none) continue;
    if (message.missing)
      message_searches_->give_up(message.searches);
    else
      message_searches_->found(message.searches, messages_.view(m));
  }
}

void MessageDelivery::look_when_seen(Message& m) const {
  const Time posted = m.recv_post->enter;
  m.seen_time =
      m.send->enter < posted ? presence_->first_inside(processes_.of(m.receiver), m.send->enter, posted) : posted;
}

// --- sends -----------------------------------------------------------------------------------------------------------

void MessageDelivery::deliver_sends_if_ready(CallRef call) {
  const CallState& c = calls_[call];
  if (c.records_left == 0 && (!c.has_receives || c.receives_delivered)) finish_call(call);
}

// True if the receive of one of the sends that the call completes was posted during the call.
bool MessageDelivery::has_late_receive(const CallState& c) const {
  for (MessageRef m = c.first_send; m != none; m = messages_[m].next_send) {
    if (!messages_[m].shows_receive()) continue;
    const Time posted = calls_[messages_[m].recv_post].call.enter;
    if (posted > c.call.enter && posted < c.call.exit) return true;
  }
  return false;
}

// Everything of the call except its sends has been delivered.
void MessageDelivery::finish_call(CallRef call) {
  CallState& c = calls_[call];
  if (c.open_sends != 0) return;
  if (c.first_send != none) {
    if (wanted_.sends() && (c.receives_delivered || !wanted_.late_receives_only || has_late_receive(c))) {
      views_.clear();
      for (MessageRef m = c.first_send; m != none; m = messages_[m].next_send)
        if (messages_[m].shows_receive()) views_.push_back(messages_.view(m));
      if (!views_.empty() || c.receives_delivered) listener_->completed_sends({c.call, views_, 0, call});
    }
    if (calls_.accounts() != nullptr) account_for_sends(call);
    if (wanted_.work) tell_of_missing_receives(call);
    for (MessageRef m = c.first_send; m != none;) {
      const MessageRef next = messages_[m].next_send;
      messages_.release(m);
      m = next;
    }
    c.first_send = none;
  }
  calls_.release(call);
}

// --- what calls depend on --------------------------------------------------------------------------------------------

// The time on the sender to start the send.
void MessageDelivery::account_for_receives(CallRef call) {
  CallAccounts& accounts = *calls_.accounts();
  for (MessageRef m = calls_[call].first_receive; m != none; m = messages_[m].next_receive)
    if (messages_[m].missing)
      accounts.lacks(call, CallAccounts::Lack::partner);
    else
      accounts.depends(call, calls_[messages_[m].send_call].call.enter);
}

// The time on the receiver to post the receive, unless the message was buffered: then the call ended before that.
void MessageDelivery::account_for_sends(CallRef call) {
  CallAccounts& accounts = *calls_.accounts();
  for (MessageRef m = calls_[call].first_send; m != none; m = messages_[m].next_send) {
    const MessageState& message = messages_[m];
    if (is_buffered(calls_[message.send_call].call)) continue;
    if (!message.has_recv) {
      accounts.lacks(call, CallAccounts::Lack::partner);
      continue;
    }
    const bool shown = message.shows_receive();
    const Time posted = shown ? calls_[message.recv_post].call.enter : message.recv_time;
    // A call that completes stands for the one that posted, which has no record.
    if (shown ? completes_requests(calls_[message.recv_post].call.function) : message.start_unknown)
      accounts.lacks(call, CallAccounts::Lack::start);
    else if (calls_[call].call.exit > posted)
      accounts.depends(call, posted);
  }
}

// --- calls whose dependencies are not in the trace -----------------------------------------------------------------

void MessageDelivery::tell_of_missing_sends(CallRef call) {
  for (MessageRef m = calls_[call].first_receive; m != none; m = messages_[m].next_receive)
    if (messages_[m].missing)
      return tell_of_lack(listener_, replay::WorkMark::Kind::without_partner, calls_[call].call);
}

void MessageDelivery::tell_of_missing_receives(CallRef call) {
  for (MessageRef m = calls_[call].first_send; m != none; m = messages_[m].next_send)
    if (const MessageState& message = messages_[m]; !message.has_recv && !is_buffered(calls_[message.send_call].call))
      return tell_of_lack(listener_, replay::WorkMark::Kind::without_partner, calls_[call].call);
}

// --- receives that stand behind one that waits -----------------------------------------------------------------------

void MessageDelivery::spill() {
  for (std::size_t l = 0; l < receives_.size(); ++l)
    if (std::as_const(receives_)[l].size() >= front_of_calls + fewest_in_row ||
        behind_.contains(static_cast<std::uint32_t>(l)))
      spill(LocationId{l});
}

void MessageDelivery::spill(LocationId l) {
  std::deque<Behind> all;
  const util::FrontQueue<CallRef>& receives = receives_[l.index()];
  for (std::size_t i = front_of_calls; i < receives.size(); ++i) all.push_back({receives[i]});
  if (const auto behind = behind_.find(l.value); behind != behind_.end())
    all.insert(all.end(), behind->second.begin(), behind->second.end());
  std::deque<Behind> left;
  std::vector<CallRef> row;
  const auto end_row = [&] {
    if (const auto spilled = row.size() < fewest_in_row ? std::nullopt : spilled_.spill(row))
      left.push_back({none, *spilled});
    else
      for (const CallRef call : row) left.push_back({call});
    row.clear();
  };
  for (const Behind& b : all) {
    const bool goes = b.call != none && spilled_.may_spill(b.call);
    if (!goes || row.size() == most_in_row) end_row();
    if (goes)
      row.push_back(b.call);
    else
      left.push_back(b);
  }
  end_row();
  if (std::none_of(left.begin(), left.end(), [](const Behind& b) { return b.call == none; })) return;
  util::FrontQueue<CallRef> front;
  for (std::size_t i = 0; i < std::min(front_of_calls, receives.size()); ++i) front.push_back(receives[i]);
  receives_[l.index()] = std::move(front);
  behind_[l.value] = std::move(left);
}

// False if nothing of the location is spilled.
bool MessageDelivery::add_behind(LocationId l, CallRef call) {
  const auto behind = behind_.find(l.value);
  if (behind == behind_.end()) return false;
  behind->second.push_back({call});
  return true;
}

// All of the front has been delivered: what stood behind it follows, up to the first row that was spilled.
void MessageDelivery::bring_back(LocationId l) {
  const auto behind = behind_.find(l.value);
  if (behind == behind_.end()) return;
  for (bool was_row = false; !behind->second.empty() && !was_row; behind->second.pop_front()) {
    const Behind& next = behind->second.front();
    was_row = next.call == none;
    if (was_row)
      spilled_.bring_back(next.row, receives_[l.index()]);
    else
      receives_[l.index()].push_back(next.call);
  }
  if (behind->second.empty()) behind_.erase(behind);
}

// --- receives without a send -----------------------------------------------------------------------------------------

void MessageDelivery::mark_missing(MessageRef message) {
  channels_.remove_receive(message);  // its number will be used again
  MessageState& m = messages_[message];
  m.missing = true;
  ++missing_count_;
  --calls_[m.recv_call].open_receives;
  diagnostics_.add_between(DiagnosticId::recv_unmatched, processes_.recorded(m.sender), processes_.recorded(m.receiver),
                           {m.receiver, m.recv_time, {}});
  messages_.release(message);  // its send will not complete
}

// --- the end ---------------------------------------------------------------------------------------------------------

void MessageDelivery::tell_of_unreceived(const SpilledSends::Send& s) {
  if (is_buffered(s.call)) return;
  if (calls_.accounts() != nullptr) calls_.accounts()->add_lacking(s.call, s.exclusive, CallAccounts::Lack::partner);
  tell_of_lack(listener_, replay::WorkMark::Kind::without_partner, s.call);
}

void MessageDelivery::report_unreceived(const MessageState& m) {
  diagnostics_.add_between(DiagnosticId::send_unmatched, processes_.recorded(m.sender), processes_.recorded(m.receiver),
                           {m.sender, m.send_time, {}});
}

// Receives without a send were counted when their senders ended.
void MessageDelivery::finish(const std::function<void(const MessageState&, const Call&)>& unreceived) {
  channels_.take_sends(
      [&](const SpilledSends::Send& s) {
        report_unreceived(s.message);
        if (unreceived) unreceived(s.message, s.call);
        if (s.message.slot == none) tell_of_unreceived(s);
      },
      [&](MessageRef id) {
        const MessageState& m = messages_[id];
        report_unreceived(m);
        if (unreceived) unreceived(m, calls_[m.send_call].call);
        if (m.slot != none || m.send_done_call == none) return;
        --calls_[m.send_done_call].open_sends;
        deliver_sends_if_ready(m.send_done_call);
      });
}

void MessageDelivery::finish_away() {
  away_.take_rest([&](MessageRef id) { answer_is_in(id); },
                  [&](const SpilledSends::Send& s) { tell_of_unreceived(s); });
}

std::size_t MessageDelivery::waiters() const {
  std::size_t n = 0;
  waiters_.for_each([&](std::size_t, const Waiters& w) { n += w.locations.size(); });
  return n;
}

// --- prefetching -----------------------------------------------------------------------------------------------------

void MessageDelivery::prefetch(const MessageState& m) const {
  if (m.has_recv && first_receives_[m.receiver.index()] == m.recv_call) util::prefetch(&receives_[m.receiver.index()]);
}

// Prefetches calls that complete receives and are now delivered one after the other, as MessagePrefetch does.
void MessageDelivery::prefetch(const util::FrontQueue<CallRef>& calls) const {
  constexpr std::size_t to_call = 6, to_message = 4, to_send = 2;
  const std::size_t n = calls.size();
  if (n > to_call) calls_.prefetch(calls[to_call]);
  if (n > to_message)
    if (const MessageRef m = calls_[calls[to_message]].first_receive; m != none)
      util::prefetch(&messages_[m], sizeof(MessageState));
  if (n > to_send)
    if (const MessageRef m = calls_[calls[to_send]].first_receive; m != none)
      for (const CallRef call : {messages_[m].send_call, messages_[m].send_done_call})
        if (call != none) calls_.prefetch(call);
}

}  // namespace waitstate::link
