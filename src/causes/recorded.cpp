#include "causes/recorded.hpp"

#include <algorithm>
#include <iterator>

#include "patterns/rules/more_waits.hpp"

namespace waitstate::causes {

void Recorded::join(std::span<Recorded* const> all, const link::Homes& homes, unsigned threads) {
  std::vector<AwayPoints*> boxes{&away};
  for (link::WorkerId w = 1; w < all.size(); ++w) {
    Recorded& other = *all[w];
    const std::vector<LocationId> locations = homes.locations(w);
    points.join(other.points, locations);
    order.join(other.order, locations);
    work.join(other.work, locations);
    groups.join(other.groups);
    unfollowed.join(other.unfollowed);
    ends_known += other.ends_known;
    boxes.push_back(&other.away);
  }
  AwayPoints::take_all(boxes, points, order, threads, *stop);
  for (const Recorded* const of : all)
    if (of->first_to_end != no_point) first_to_end = of->away.in_log(of->first_to_end);
  away = AwayPoints();
}

// Scalasca follows no waits in some functions, and neither does the path without all_waits: there it needs nothing.
void Recorded::finish() {
  lacks_targets = wanted.all_waits && !definitions.rma_wins.empty() &&
                  std::any_of(definitions.processes.begin(), definitions.processes.end(),
                              [&](const LocationGroup& p) { return p.rank >= 0 && is_silent(p); });
  lacking = LackingCalls(work, [&](CallPathId c) {
    const RegionId region = call_tree[c].region;
    return wanted.all_waits || !region.valid() ||
           std::none_of(std::begin(patterns::all_more_waits), std::end(patterns::all_more_waits),
                        [&](patterns::MoreWaits kind) { return patterns::has_more_waits(kind, definitions[region]); });
  });
  find_teams_without_a_thread();
  find_accelerators_without_a_stream();
  lacking.finish(call_tree);
}

// A barrier whose last thread has no events looks as if another one had been the last.
void Recorded::find_teams_without_a_thread() {
  lacks_thread.assign(definitions.comms.size(), false);
  for (std::size_t c = 0; c < lacks_thread.size(); ++c) {
    const Comm& comm = definitions.comms[c];
    lacks_thread[c] =
        comm.paradigm == Paradigm::openmp && std::any_of(comm.members.begin(), comm.members.end(),
                                                         [&](LocationId l) { return !l.valid() || !work.used(l); });
  }
  if (std::find(lacks_thread.begin(), lacks_thread.end(), true) == lacks_thread.end()) return;
  points.each([&](const Point& p) {
    if (p.kind == PointKind::team_barrier && lacks_member_at(p))
      lacking.add(p.location, {p.enter, p.enter + static_cast<Time>(p.total), p.callpath,
                               lack_of(replay::WorkMark::Kind::without_member)});
  });
}

bool Recorded::is_missing(LocationId l) const { return definitions[l].announced_events != 0 && !work.used(l); }

// As Devices does it: a stream belongs to the process that its group names, or that it is in.
void Recorded::find_accelerators_without_a_stream() {
  lacks_stream.assign(definitions.processes.size(), false);
  for (std::size_t i = 0; i < locations(); ++i) {
    const Location& l = definitions.locations[i];
    if (l.type != LocationType::accelerator_stream || !l.process.valid() || !is_missing(LocationId{i})) continue;
    if (const ProcessId host = definitions[l.process].host; host.valid()) lacks_stream[host.index()] = true;
  }
}

bool Recorded::is_silent(const LocationGroup& process) const {
  const auto first = std::find_if(process.locations.begin(), process.locations.end(),
                                  [&](LocationId l) { return definitions[l].type == LocationType::cpu_thread; });
  return first == process.locations.end() || !work.used(*first);
}

std::optional<std::string> Recorded::unknown_end() const {
  if (std::find(lacks_thread.begin(), lacks_thread.end(), true) != lacks_thread.end())
    return "the events of a thread of a team";
  std::size_t processes = 0, silent = 0;
  for (const LocationGroup& process : definitions.processes) {
    if (process.rank < 0) continue;
    ++processes;
    silent += is_silent(process);
  }
  if (first_to_end == no_point && ends_known > 0 && processes > ends_known)
    return "the MPI_Finalize of " + std::to_string(processes - ends_known) + " of " + std::to_string(processes) +
           " processes";
  if (first_to_end == no_point && silent > 0 && silent < processes)
    return "the events of " + std::to_string(silent) + " of " + std::to_string(processes) + " processes";
  std::size_t missing = 0;
  for (std::size_t l = 0; l < locations(); ++l) {
    const LocationType type = definitions.locations[l].type;
    const bool is_followed =
        type == LocationType::cpu_thread || (type == LocationType::accelerator_stream && wanted.all_waits);
    missing += is_followed && is_missing(LocationId{l});
  }
  if (missing > 0)
    return "the events of " + std::to_string(missing) + " of " + std::to_string(locations()) + " locations";
  return std::nullopt;
}

std::optional<std::string> Recorded::left_out() const {
  if (teams.has_others)
    return "the program has tasks without teams, or parts of thread teams whose fork is not in the trace: what they "
           "cause is not analysed";
  if (teams.has_tasks && !wanted.all_waits)
    return "the program has explicit tasks, which are analysed as causes only with the parameter "
           "critical_path.all_waits=1";
  return std::nullopt;
}

std::size_t Recorded::threads_beside(LocationId master) const {
  const std::vector<LocationId>& all = definitions[definitions[master].process].locations;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](LocationId l) {
    return l != master && definitions[l].type == LocationType::cpu_thread && work.used(l);
  }));
}

void Recorded::share(unsigned readers) const {
  points.share(readers), groups.share(readers), teams.forks.share(readers), work.share(readers);
}

void Recorded::end_sharing() const {
  points.end_sharing(), groups.end_sharing(), teams.forks.end_sharing(), work.end_sharing();
}

}  // namespace waitstate::causes
