// Builds the two-step definition of communicators that OTF2 has and Definitions::finish() resolves: one COMM_LOCATIONS
// group a paradigm with all participants, and a COMM_GROUP of indices into it for each communicator. The participants
// of MPI are the first CPU threads of the processes; those of thread teams and all other paradigms are all locations.
#include "notation/implied.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "notation/tables.hpp"

namespace waitstate::notation {
namespace {

std::string rank_name(std::size_t rank) { return "Rank " + std::to_string(rank); }

ProcessId add_process(Definitions& d) {
  LocationGroup process = default_definition<LocationGroup>(d.processes.size());
  process.name = rank_name(d.processes.size());
  process.type = LocationGroupType::process;
  d.processes.push_back(std::move(process));
  return ProcessId{d.processes.size() - 1};
}

void add_locations_and_processes(Definitions& d, const Implied& implied) {
  const bool own_processes = d.processes.empty();
  if (d.locations.empty()) {
    if (implied.locations == 0) return;  // definitions alone: process lines without a location are intended
    const std::size_t count = std::max(implied.locations, d.processes.size());
    for (std::size_t i = 0; i < count; ++i) {
      Location location = default_definition<Location>(i);
      location.name = rank_name(i);
      location.process = i < d.processes.size() ? ProcessId{i} : add_process(d);
      d.locations.push_back(std::move(location));
    }
  } else if (own_processes) {
    for (std::size_t i = 0; i < d.locations.size(); ++i)
      if (!implied.process_given.contains(static_cast<std::ptrdiff_t>(i))) d.locations[i].process = add_process(d);
  }
}

GroupId add_group(Definitions& d, GroupType type, Paradigm paradigm, std::vector<std::uint64_t> members) {
  Group group = default_definition<Group>(d.groups.size());
  group.type = type;
  group.paradigm = paradigm;
  group.members = std::move(members);
  d.groups.push_back(std::move(group));
  return GroupId{d.groups.size() - 1};
}

std::vector<std::uint64_t> numbers_up_to(std::size_t count) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
  return numbers;
}

// The group that says which locations - or processes - are the ranks of a paradigm; it is added if no line defines it.
GroupId comm_locations(Definitions& d, Paradigm paradigm) {
  for (std::size_t i = 0; i < d.groups.size(); ++i)
    if ((d.groups[i].type == GroupType::comm_locations || d.groups[i].type == GroupType::comm_location_groups) &&
        d.groups[i].paradigm == paradigm)
      return GroupId{i};
  std::vector<std::uint64_t> members;
  if (paradigm == Paradigm::mpi) {
    std::vector<std::uint64_t> first(d.processes.size(), LocationId::none_value);
    for (std::size_t i = d.locations.size(); i-- > 0;)
      if (d.locations[i].type == LocationType::cpu_thread && d.locations[i].process.index() < first.size())
        first[d.locations[i].process.index()] = i;
    for (const std::uint64_t location : first)
      if (location != LocationId::none_value) members.push_back(location);
  } else {
    members = numbers_up_to(d.locations.size());
  }
  return add_group(d, GroupType::comm_locations, paradigm, std::move(members));
}

GroupId group_of(Definitions& d, const Members& members, Paradigm paradigm, const std::string& path) {
  const GroupId there = comm_locations(d, paradigm);
  if (members.self) return add_group(d, GroupType::comm_self, paradigm, {});
  const std::vector<std::uint64_t>& known = d.groups[there.index()].members;
  if (members.all) return add_group(d, GroupType::comm_group, paradigm, numbers_up_to(known.size()));
  std::unordered_map<std::uint64_t, std::uint64_t> rank_of;
  for (std::size_t i = 0; i < known.size(); ++i) rank_of.try_emplace(known[i], i);
  const bool processes = d.groups[there.index()].type == GroupType::comm_location_groups;
  std::vector<std::uint64_t> ranks;
  for (const auto& [location, place] : members.locations) {
    const bool is_process = processes && location.index() < d.locations.size();
    const auto rank = rank_of.find(is_process ? d.locations[location.index()].process.value : location.value);
    if (rank == rank_of.end())
      fail(path, place,
           "location " + std::to_string(location.value) + " is not in the comm_locations group of " +
               std::string(enum_name(paradigm)) +
               ": without a line for that group, it has the first cpu_thread of each process for mpi, "
               "else every location");
    ranks.push_back(rank->second);
  }
  return add_group(d, GroupType::comm_group, paradigm, std::move(ranks));
}

}  // namespace

void complete(Definitions& d, const Implied& implied, const std::string& path) {
  const bool ranks = d.locations.empty() && implied.locations > 0;
  add_locations_and_processes(d, implied);
  if (ranks) comm_locations(d, Paradigm::mpi);
  if (implied.world) {
    Comm world = default_definition<Comm>(0);
    world.name = "MPI_COMM_WORLD";
    Members everybody;
    everybody.all = true;
    world.group = group_of(d, everybody, Paradigm::mpi, path);
    d.comms.push_back(std::move(world));
  }
  for (const ImpliedComm& c : implied.comms) {
    Comm& comm = d.comms[c.comm];
    if (!c.a.given || comm.group.valid() || (c.b.given && comm.group_b.valid()))
      fail(path, c.place, "comm " + std::to_string(c.comm) + " needs either group=… or members=(…)");
    comm.group = group_of(d, c.a, c.paradigm, path);
    if (c.b.given) comm.group_b = group_of(d, c.b, c.paradigm, path);
  }
}

}  // namespace waitstate::notation
