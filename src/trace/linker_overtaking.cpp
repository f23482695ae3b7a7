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
  LocationState& receiver = state(m.receiver);
  if (receiver.watched.size() >= receiver.watched_limit) prune_watched(receiver);
  const auto place = std::upper_bound(receiver.watched.begin(), receiver.watched.end(), m.send_time,
                                      [](Time t, const Watched& w) { return t < w.send_time; });
  receiver.watched.insert(place, {m.send_time, watcher, {wait, m.sender, m.bytes, {}}});
}

// Forgets the watched receives that nothing can overtake any more: no message that is on its way, received and not yet
// delivered, or still to be read can have been sent earlier.
void Linker::prune_watched(LocationState& receiver) {
  Time bound = ~Time{0};
  for (const ProcessState& p : processes_)
    for (LocationId t : p.threads)
      if (!state(t).at_end || !state(t).waiting.empty())
        bound = std::min(bound, state(t).waiting.empty() ? state(t).consumed : state(t).waiting.front().record.time);
  channels_.for_each([&](const ChannelKey& key, const Channel& c) {
    if (static_cast<std::uint32_t>(key.who) == receiver.process.value && !c.of_receives && c.head != none)
      bound = std::min(bound, messages_[c.head].send_time);
  });
  for (std::uint32_t call : receiver.receives)
    for (std::uint32_t m = calls_[call].first_receive; m != none; m = messages_[m].next_receive)
      if (messages_[m].has_send) bound = std::min(bound, messages_[m].send_time);
  const auto keep = std::upper_bound(receiver.watched.begin(), receiver.watched.end(), bound,
                                     [](Time t, const Watched& w) { return t < w.send_time; });
  receiver.watched.erase(receiver.watched.begin(), keep);
  receiver.watched_limit = std::max<std::size_t>(1024, receiver.watched.size() * 2);
}

}  // namespace waitstate::trace
