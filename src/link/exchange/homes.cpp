#include "link/exchange/homes.hpp"

#include <algorithm>
#include <numeric>

#include "peers/peers.hpp"

namespace waitstate::link {

namespace {

/// The processes that are one unit each, by the smallest of their numbers.
class Units {
 public:
  explicit Units(std::size_t processes) : first_(processes) { std::iota(first_.begin(), first_.end(), 0); }

  std::size_t of(std::size_t process) {
    while (first_[process] != process) process = first_[process] = first_[first_[process]];
    return process;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a), b = of(b);
    first_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> first_;
};

/// True if threads of the paradigm may be in a team together.
bool has_teams(const Definitions& definitions, Paradigm paradigm) {
  for (const ParadigmDefinition& p : definitions.paradigms)
    if (p.paradigm == paradigm)
      return p.paradigm_class == ParadigmClass::thread_fork_join ||
             p.paradigm_class == ParadigmClass::thread_create_wait;
  switch (paradigm) {
    case Paradigm::unknown:
    case Paradigm::openmp:
    case Paradigm::pthread:
    case Paradigm::ompss:
    case Paradigm::winthread:
    case Paradigm::qtthread:
    case Paradigm::acethread:
    case Paradigm::tbbthread:
    case Paradigm::mtapi:
      return true;
    default:
      return false;
  }
}

}  // namespace

Homes::Homes(const Definitions& definitions, std::size_t workers) {
  const std::size_t processes = definitions.processes.size();
  const auto process_of = [&](LocationId l) {
    const ProcessId p = definitions[l].process;
    return p.valid() ? p.index() : processes;
  };
  Units units(processes + 1);
  for (std::size_t p = 0; p < processes; ++p)
    if (const ProcessId host = definitions.processes[p].host; host.valid()) units.join(p, host.index());
  for (const Comm& comm : definitions.comms) {
    if (!has_teams(definitions, comm.paradigm)) continue;
    LocationId first;
    for (const LocationId l : comm.members) {
      if (!l.valid() || l.index() >= definitions.locations.size()) continue;
      if (first.valid()) units.join(process_of(first), process_of(l));
      first = l;
    }
  }

  // Each location's turn costs something too, however few events it has.
  constexpr std::uint64_t events_of_a_turn = 64;
  std::vector<std::uint64_t> weights(processes + 1);
  std::uint64_t all = 0;
  std::size_t unit_count = 0;
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) {
    const std::uint64_t weight =
        std::min(definitions.locations[l].announced_events, ~std::uint64_t{0} >> 32) + events_of_a_turn;
    std::uint64_t& of_unit = weights[units.of(process_of(LocationId{l}))];
    unit_count += of_unit == 0;
    of_unit += weight;
    all += weight;
  }
  workers_ = std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(unit_count, 1));

  by_process_.assign(processes + 1, 0);
  std::uint64_t before = 0;
  std::size_t units_before = 0, last = 0;
  bool last_has_some = false;
  for (std::size_t p = 0; p <= processes; ++p) {
    const std::size_t unit = units.of(p);
    if (unit != p) {
      by_process_[p] = by_process_[unit];
      continue;
    }
    if (weights[p] == 0) {
      by_process_[p] = static_cast<WorkerId>(last);
      continue;
    }
    // Where its middle lies among all events; but each worker gets a unit.
    const double place = (static_cast<double>(before) + static_cast<double>(weights[p]) / 2) / static_cast<double>(all);
    const auto middle = static_cast<std::size_t>(place * static_cast<double>(workers_));
    std::size_t worker = std::min(std::max(middle, last), last + (last_has_some ? 1 : 0));
    if (unit_count - units_before <= workers_ - 1 - last && last_has_some) worker = last + 1;
    last = std::min(worker, workers_ - 1);
    last_has_some = true;
    by_process_[p] = static_cast<WorkerId>(last);
    before += weights[p];
    ++units_before;
  }
  for (std::size_t l = 0; l < definitions.locations.size(); ++l)
    by_location_.push_back(by_process_[process_of(LocationId{l})]);
}

std::vector<LocationId> Homes::locations(WorkerId worker) const {
  std::vector<LocationId> own;
  for (std::size_t l = 0; l < by_location_.size(); ++l)
    if (by_location_[l] == worker) own.push_back(LocationId{l});
  return own;
}

// Blocks of neighbours; if there are fewer workers than peers, the first peers have one each.
OwnWorkers OwnWorkers::of(const peers::Peers* peers, int rank, std::size_t workers) {
  if (peers == nullptr) return {0, static_cast<WorkerId>(workers)};
  const auto size = static_cast<std::size_t>(peers->size()), own = static_cast<std::size_t>(rank);
  const auto first = [&](std::size_t peer) {
    return static_cast<WorkerId>(workers < size ? std::min(peer, workers) : peer * workers / size);
  };
  return {first(own), first(own + 1)};
}

OwnWorkers OwnWorkers::of(const peers::Peers* peers, std::size_t workers) {
  return of(peers, peers == nullptr ? 0 : peers->rank(), workers);
}

}  // namespace waitstate::link
