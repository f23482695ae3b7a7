#include "link/messages/spilled_sends.hpp"

#include <algorithm>
#include <type_traits>

namespace waitstate::link {

// A lone send uses its call three times: for its message as the call that sent and that completed, and one for its
// delivery.
static constexpr std::uint32_t uses_of_lone_send = 3;

// If half of what was spilled the last time is back already, it was too early.
void SpilledSends::begin() {
  if (brought_back_ * 2 > last_spilled_) most_in_memory_ *= 2;
  brought_back_ = last_spilled_ = 0;
}

void SpilledSends::end() { next_at_ = std::max(most_in_memory_, 2 * messages_.alive()); }

bool SpilledSends::may_spill(QueueEntry entry) const {
  if (!entry.is_message()) return false;
  const MessageState& m = messages_[entry.message()];
  if (!m.has_send || m.has_recv) return false;
  if (m.slot != Messages::none) return true;
  if (m.send_call != m.send_done_call) return false;
  const CallState& c = calls_[m.send_call];
  return c.uses == uses_of_lone_send && c.records_left == 0 && !c.has_receives && c.completions == CallState::none &&
         c.first_send == entry.message() && c.last_send == entry.message();
}

std::optional<std::uint64_t> SpilledSends::put(std::span<const MessageRef> row) {
  static_assert(std::is_trivially_copyable_v<Send>);
  sends_.clear();
  const CallAccounts* const accounts = calls_.accounts();
  for (const MessageRef id : row) {
    const CallRef call = messages_[id].send_call;
    sends_.push_back({messages_[id], calls_[call].call, accounts == nullptr ? 0 : accounts->exclusive(call)});
  }
  const auto place = file_.put(std::as_bytes(std::span(sends_)));
  if (!place) return std::nullopt;
  last_spilled_ += row.size();
  for (const MessageRef id : row) {
    calls_.forget(messages_[id].send_call);
    messages_.hand_over(id);
  }
  return place;
}

std::optional<QueueEntry> SpilledSends::spill(std::span<const MessageRef> row) {
  const auto place = put(row);
  if (!place) return std::nullopt;
  const MessageState& first = sends_.front().message;
  return QueueEntry::of_run(messages_.add_run(
      {*place, static_cast<std::uint32_t>(row.size()), first.receiver, first.send_time, QueueEntry{}}));
}

SpilledSends::Send SpilledSends::get(std::uint64_t place, std::size_t number) const {
  Send send;
  file_.read(place + number * sizeof(Send), std::as_writable_bytes(std::span(&send, 1)));
  return send;
}

std::span<const SpilledSends::Send> SpilledSends::take(QueueEntry run) {
  const SpilledRun& r = messages_.run(run.run());
  sends_.resize(r.count);
  file_.take(r.place, std::as_writable_bytes(std::span(sends_)));
  messages_.release_run(run.run());
  return sends_;
}

MessageRef SpilledSends::bring_back(const Send& send) {
  const CallRef call = calls_.add(0);
  const MessageRef id = messages_.add_again(send.message);
  MessageState& m = messages_[id];
  m.send_call = call;
  m.next_in_channel = {};
  ++brought_back_;
  if (m.slot != Messages::none) {
    calls_[call].call = send.call;
    return id;
  }
  m.send_done_call = call;
  CallState& c = calls_[call];
  c.call = send.call;
  c.uses = uses_of_lone_send;
  c.first_send = c.last_send = id;
  c.open_sends = 1;
  if (CallAccounts* const accounts = calls_.accounts()) accounts->open(call, send.exclusive);
  return id;
}

}  // namespace waitstate::link
