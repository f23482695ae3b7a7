#include "analysis/dispatch/overtaking.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace waitstate::analysis {

Overtaking::Overtaking(const Definitions& definitions, std::size_t watched)
    : definitions_(definitions),
      locations_(definitions.locations.size()),
      aside_from_(std::max(watched / std::max<std::size_t>(definitions.locations.size(), 1), fewest_aside)),
      bounds_(definitions.processes.size() + 1) {}

void Overtaking::watch(const Message& m, const Wait& wait, std::uint32_t watcher) {
  Receiver& receiver = locations_[m.receiver.index()];
  std::vector<Watched>& watched = receiver.watched;
  if (watched.size() >= receiver.limit) release(m.receiver, receiver);
  while (aside_after(receiver, m.send_time)) bring_back(receiver);
  const Watched early{
      watcher, {wait, m.sender, m.bytes, {}, m.comm, m.tag, m.send_time, m.recv_time, m.send->enter, m.send->exit}};
  if (watched.empty() || watched.back().what.send_time <= m.send_time) [[likely]] {
    watched.push_back(early);
    return;
  }
  const auto place = std::upper_bound(watched.begin(), watched.end(), m.send_time,
                                      [](Time t, const Watched& w) { return t < w.what.send_time; });
  watched.insert(place, early);
}

void Overtaking::release(LocationId l, Receiver& receiver) {
  std::vector<Watched>& watched = receiver.watched;
  const ProcessId process = definitions_[l].process;
  const Time bound = std::as_const(bounds_)[process.valid() ? process.index() : bounds_.size() - 1];
  while (!receiver.aside.empty() && receiver.aside.front().last <= bound) {
    file_.drop(receiver.aside.front().place, receiver.aside.front().count * sizeof(Watched));
    receiver.aside.erase(receiver.aside.begin());
  }
  const auto keep = std::upper_bound(watched.begin(), watched.end(), bound,
                                     [](Time t, const Watched& w) { return t < w.what.send_time; });
  watched.erase(watched.begin(), keep);
  if (watched.size() >= aside_from_) set_aside(receiver);
  receiver.limit = std::max(fewest_watched, watched.size() * 2);
  if (watched.size() < aside_from_) receiver.limit = std::min(receiver.limit, aside_from_);
}

// Writes all but the youngest quarter to the file, as the youngest are overtaken next. If they cannot be written, they
// stay.
void Overtaking::set_aside(Receiver& receiver) {
  std::vector<Watched>& watched = receiver.watched;
  const std::size_t n = watched.size() - watched.size() / 4;
  const auto place = file_.put(std::as_bytes(std::span(watched).first(n)));
  if (!place) return;
  receiver.aside.push_back({*place, n, watched[n - 1].what.send_time});
  watched.erase(watched.begin(), watched.begin() + static_cast<std::ptrdiff_t>(n));
}

void Overtaking::bring_back(Receiver& receiver) {
  std::vector<Watched>& watched = receiver.watched;
  const Aside aside = receiver.aside.back();
  receiver.aside.pop_back();
  watched.insert(watched.begin(), aside.count, Watched{});
  file_.take(aside.place, std::as_writable_bytes(std::span(watched).first(aside.count)));
}

}  // namespace waitstate::analysis
