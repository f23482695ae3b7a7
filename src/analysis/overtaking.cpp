#include "analysis/overtaking.hpp"

#include <algorithm>

namespace waitstate::analysis {

Overtaking::Overtaking(const Definitions& definitions)
    : locations_(definitions.locations.size()), bounds_(definitions.processes.size() + 1) {
  for (std::size_t l = 0; l < locations_.size(); ++l) {
    const ProcessId p = definitions.locations[l].process;
    locations_[l].process = p.valid() ? p.index() : definitions.processes.size();
  }
}

void Overtaking::watch(const Message& m, const Wait& wait, std::uint32_t watcher) {
  Receiver& receiver = locations_[m.receiver.index()];
  std::vector<Watched>& watched = receiver.watched;
  if (watched.size() >= receiver.limit) let_go(receiver);
  if (watched.empty() || watched.back().send_time <= m.send_time) [[likely]] {
    watched.push_back({m.send_time, watcher, {wait, m.sender, m.bytes, {}}});
    return;
  }
  const auto place = std::upper_bound(watched.begin(), watched.end(), m.send_time,
                                      [](Time t, const Watched& w) { return t < w.send_time; });
  watched.insert(place, {m.send_time, watcher, {wait, m.sender, m.bytes, {}}});
}

void Overtaking::let_go(Receiver& receiver) {
  std::vector<Watched>& watched = receiver.watched;
  const auto keep = std::upper_bound(watched.begin(), watched.end(), bounds_[receiver.process],
                                     [](Time t, const Watched& w) { return t < w.send_time; });
  watched.erase(watched.begin(), keep);
  receiver.limit = std::max(fewest_watched, watched.size() * 2);
}

}  // namespace waitstate::analysis
