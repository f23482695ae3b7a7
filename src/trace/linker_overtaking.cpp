// Linker: messages received in the wrong order.
#include "trace/linker.hpp"

#include <algorithm>

namespace waitstate::trace {

// Watched receives are kept in ascending order of their send times: a receive takes away all that were sent after its
// message, so what is pushed next is never earlier than what is left.
void Linker::check_watched(const Message& m) {
  std::vector<Watched>& watched = state(m.receiver).watched;
  while (!watched.empty() && watched.back().send_time > m.send_time) {
    Watched w = watched.back();
    watched.pop_back();
    w.what.overtaker = m.sender;
    listener_->overtaken(w.what, w.watcher);
  }
}

void Linker::watch_overtaking(const Message& m, const Wait& wait, std::uint32_t watcher) {
  if (!watches_) return;
  LocationState& receiver = state(m.receiver);
  if (receiver.watched.size() >= receiver.watched_limit) prune_watched(receiver);
  if (receiver.watched.empty() || receiver.watched.back().send_time <= m.send_time) [[likely]] {
    receiver.watched.push_back({m.send_time, watcher, {wait, m.sender, m.bytes, {}}});
    return;
  }
  const auto place = std::upper_bound(receiver.watched.begin(), receiver.watched.end(), m.send_time,
                                      [](Time t, const Watched& w) { return t < w.send_time; });
  receiver.watched.insert(place, {m.send_time, watcher, {wait, m.sender, m.bytes, {}}});
}

// Forgets the watched receives that nothing can overtake any more: no message that is on its way, received and not yet
// delivered, or still to be read can have been sent earlier.
void Linker::prune_watched(LocationState& receiver) {
  const Time bound = std::min(watermark_, oldest_incoming(processes_[receiver.process.index()]));
  const auto keep = std::upper_bound(receiver.watched.begin(), receiver.watched.end(), bound,
                                     [](Time t, const Watched& w) { return t < w.send_time; });
  receiver.watched.erase(receiver.watched.begin(), keep);
  const std::size_t looked_at = processes_[receiver.process.index()].incoming.size();
  receiver.watched_limit = std::max({fewest_watched, receiver.watched.size() * 2, looked_at / 4});
}

// Forgets the messages that have been delivered meanwhile. The number of such a message may have been given to another
// one: then that is looked at instead, if it is to this process and as old, and rightly so.
Time Linker::oldest_incoming(ProcessState& process) {
  Time oldest = ~Time{0};
  std::erase_if(process.incoming, [&](const Sent& sent) {
    const MessageState& m = messages_[sent.message];
    if (!m.has_send || m.send_time != sent.time || m.delivered || m.cancelled || &process_of(m.receiver) != &process)
      return true;
    oldest = std::min(oldest, sent.time);
    return false;
  });
  process.incoming_limit = std::max(fewest_watched, process.incoming.size() * 2);
  return oldest;
}

// As often as there are locations, so that it costs little for each chunk.
void Linker::update_watermark() {
  watermark_ = ~Time{0};
  for (const ProcessState& p : processes_)
    for (LocationId t : p.threads)
      if (!state(t).at_end || !state(t).waiting.empty())
        watermark_ =
            std::min(watermark_, state(t).waiting.empty() ? state(t).consumed : state(t).waiting.front().record.time);
  until_watermark_ = locations_.size() / 2;
}

}  // namespace waitstate::trace
