// Computes what follows from the definition tables once they are complete.
//
// OTF2 says who is rank r of a communicator in two steps: the members of a COMM_GROUP are indices into the group of
// kind COMM_LOCATIONS of the same paradigm, and the members of that group are locations (of kind COMM_LOCATION_GROUPS:
// processes). Resolving them for every message would cost two dependent look-ups and a branch on the kind of group;
// finish() does it once per member, so that locate() is one look-up. Memory is bounded by the recorded member lists,
// whatever numbers they hold.
#include "waitstate/trace/definitions.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace waitstate {
namespace {

constexpr std::uint32_t group_flag_global_members = 1;
constexpr unsigned in_a = 1, in_b = 2;

std::uint64_t side_key(CommId comm, ProcessId process) { return std::uint64_t{comm.value} << 32 | process.value; }

LocationId as_location(const Definitions& d, std::uint64_t member) {
  return member < d.locations.size() ? LocationId{member} : LocationId::none();
}

// The location that stands for a process: its first one.
LocationId first_location(const Definitions& d, std::uint64_t process) {
  return process < d.processes.size() && !d.processes[process].locations.empty() ? d.processes[process].locations[0]
                                                                                 : LocationId::none();
}

struct World {
  std::vector<LocationId> members;
  bool of_processes = false;
};

// The locations of the ranks of each paradigm: of its group of kind COMM_LOCATIONS, or the first location of each
// member of the one of kind COMM_LOCATION_GROUPS. Only the first group of a paradigm counts.
class Worlds {
 public:
  explicit Worlds(const Definitions& d) {
    for (const Group& g : d.groups) {
      std::optional<World>& world = of_[static_cast<std::uint8_t>(g.paradigm)];
      if (!is_world(g) || world) continue;
      world.emplace().of_processes = g.type == GroupType::comm_location_groups;
      for (const std::uint64_t member : g.members)
        world->members.push_back(world->of_processes ? first_location(d, member) : as_location(d, member));
    }
  }
  /// Null if there is no such group.
  const std::vector<LocationId>* of(Paradigm p) const {
    const std::optional<World>& world = of_[static_cast<std::uint8_t>(p)];
    return world ? &world->members : nullptr;
  }
  /// True if the paradigm's ranks are processes, whichever of its threads communicates.
  bool are_processes(Paradigm p) const {
    const std::optional<World>& world = of_[static_cast<std::uint8_t>(p)];
    return world && world->of_processes;
  }

 private:
  static bool is_world(const Group& g) {
    return g.type == GroupType::comm_locations || g.type == GroupType::comm_location_groups;
  }
  std::array<std::optional<World>, 256> of_{};
};

std::vector<LocationId> resolve(const Definitions& d, const Worlds& worlds, GroupId id) {
  std::vector<LocationId> result;
  if (id.index() >= d.groups.size()) return result;
  const Group& group = d.groups[id.index()];
  const bool global = (group.flags & group_flag_global_members) != 0;
  const bool processes =
      group.type == GroupType::comm_location_groups || (global && worlds.are_processes(group.paradigm));
  const bool direct = group.type == GroupType::locations || group.type == GroupType::comm_locations || global;
  const std::vector<LocationId>* world = worlds.of(group.paradigm);
  result.reserve(group.members.size());
  for (const std::uint64_t member : group.members) {
    if (processes)
      result.push_back(first_location(d, member));
    else if (direct)
      result.push_back(as_location(d, member));
    else if (world && member < world->size())
      result.push_back((*world)[member]);
    else
      result.push_back(LocationId::none());
  }
  return result;
}

// Finds the ranks of MPI if the program used MPI, else those of another paradigm whose units are processes.
const std::vector<LocationId>* ranks_of(const Definitions& d, const Worlds& worlds) {
  if (const std::vector<LocationId>* mpi = worlds.of(Paradigm::mpi)) return mpi;
  for (const ParadigmDefinition& p : d.paradigms)
    if (p.paradigm_class == ParadigmClass::process && worlds.of(p.paradigm)) return worlds.of(p.paradigm);
  for (const Paradigm p : {Paradigm::shmem, Paradigm::gaspi, Paradigm::upc})
    if (worlds.of(p)) return worlds.of(p);
  return nullptr;
}

}  // namespace

Definitions::Definitions() = default;
Definitions::Definitions(const Definitions&) = default;
Definitions::Definitions(Definitions&&) noexcept = default;
Definitions& Definitions::operator=(const Definitions&) = default;
Definitions& Definitions::operator=(Definitions&&) noexcept = default;
Definitions::~Definitions() = default;

StringId Definitions::intern(std::string_view text) {
  const auto [it, is_new] = string_ids_.try_emplace(std::string(text), StringId{strings.size()});
  if (is_new) strings.emplace_back(text);
  return it->second;
}

void Definitions::find_hosts() {
  ProcessId only;
  std::size_t with_threads = 0;
  for (std::size_t i = 0; i < processes.size(); ++i)
    if (cpu_threads(ProcessId{i}) != 0) only = ProcessId{i}, ++with_threads;
  if (with_threads > 1) only = ProcessId::none();
  for (std::size_t i = 0; i < processes.size(); ++i) {
    LocationGroup& group = processes[i];
    if (group.type != LocationGroupType::accelerator || cpu_threads(ProcessId{i}) != 0)
      group.host = ProcessId{i};
    else
      group.host = group.creator.index() < processes.size() ? group.creator : only;
  }
}

void Definitions::finish() {
  std::unordered_map<std::string_view, Region*> by_name;
  for (Region& region : regions) {
    const auto [first, is_new] = by_name.try_emplace(region.name, &region);
    region.shares_name = !is_new;
    if (!is_new) first->second->shares_name = true;
    region.mpi_function = mpi_function(region.name);
    if (region.mpi_function == MpiFunction::none && region.paradigm == Paradigm::mpi)
      region.mpi_function = MpiFunction::other;
    region.region_class = classify(region);
  }

  for (LocationGroup& process : processes) {
    process.locations.clear();
    process.rank = -1;
  }
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (locations[i].process.index() < processes.size())
      processes[locations[i].process.index()].locations.push_back(LocationId{i});
  find_hosts();

  const Worlds worlds(*this);
  if (const std::vector<LocationId>* const ranks = ranks_of(*this, worlds))
    for (std::size_t rank = 0; rank < ranks->size(); ++rank) {
      const LocationId location = (*ranks)[rank];
      if (!location.valid() || locations[location.index()].process.index() >= processes.size()) continue;
      LocationGroup& process = processes[locations[location.index()].process.index()];
      if (process.rank < 0) process.rank = static_cast<std::int64_t>(rank);
    }

  inter_sides_.clear();
  for (std::size_t i = 0; i < comms.size(); ++i) {
    Comm& comm = comms[i];
    const Group* group = comm.group.index() < groups.size() ? &groups[comm.group.index()] : nullptr;
    comm.paradigm = group ? group->paradigm : Paradigm::unknown;
    comm.self = group && group->type == GroupType::comm_self;
    comm.members = resolve(*this, worlds, comm.group);
    comm.members_b = resolve(*this, worlds, comm.group_b);
    if (!comm.inter()) continue;
    const auto mark = [&](const std::vector<LocationId>& members, unsigned side) {
      for (const LocationId member : members)
        if (member.valid()) inter_sides_[side_key(CommId{i}, locations[member.index()].process)] |= side;
    };
    mark(comm.members, in_a);
    mark(comm.members_b, in_b);
  }
}

LocationId Definitions::locate(CommId comm, std::uint32_t rank, LocationId self) const {
  if (comm.index() >= comms.size()) return LocationId::none();
  const Comm& c = comms[comm.index()];
  const std::vector<LocationId>* members = &c.members;
  if (c.self) {
    if (rank != 0 || self.index() >= locations.size()) return LocationId::none();
    const ProcessId process = locations[self.index()].process;
    return process.index() < processes.size() ? processes[process.index()].locations.front() : self;
  }
  if (c.inter() && self.index() < locations.size()) {
    const auto side = inter_sides_.find(side_key(comm, locations[self.index()].process));
    if (side != inter_sides_.end() && (side->second & in_a) != 0) members = &c.members_b;
  }
  return rank < members->size() ? (*members)[rank] : LocationId::none();
}

std::vector<LocationId> Definitions::members(GroupId group) const { return resolve(*this, Worlds(*this), group); }

std::size_t Definitions::cpu_threads(ProcessId process) const {
  if (process.index() >= processes.size()) return 0;
  std::size_t n = 0;
  for (const LocationId location : processes[process.index()].locations)
    n += locations[location.index()].type == LocationType::cpu_thread;
  return n;
}

}  // namespace waitstate
