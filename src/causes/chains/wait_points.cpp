#include "causes/chains/wait_points.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "util/in_threads.hpp"

namespace waitstate::causes {

namespace {

struct HashOfCall {
  std::size_t operator()(const std::pair<LocationId, Time>& c) const {
    const std::uint64_t h = (c.second ^ std::uint64_t{c.first.value} << 40) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};
/// Places in a list of waits, by a location and a time.
using WaitsByTime = std::unordered_map<std::pair<LocationId, Time>, std::vector<std::size_t>, HashOfCall>;

}  // namespace

PointId culprit_of(const History& history, const Point& q) {
  return q.kind == PointKind::finalize && q.culprit == no_point ? history.recorded.first_to_end : q.culprit;
}

std::vector<PointId> points_of(const History& history, const std::vector<Wait>& waits, unsigned threads) {
  WaitsByTime asked;
  std::map<LocationId, std::multimap<Time, std::size_t>> polls;  // places in the list, by location and enter
  for (std::size_t i = 0; i < waits.size(); ++i) {
    asked[{waits[i].location, waits[i].enter}].push_back(i);
    polls[waits[i].location].emplace(waits[i].enter, i);
  }
  std::vector<PointId> points(waits.size(), no_point);
  if (asked.empty()) return points;
  using Candidates = std::vector<std::pair<std::size_t, PointId>>;  // a location has its own in the order of its points
  // Polls for a message have one point, where it was found: of those behind them the first.
  const auto polls_of = [&](PointId own, const Point& p, Candidates& candidates) {
    const auto at_location = polls.find(p.location);
    if (at_location == polls.end()) return;
    for (auto at = at_location->second.lower_bound(p.enter - static_cast<Time>(p.total));
         at != at_location->second.end() && at->first < p.enter; ++at)
      if (waits[at->second].callpath == p.callpath) candidates.emplace_back(at->second, own);
  };
  const PointLog& log = history.recorded.points;
  std::vector<Candidates> by_bank(log.banks());
  util::in_threads(threads, log.banks(), [&](std::size_t bank, std::size_t) {
    Candidates& candidates = by_bank[bank];
    log.each_of_bank(bank, [&](PointId own, const Point& p) {
      if (p.wait <= 0) return;
      if (traits(p.kind).wait == PointTraits::WaitLength::earlier) return polls_of(own, p, candidates);
      if (const auto at = asked.find({p.location, p.enter}); at != asked.end())
        for (const std::size_t i : at->second)
          if (p.wait == waits[i].ticks || traits(p.kind).wait == PointTraits::WaitLength::of_last)
            candidates.emplace_back(i, own);  // not of what came after the wait
    });
  });
  // The latest one of a location is taken.
  for (const Candidates& candidates : by_bank)
    for (const auto& [i, point] : candidates) {
      const PointId culprit = culprit_of(history, history.at(point));
      const bool same = culprit != no_point && history.at(culprit).location == waits[i].culprit;
      const bool of_polls = history.at(point).kind == PointKind::poll;
      if ((same || !waits[i].culprit.valid()) && !(of_polls && points[i] != no_point)) points[i] = point;
    }
  return points;
}

std::unordered_map<std::size_t, MasterAlone> idle_waits(const History& history, const std::vector<Wait>& waits,
                                                        const std::vector<PointId>& points) {
  std::unordered_map<std::size_t, MasterAlone> found;
  WaitsByTime asked;
  const Definitions& definitions = history.recorded.definitions;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const Wait& w = waits[i];
    if (points[i] != no_point || !w.culprit.valid() || w.culprit == w.location ||
        definitions[w.culprit].process != definitions[w.location].process)
      continue;
    asked[{w.culprit, w.exit}].push_back(i);
    if (const auto joined = history.recorded.teams.last_join(w.culprit); joined && *joined == w.enter)
      found[i] = {joined, std::nullopt, history.last(w.culprit)};
  }
  if (asked.empty()) return found;
  const auto& forks = history.recorded.teams.forks;
  forks.each(0, forks.size(), [&](const Teams::Fork& f) {
    const auto at = asked.find({f.master, f.time});
    if (at == asked.end() || f.point == no_point) return;
    for (const std::size_t i : at->second)
      if (f.is_first || f.after == waits[i].enter)
        found[i] = {f.is_first ? std::nullopt : std::optional(f.after), f.time, history.at(f.point).point_before()};
  });
  return found;
}

}  // namespace waitstate::causes
