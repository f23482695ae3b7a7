// Linker: messages of which one half does not come, or comes late.
//
// A receive without a send holds up its location, until the sender has ended or all wait for each other: see abandon().
// A send without a receive holds up nobody, but may be received as long as its receiver has not ended. Where many such
// sends wait, they go into a scratch file, by channels: a queue is received from its front, so what stands behind that
// need not be at hand.
#include <algorithm>
#include <type_traits>

#include "link/linker.hpp"
#include "link/rma/rma.hpp"

namespace waitstate::link {

// --- receives without a send -----------------------------------------------------------------------------------------

void Linker::mark_missing(std::uint32_t message) {
  MessageState& m = messages_[message];
  unlink(m, message);  // its number will be used again
  m.missing = true;
  ++losses_;
  --calls_[m.recv_call].open_receives;
  diagnostics_.add_between(DiagnosticId::recv_unmatched, definitions_[m.sender].process,
                           definitions_[m.receiver].process, {m.receiver, m.recv_time, {}});
  if (feed_ != nullptr) feed_->miss_place(m.place);
  drop(message);  // its send will not complete
}

// Whom the location waits for: of a process's threads the one that is least far. None if it does not wait any more.
LocationId Linker::awaited(LocationId l) {
  if (!blocked_on_[l.index()].valid()) deliver_receives(l);
  if (!waits_for_others(l)) return LocationId::none();
  const ProcessId sender = blocked_on_[l.index()];
  LocationId least = l;
  for (const LocationId t : (sender.valid() ? processes_[sender.index()] : process_of(l)).threads)
    if (!at_end(t) && (least == l || read_up_to(t) < read_up_to(least))) least = t;
  return least;
}

// Of the receives that the location's oldest call waits for: by how much the sender has been read beyond them.
void Linker::look_for_overdue(LocationId l, Overdue& most) const {
  const CallState& c = calls_[locations_[l.index()].receives.front()];
  for (std::uint32_t m = c.first_receive; m != none; m = messages_[m].next_receive) {
    const MessageState& message = messages_[m];
    if (message.has_send || message.missing) continue;
    Time read = ~Time{0};
    for (const LocationId t : processes_[process_id(message.sender).index()].threads)
      if (!at_end(t)) read = std::min(read, read_up_to(t));
    const auto by = static_cast<Ticks>(read - message.recv_time);
    if (most.receive == none || by > most.by) most = {m, l, by};
  }
}

// Who waits for whom ends in a circle, as each of them waits. Were all sends of a circle still to be read, then each
// would be earlier than its receive and that earlier than what is to be read of the receiver: it would have been read.
// So one is missing, and it is the one that should have been read longest ago.
bool Linker::abandon(LocationId waiting) {
  seen_.resize(locations_.size());
  const std::uint32_t to_circle = ++abandons_, in_circle = ++abandons_;
  LocationId l = waiting;
  while (seen_[l.index()] != to_circle) {
    seen_[l.index()] = to_circle;
    l = awaited(l);
    if (!l.valid()) return true;
  }
  Overdue most;
  while (seen_[l.index()] != in_circle) {
    seen_[l.index()] = in_circle;
    look_for_overdue(l, most);
    l = awaited(l);
    if (!l.valid()) return true;
  }
  if (most.receive == none) return false;
  mark_missing(most.receive);
  deliver_receives(most.location);
  return true;
}

// --- sends without a receive -----------------------------------------------------------------------------------------

// What stays where it is: the front of each queue, and rows too short to be worth a read.
static constexpr std::size_t front_of_queue = 8, fewest_in_run = 16, most_in_run = 1024;

// True if nothing but its own call refers to the message, and to that call nothing but the message.
bool Linker::may_go_aside(std::uint32_t message) const {
  const MessageState& m = messages_[message];
  if (m.aside || !m.has_send || m.has_recv || m.send_call != m.send_done_call) return false;
  const CallState& c = calls_[m.send_call];
  return c.holds == 3 && c.records_left == 0 && !c.has_receives && c.completions == none && c.first_send == message &&
         c.last_send == message;
}

// If half of what the last time set aside is back already, it was too early.
void Linker::set_aside() {
  if (brought_back_ * 2 > last_aside_) in_memory_ *= 2;
  brought_back_ = last_aside_ = 0;
  std::vector<std::uint32_t> row;
  channels_.for_each([&](const ChannelKey&, Channel& channel) {
    if (channel.of_receives || channel.head == none || channel.head == channel.tail) return;
    std::uint32_t before = channel.head;  // what stands before the row
    for (std::size_t i = 1; i < front_of_queue && before != none; ++i) before = messages_[before].next_in_channel;
    while (before != none) {
      row.clear();
      std::uint32_t next = messages_[before].next_in_channel;
      for (; next != none && row.size() < most_in_run && may_go_aside(next); next = messages_[next].next_in_channel)
        row.push_back(next);
      if (row.size() < fewest_in_run)
        before = next;
      else
        before = set_aside(channel, before, row);
    }
  });
  aside_from_ = std::max(in_memory_, 2 * messages_.alive());
}

// Something else stands for the message from now on. To tell_bound(), which may still have its number, it is delivered.
void Linker::release(std::uint32_t message) {
  messages_[message].delivered = true;
  messages_.release(message);
}

// Puts one message that stands for all of `row` into its place in the queue, behind `before`. Gives what comes before
// the next row.
std::uint32_t Linker::set_aside(Channel& channel, std::uint32_t before, const std::vector<std::uint32_t>& row) {
  static_assert(std::is_trivially_copyable_v<AsideSend>);
  aside_.clear();
  for (const std::uint32_t id : row) aside_.push_back({messages_[id], calls_[messages_[id].send_call].call});
  const std::uint32_t after = messages_[row.back()].next_in_channel;
  const auto place = file_.put(std::as_bytes(std::span(aside_)));
  if (!place) return after;
  const std::uint32_t run = messages_.acquire();
  MessageState& r = messages_[run];
  r = aside_.front().message;
  r.aside = true;
  r.send_call = r.send_done_call = none;
  r.bytes = *place;
  r.next_send = static_cast<std::uint32_t>(row.size());
  r.next_in_channel = after;
  messages_[before].next_in_channel = run;
  if (channel.tail == row.back()) channel.tail = run;
  last_aside_ += row.size();
  for (const std::uint32_t id : row) {
    calls_.release(messages_[id].send_call);
    release(id);
  }
  if (wanted_.watermarks()) incoming_[process_id(r.receiver).index()].sent.push_back({run, r.send_time});
  return run;
}

// What is in the scratch file in place of the message.
std::span<const Linker::AsideSend> Linker::take_aside(std::uint32_t run) {
  aside_.resize(messages_[run].next_send);
  file_.take(messages_[run].bytes, std::as_writable_bytes(std::span(aside_)));
  return aside_;
}

// Messages again for the run that a queue begins with.
void Linker::bring_back(Channel& channel) {
  const std::uint32_t run = channel.head;
  const ProcessId receiver = process_id(messages_[run].receiver);
  const std::uint32_t after = messages_[run].next_in_channel;
  std::uint32_t before = none;
  for (const AsideSend& s : take_aside(run)) {
    const std::uint32_t id = messages_.acquire(), call = calls_.add(0);
    MessageState& m = messages_[id];
    m = s.message;
    m.send_call = m.send_done_call = call;
    CallState& c = calls_[call];
    c.call = s.call;
    c.holds = 3;  // its delivery, and twice the message
    c.first_send = c.last_send = id;
    c.open_sends = 1;
    (before == none ? channel.head : messages_[before].next_in_channel) = id;
    before = id;
    if (wanted_.watermarks()) incoming_[receiver.index()].sent.push_back({id, m.send_time});
  }
  brought_back_ += aside_.size();
  if (wanted_.watermarks() && incoming_[receiver.index()].sent.size() >= incoming_[receiver.index()].limit)
    tell_bound(receiver);
  messages_[before].next_in_channel = after;
  if (channel.tail == run) channel.tail = before;
  release(run);
}

// --- the end ---------------------------------------------------------------------------------------------------------

void Linker::report_unreceived(const MessageState& m) {
  diagnostics_.add_between(DiagnosticId::send_unmatched, definitions_[m.sender].process,
                           definitions_[m.receiver].process, {m.sender, m.send_time, {}});
}

void Linker::finish() {
  threads_.finish();
  channels_.for_each([&](const ChannelKey&, Channel& channel) {
    if (channel.of_receives) return;  // counted when their senders ended
    for (std::uint32_t id = channel.head; id != none; id = messages_[id].next_in_channel) {
      if (messages_[id].aside) {
        for (const AsideSend& s : take_aside(id)) report_unreceived(s.message);
        continue;
      }
      const MessageState& m = messages_[id];
      report_unreceived(m);
      if (m.send_done_call == none) continue;
      --calls_[m.send_done_call].open_sends;
      deliver_sends_if_ready(m.send_done_call);
    }
    channel.head = none;
  });
  collectives_.finish();
  if (rma_ != nullptr) rma_->finish();
  for (ProcessState& p : processes_)
    p.requests.for_each(
        [&](const RequestKey&, Request& q) { report(DiagnosticId::request_never_completed, q.location, q.time); });
}

}  // namespace waitstate::link
