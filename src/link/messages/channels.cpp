#include "link/messages/channels.hpp"

namespace waitstate::link {

namespace {
// The front of each queue is not spilled, nor are rows too short to be worth a read.
constexpr std::size_t front_of_queue = 8, fewest_in_run = 16, most_in_run = 1024;
}  // namespace

Channels::Half Channels::match(const ChannelKey& key, const replay::CommRecord& r, bool receive) {
  Channel& channel = channels_.find_or_insert(key, [](const Channel& c) { return c.head.exists(); });
  if (channel.head.exists() && channel.of_receives != receive) {
    if (channel.head.is_run()) [[unlikely]]
      bring_back(channel);
    const MessageRef id = channel.head.message();
    channel.head = messages_[id].next_in_channel;
    return {id, true};
  }
  const MessageRef id = messages_.add();
  const QueueEntry entry = QueueEntry::of_message(id);
  (channel.head.exists() ? messages_.next(channel.tail) : channel.head) = entry;
  channel.tail = entry;
  channel.of_receives = receive;
  MessageState& m = messages_[id];
  if (feed_ != nullptr) m.place = feed_->new_slot();
  m.comm = r.comm;
  m.tag = r.tag;
  return {id, false};
}

namespace {

std::int8_t compare(std::uint64_t received, std::uint64_t sent) {
  return static_cast<std::int8_t>((received > sent) - (received < sent));
}

}  // namespace

Channels::Half Channels::send(LocationId sender, const replay::CommRecord& r, CallRef call) {
  const Half half = match(key(sender, r.peer, r.comm, r.tag), r, false);
  MessageState& m = messages_[half.message];
  if (!half.matched)
    m.receiver = r.peer;
  else
    m.received = compare(m.bytes, r.bytes);
  m.sender = sender;
  m.send_time = r.time;
  m.send_step = r.step;
  m.bytes = r.bytes;
  m.send_call = call;
  calls_.keep(call);
  m.has_send = true;
  if (in_flight_ != nullptr) {
    in_flight_->tell_if_many(processes_.of(r.peer));
    in_flight_->add(processes_.of(r.peer), QueueEntry::of_message(half.message), r.time);
  }
  return half;
}

Channels::Half Channels::receive(LocationId receiver, const replay::CommRecord& r, CallRef call,
                                 const PostedReceive& post) {
  const Half half = match(key(r.peer, receiver, r.comm, r.tag), r, true);
  MessageState& m = messages_[half.message];
  if (!half.matched)
    m.sender = r.peer, m.bytes = r.bytes;
  else
    m.received = compare(r.bytes, m.bytes);
  m.receiver = receiver;
  m.recv_time = r.time;
  m.receive_step = r.step;
  m.recv_call = call;
  m.recv_post = post.call;
  m.post_order = post.order;
  m.searches = post.searches;
  calls_.keep(call);
  calls_.keep(post.call);
  m.has_recv = true;
  messages_.add_to_receives(half.message);
  return half;
}

void Channels::remove_receive(MessageRef message) {
  const MessageState& m = messages_[message];
  Channel& channel = *channels_.find(key(m.sender, m.receiver, m.comm, m.tag));
  const QueueEntry entry = QueueEntry::of_message(message);
  QueueEntry previous;
  for (QueueEntry e = channel.head; e != entry; e = messages_.next(e)) previous = e;
  (previous.exists() ? messages_.next(previous) : channel.head) = m.next_in_channel;
  if (channel.tail == entry) channel.tail = previous;
  if (feed_ != nullptr) feed_->miss_slot(m.place);
}

void Channels::spill() {
  std::vector<MessageRef> row;
  channels_.for_each([&](const ChannelKey&, Channel& channel) {
    if (channel.of_receives || !channel.head.exists() || channel.head == channel.tail) return;
    QueueEntry before = channel.head;  // the entry before the row
    for (std::size_t i = 1; i < front_of_queue && before.exists(); ++i) before = messages_.next(before);
    while (before.exists()) {
      row.clear();
      QueueEntry next = messages_.next(before);
      for (; next.exists() && row.size() < most_in_run && spilled_.may_spill(next); next = messages_.next(next))
        row.push_back(next.message());
      if (row.size() < fewest_in_run)
        before = next;
      else
        before = spill(channel, before, row);
    }
  });
}

// Puts the run of the row into its place in the queue, behind `before`. Gives what comes before the next row.
QueueEntry Channels::spill(Channel& channel, QueueEntry before, const std::vector<MessageRef>& row) {
  const QueueEntry after = messages_[row.back()].next_in_channel;
  const auto run = spilled_.spill(row);
  if (!run) return after;
  messages_.next(*run) = after;
  messages_.next(before) = *run;
  if (channel.tail == QueueEntry::of_message(row.back())) channel.tail = *run;
  if (in_flight_ != nullptr) {
    const SpilledRun& r = messages_.run(run->run());
    in_flight_->add(processes_.of(r.receiver), *run, r.first_time);
  }
  return *run;
}

// Messages again for the run that a queue begins with.
void Channels::bring_back(Channel& channel) {
  const QueueEntry run = channel.head;
  const QueueEntry after = messages_.next(run);
  const ProcessId receiver = processes_.of(messages_.run(run.run()).receiver);
  QueueEntry before;
  for (const SpilledSends::Send& s : spilled_.take(run)) {
    const QueueEntry entry = QueueEntry::of_message(spilled_.bring_back(s));
    (before.exists() ? messages_.next(before) : channel.head) = entry;
    before = entry;
    if (in_flight_ != nullptr) in_flight_->add(receiver, entry, s.message.send_time);
  }
  messages_.next(before) = after;
  if (channel.tail == run) channel.tail = before;
  if (in_flight_ != nullptr) in_flight_->tell_if_many(receiver);
}

}  // namespace waitstate::link
