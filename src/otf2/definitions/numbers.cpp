// The first walk over the definitions: finds them and gives each its number.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "otf2/definitions/raw.hpp"

namespace waitstate::otf2 {

namespace {

using K = DefinitionKind;

constexpr std::uint64_t most_ranks = 1 << 26;  // a larger rank is damaged

// The kind of reference that names a definition of kind `k`, if it has a number.
std::optional<RefKind> reference_to(K kind) {
  switch (kind) {
    case K::io_paradigm:
      return RefKind::io_paradigm;
    case K::attribute:
      return RefKind::attribute;
    case K::system_tree_node:
      return RefKind::system_tree_node;
    case K::call_site:
      return RefKind::call_site;
    case K::call_path:
      return RefKind::call_path;
    case K::metric_member:
      return RefKind::metric_member;
    case K::metric_class:
    case K::metric_instance:
      return RefKind::metric;
    case K::comm:
    case K::inter_comm:
      return RefKind::comm;
    case K::parameter:
      return RefKind::parameter;
    case K::rma_win:
      return RefKind::rma_win;
    case K::cart_dimension:
      return RefKind::cart_dimension;
    case K::cart_topology:
      return RefKind::cart_topology;
    case K::source_code_location:
      return RefKind::source_code_location;
    case K::calling_context:
      return RefKind::calling_context;
    case K::interrupt_generator:
      return RefKind::interrupt_generator;
    case K::io_regular_file:
    case K::io_directory:
      return RefKind::io_file;
    case K::io_handle:
      return RefKind::io_handle;
    default:
      return std::nullopt;
  }
}

}  // namespace

// First walk: collects texts, and gives every definition an id.
void DefinitionsBuilder::collect(K kind, Fields in) {
  const auto keep = [&](RefKind ref_kind, auto raw, auto& list) {
    if (is_first(ref_kind, raw.ref))
      list.push_back(raw);
    else
      ++duplicates_;
  };
  switch (kind) {
    case K::string: {
      const std::uint32_t ref = in.u32();
      if (is_first(RefKind::string, ref))
        refs_[RefKind::string].add(ref, d_.intern(in.text()).value);
      else
        ++duplicates_;
      break;
    }
    case K::region: {
      RawRegion r{};
      r.ref = in.u32(), r.name = in.u32(), r.canonical = in.u32(), r.description = in.u32();
      r.role = in.as<RegionRole>();
      r.paradigm = in.as<Paradigm>();
      r.flags = in.u32(), r.file = in.u32(), r.begin = in.u32(), r.end = in.u32();
      keep(RefKind::region, r, regions_);
      break;
    }
    case K::location_group: {
      RawProcess p{};
      p.ref = in.u32(), p.name = in.u32();
      p.type = in.as<LocationGroupType>();
      p.parent = in.u32(), p.creator = in.u32();
      p.recorded = p.ref;
      keep(RefKind::location_group, p, processes_);
      break;
    }
    case K::location: {
      RawLocation l{};
      l.ref = in.u64(), l.name = in.u32();
      l.type = in.as<LocationType>();
      l.events = in.u64(), l.process = in.u32();
      keep(RefKind::location, l, locations_);
      break;
    }
    case K::group: {
      RawGroup g(in);
      // EZTrace gives the locations of MPI and the group of MPI_COMM_WORLD the same number: references mean the latter.
      if (!g.is_world()) {
        number(RefKind::group, g.ref);
        if (g.type == GroupType::comm_group && !g.lists_locations()) {
          std::vector<bool>& ranks = ranks_[static_cast<std::uint8_t>(g.paradigm)];
          for (const std::uint64_t rank : g.members) {
            if (rank >= most_ranks) continue;
            if (rank >= ranks.size()) ranks.resize(static_cast<std::size_t>(rank) + 1);
            ranks[static_cast<std::size_t>(rank)] = true;
          }
        }
      } else if (seen_comm_locations_.insert(g.ref).second) {
        comm_locations_.emplace_back(g.ref, next_[static_cast<std::size_t>(RefKind::group)]++);
        worlds_.push_back({g.paradigm, std::move(g.members), g.type == GroupType::comm_location_groups});
      } else {
        ++duplicates_;
      }
      break;
    }
    case K::paradigm: {
      const auto paradigm = in.as<Paradigm>();
      in.u32();
      if (in.as<ParadigmClass>() == ParadigmClass::process) process_paradigms_.push_back(paradigm);
      break;
    }
    default:
      if (const auto ref_kind = reference_to(kind)) number(*ref_kind, in.u64());
  }
}

void DefinitionsBuilder::number() {
  for (const auto& [ref, id] : comm_locations_) {
    if (is_first(RefKind::group, ref))
      refs_[RefKind::group].add(ref, id);
    else
      ++duplicates_;
  }
  refs_[RefKind::string].seal();
  refs_[RefKind::system_tree_node].seal();
  number_regions();
  number_processes();
  for (std::size_t kind = 0; kind < ref_kinds; ++kind) {
    const auto k = static_cast<RefKind>(kind);
    const bool done = k == RefKind::string || k == RefKind::system_tree_node || k == RefKind::region ||
                      k == RefKind::location || k == RefKind::location_group;
    if (!done) refs_[k].seal();
  }
  for (auto& seen : seen_) seen.clear();
  seen_comm_locations_.clear();
}

// Regions that differ only in their number, and per-process copies of a function without source lines, become one
// region.
void DefinitionsBuilder::number_regions() {
  std::unordered_map<std::string, std::uint32_t> known;
  for (const RawRegion& raw : regions_) {
    Region r;
    r.ref = raw.ref;
    r.name = text(raw.name), r.canonical_name = text(raw.canonical), r.description = text(raw.description);
    r.role = raw.role, r.paradigm = raw.paradigm, r.flags = raw.flags;
    r.file = text(raw.file);
    r.begin_line = raw.begin == undefined32 ? 0 : raw.begin;
    r.end_line = raw.end == undefined32 ? 0 : raw.end;

    std::string key = r.name;
    const auto append = [&](const auto& part) { (key += '\0') += part; };
    append(r.canonical_name);
    append(std::to_string(static_cast<int>(r.role)));
    append(std::to_string(static_cast<int>(r.paradigm)));
    if (r.begin_line != 0 || r.end_line != 0) {
      append(r.description);
      append(r.file);
      for (const std::uint32_t n : {r.flags, r.begin_line, r.end_line}) append(std::to_string(n));
    }
    const auto [it, is_new] = known.try_emplace(std::move(key), static_cast<std::uint32_t>(d_.regions.size()));
    refs_[RefKind::region].add(raw.ref, it->second);
    if (is_new) d_.regions.push_back(std::move(r));
  }
  refs_[RefKind::region].seal();
}

// Where ranks are location groups, the first location of each stands for it: the first thread if it has any.
void DefinitionsBuilder::find_locations_of_ranks() {
  std::unordered_map<std::uint64_t, const RawLocation*> first;
  const auto is_thread = [](const RawLocation& l) { return l.type == LocationType::cpu_thread; };
  for (const RawLocation& l : locations_) {
    const RawLocation*& known = first.try_emplace(l.process, &l).first->second;
    if (!is_thread(*known) && is_thread(l)) known = &l;
  }
  for (World& world : worlds_) {
    if (!world.of_location_groups) continue;
    for (std::uint64_t& member : world.members) {
      const auto it = first.find(member);
      member = it == first.end() ? undefined64 : it->second->ref;
    }
  }
}

bool DefinitionsBuilder::ranks_are_processes(Paradigm paradigm) const {
  for (const World& world : worlds_)
    if (world.paradigm == paradigm) return world.of_location_groups;
  return false;
}

// The locations in the order of ranks, either of MPI or of another paradigm of processes.
const DefinitionsBuilder::World* DefinitionsBuilder::rank_world() const {
  std::vector<Paradigm> order{Paradigm::mpi};
  order.insert(order.end(), process_paradigms_.begin(), process_paradigms_.end());
  order.insert(order.end(), {Paradigm::shmem, Paradigm::gaspi, Paradigm::upc});
  for (const Paradigm p : order)
    for (const World& world : worlds_)
      if (world.paradigm == p) return &world;
  return nullptr;
}

// Makes each rank a process: where a recorder puts several ranks into one location group (a group for each node), or a
// rank into none, each rank becomes a process of its own. Locations without a rank stay with the one defined before
// them.
void DefinitionsBuilder::split_processes(const World& world) {
  const std::vector<bool>& is_rank = ranks_[static_cast<std::uint8_t>(world.paradigm)];
  std::unordered_set<std::uint64_t> ranks;
  for (std::size_t rank = 0; rank < std::min(is_rank.size(), world.members.size()); ++rank)
    if (is_rank[rank]) ranks.insert(world.members[rank]);

  std::unordered_map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < processes_.size(); ++i) place.emplace(processes_[i].ref, i);
  std::uint32_t unused = undefined32;
  const auto add = [&](RawProcess process) {
    do --unused;
    while (place.contains(unused));
    process.ref = unused;
    processes_.push_back(process);
    return unused;
  };
  struct Latest {
    std::uint32_t process;
    bool has_rank = false;
  };
  std::unordered_map<std::uint32_t, Latest> latest;  // by location group
  std::unordered_set<std::uint32_t> shared;
  for (RawLocation& l : locations_) {
    const bool has_rank = ranks.contains(l.ref);
    const auto group = place.find(l.process);
    if (group == place.end()) {
      if (!has_rank) continue;
      l.process = add({0, undefined32, undefined32, undefined32, LocationGroupType::process, undefined32});
      ++ranks_apart_;
      continue;
    }
    Latest& part = latest.try_emplace(l.process, Latest{l.process}).first->second;
    if (has_rank && part.has_rank) {
      ranks_apart_ += shared.insert(l.process).second ? 2 : 1;
      part.process = add(processes_[group->second]);
    }
    part.has_rank = part.has_rank || has_rank;
    l.process = part.process;
  }
}

// Orders processes by rank, then the rest as defined; and locations by process, kind and definition.
void DefinitionsBuilder::number_processes() {
  find_locations_of_ranks();
  const World* const world = rank_world();
  if (world != nullptr) split_processes(*world);
  std::unordered_map<std::uint64_t, std::uint32_t> process_of_location;
  for (const RawLocation& l : locations_) process_of_location.emplace(l.ref, l.process);
  std::unordered_map<std::uint32_t, std::size_t> rank_of_process;
  if (world != nullptr)
    for (std::size_t rank = 0; rank < world->members.size(); ++rank)
      if (const auto it = process_of_location.find(world->members[rank]); it != process_of_location.end())
        rank_of_process.emplace(it->second, rank);

  const auto rank = [&](const RawProcess& p) {
    const auto it = rank_of_process.find(p.ref);
    return it == rank_of_process.end() ? ~std::size_t{0} : it->second;
  };
  std::stable_sort(processes_.begin(), processes_.end(),
                   [&](const RawProcess& a, const RawProcess& b) { return rank(a) < rank(b); });
  for (std::size_t i = 0; i < processes_.size(); ++i)
    refs_[RefKind::location_group].add(processes_[i].ref, static_cast<std::uint32_t>(i));
  refs_[RefKind::location_group].seal();
  for (const RawProcess& raw : processes_) {
    LocationGroup p;
    p.ref = raw.recorded;
    p.name = text(raw.name);
    p.type = raw.type;
    p.parent = id<SystemNodeId>(RefKind::system_tree_node, raw.parent);
    p.creator = id<ProcessId>(RefKind::location_group, raw.creator);
    d_.processes.push_back(std::move(p));
  }

  const auto place = [&](const RawLocation& l) {
    const int kind = l.type == LocationType::cpu_thread           ? 0
                     : l.type == LocationType::accelerator_stream ? 1
                     : l.type == LocationType::metric             ? 2
                                                                  : 3;
    return std::pair(refs_[RefKind::location_group].find(l.process), kind);  // unknown processes come last
  };
  std::stable_sort(locations_.begin(), locations_.end(),
                   [&](const RawLocation& a, const RawLocation& b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    const RawLocation& raw = locations_[i];
    refs_[RefKind::location].add(raw.ref, static_cast<std::uint32_t>(i));
    Location l;
    l.ref = raw.ref;
    l.name = text(raw.name);
    l.type = raw.type;
    l.process = id<ProcessId>(RefKind::location_group, raw.process);
    l.announced_events = raw.events;
    d_.locations.push_back(std::move(l));
  }
  refs_[RefKind::location].seal();
}

}  // namespace waitstate::otf2
