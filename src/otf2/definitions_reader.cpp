// Builds the tables of definitions from what the OTF2 library delivers, in three walks over its records.
//
// Recorders write definitions in any order (EZTrace: a region before its name) and number them as they like, while our
// ids are positions in tables, processes ordered by MPI rank and locations by process. So the first walk collects the
// texts and gives every definition its id, the second fills the tables with all references resolved, and the third
// attaches what belongs to other definitions (properties, domains, coordinates). No walk has to patch up what an
// earlier one left open.
//
// Over 500 lines because it holds one short piece of code for each of the 38 definitions of OTF2.
#include "otf2/definitions_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "otf2/file_check.hpp"
#include "otf2/library.hpp"
#include "otf2/marker_reader.hpp"
#include "otf2/recorded_definitions.hpp"
#include "waitstate/error.hpp"

namespace waitstate::otf2 {
namespace {

constexpr std::uint64_t most_ranks = 1 << 26;  // what is more is damaged

using K = DefinitionKind;
using Fields = RecordedDefinitions::Fields;

struct RawGroup {
  std::uint32_t ref, name, flags;
  GroupType type;
  Paradigm paradigm;
  std::vector<std::uint64_t> members;

  explicit RawGroup(Fields& in) {
    ref = in.u32(), name = in.u32();
    type = in.as<GroupType>();
    paradigm = in.as<Paradigm>();
    flags = in.u32();
    members.resize(in.u32());
    for (std::uint64_t& member : members) member = in.u64();
  }

  bool lists_locations() const {
    return type == GroupType::locations || type == GroupType::comm_locations || (flags & 1) != 0;
  }
};

struct RawRegion {
  std::uint32_t ref, name, canonical, description, file, begin, end, flags;
  RegionRole role;
  Paradigm paradigm;
};

struct RawProcess {
  std::uint32_t ref, name, parent, creator;
  LocationGroupType type;
  std::uint32_t recorded;  // the recorder's number, from which `ref` differs where its group became several processes
};

struct RawLocation {
  std::uint64_t ref, events;
  std::uint32_t name, process;
  LocationType type;
};

// Texts of all definitions together, and what is left of longer ones behind that. Programs have some MB of names.
constexpr std::uint64_t most_text = std::uint64_t{64} << 20;
constexpr std::size_t shortened = 256;
// Members of all communicators together: each communicator has a list of its own, however many refer to one group.
constexpr std::uint64_t most_members = std::uint64_t{1} << 26;

class Builder {
 public:
  Builder(Definitions& definitions, References& references, Diagnostics& diagnostics)
      : d_(definitions), refs_(references), diagnostics_(diagnostics) {}

  void collect(K kind, Fields in);
  void number();
  void fill(K kind, Fields in);
  void attach(K kind, Fields in);
  void finish(const std::string& path);

 private:
  // True if this is the first definition of that kind with that number.
  bool is_first(RefKind kind, std::uint64_t ref) { return seen_[static_cast<std::size_t>(kind)].insert(ref).second; }
  void number(RefKind kind, std::uint64_t ref) {
    if (is_first(kind, ref))
      refs_[kind].add(ref, next_[static_cast<std::size_t>(kind)]++);
    else
      ++duplicates_;
  }
  template <class T>
  T* define(RefKind kind, std::uint64_t ref, std::vector<T>& table) {
    if (!is_first(kind, ref)) return nullptr;
    table.emplace_back().ref = ref;
    return &table.back();
  }

  std::uint32_t resolve(RefKind kind, std::uint64_t ref) {
    if (is_undefined(kind, ref)) return undefined32;
    const std::uint32_t id = refs_[kind].find(ref);
    if (id == RefTable::none && undefined_++ == 0)
      first_undefined_ = std::string(kind_name(kind)) + " " + std::to_string(ref) + ", referred to by a definition";
    return id;
  }
  template <class I>
  I id(RefKind kind, std::uint64_t ref) {
    return I{resolve(kind, ref)};
  }
  // Every definition has a copy of its texts: one long text that thousands refer to would not fit into memory.
  std::string text(std::uint64_t ref) {
    const StringId string = id<StringId>(RefKind::string, ref);
    if (!string.valid()) return {};
    const std::string& whole = d_[string];
    text_bytes_ += whole.size();
    if (text_bytes_ <= most_text || whole.size() <= shortened) return whole;
    ++shortened_texts_;
    return whole.substr(0, shortened);
  }
  Value value(Fields& in) {
    Value v = in.value();
    if (const auto kind = referred_kind(v.type)) v.bits = resolve(*kind, v.bits);
    return v;
  }
  template <class T>
  T* find(RefKind kind, std::uint64_t ref, std::vector<T>& table) {
    const std::uint32_t found = resolve(kind, ref);
    return found < table.size() ? &table[found] : nullptr;
  }
  template <class T>
  void property(Fields& in, T* owner) {
    Property p{text(in.u32()), {}};
    p.value = value(in);
    if (owner) owner->properties.push_back(std::move(p));
  }

  struct World {
    Paradigm paradigm;
    std::vector<std::uint64_t> members;
  };

  void limit_members();
  void number_regions();
  void number_processes();
  void split_processes(const World& world);
  const World* rank_world() const;
  template <class T>
  void break_cycles(std::vector<T>& table, const char* what);
  void fill_more(K kind, Fields& in);

  Definitions& d_;
  References& refs_;
  Diagnostics& diagnostics_;
  std::array<std::unordered_set<std::uint64_t>, ref_kinds> seen_;
  std::unordered_set<std::uint64_t> seen_comm_locations_;
  std::array<std::uint32_t, ref_kinds> next_{};
  std::uint64_t duplicates_ = 0, undefined_ = 0, misfits_ = 0, ranks_apart_ = 0, text_bytes_ = 0, shortened_texts_ = 0,
                dropped_comms_ = 0;
  std::string first_undefined_;
  bool has_clock_ = false;

  std::vector<RawRegion> regions_;
  std::vector<RawProcess> processes_;
  std::vector<RawLocation> locations_;
  std::vector<World> worlds_;  // the COMM_LOCATIONS groups
  std::array<std::vector<bool>, 256> ranks_;  // by paradigm: which members of these are members of communicators
  std::vector<Paradigm> process_paradigms_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> comm_locations_;  // number and id of those groups
};

// What a definition is known as to others, if it has a number.
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

// First walk: texts, and an id for every definition.
void Builder::collect(K kind, Fields in) {
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
      if (g.type != GroupType::comm_locations) {
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
        worlds_.push_back({g.paradigm, std::move(g.members)});
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

void Builder::number() {
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

// Regions that differ only in their number, and per-process copies of a function without source lines, are one region.
void Builder::number_regions() {
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

// The locations in the order of ranks: of MPI, or else of another paradigm of processes.
const Builder::World* Builder::rank_world() const {
  std::vector<Paradigm> order{Paradigm::mpi};
  order.insert(order.end(), process_paradigms_.begin(), process_paradigms_.end());
  order.insert(order.end(), {Paradigm::shmem, Paradigm::gaspi, Paradigm::upc});
  for (const Paradigm p : order)
    for (const World& world : worlds_)
      if (world.paradigm == p) return &world;
  return nullptr;
}

// A rank is a process: where a recorder puts several ranks into one location group (a group for each node), or a rank
// into none, each rank becomes a process of its own. Locations without a rank go with the one defined before them.
void Builder::split_processes(const World& world) {
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

// Communicators behind which there are too many members are as if their groups were not defined.
void Builder::limit_members() {
  std::uint64_t members = 0;
  for (Comm& comm : d_.comms) {
    std::uint64_t of_comm = 0;
    for (const GroupId group : {comm.group, comm.group_b})
      if (group.index() < d_.groups.size()) of_comm += d_.groups[group.index()].members.size();
    if (members + of_comm > most_members) {
      comm.group = comm.group_b = GroupId::none();
      ++dropped_comms_;
    } else {
      members += of_comm;
    }
  }
}

// Processes by rank, then the rest as defined; locations by process, kind and definition.
void Builder::number_processes() {
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

// Second walk: the tables.
void Builder::fill(K kind, Fields in) {
  switch (kind) {
    case K::clock_properties: {
      Clock clock;
      clock.resolution = in.u64(), clock.offset = in.u64(), clock.length = in.i64();
      clock.realtime = in.u64();
      if (has_clock_) {
        ++duplicates_;
      } else if (clock.resolution != 0) {
        d_.clock = clock;
        has_clock_ = true;
      }
      break;
    }
    case K::paradigm: {
      ParadigmDefinition p;
      p.paradigm = in.as<Paradigm>();
      p.name = text(in.u32());
      p.paradigm_class = in.as<ParadigmClass>();
      const auto same = [&](const ParadigmDefinition& other) { return other.paradigm == p.paradigm; };
      if (std::any_of(d_.paradigms.begin(), d_.paradigms.end(), same))
        ++duplicates_;
      else
        d_.paradigms.push_back(std::move(p));
      break;
    }
    case K::io_paradigm:
      if (IoParadigm* p = define(RefKind::io_paradigm, in.u8(), d_.io_paradigms)) {
        p->identification = text(in.u32()), p->name = text(in.u32());
        p->io_class = in.as<IoParadigmClass>();
        p->flags = in.u32();
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i) {
          const auto property_kind = in.as<IoParadigmPropertyKind>();
          const std::string_view name = property_kind == IoParadigmPropertyKind::version ? "version" : "unknown";
          p->properties.push_back({std::string(name), value(in)});
        }
      }
      break;
    case K::attribute:
      if (Attribute* a = define(RefKind::attribute, in.u32(), d_.attributes)) {
        a->name = text(in.u32()), a->description = text(in.u32());
        a->type = in.as<ValueType>();
      }
      break;
    case K::system_tree_node:
      if (SystemTreeNode* n = define(RefKind::system_tree_node, in.u32(), d_.system_tree)) {
        n->name = text(in.u32()), n->class_name = text(in.u32());
        n->parent = id<SystemNodeId>(RefKind::system_tree_node, in.u32());
      }
      break;
    case K::call_site:
      if (CallSite* c = define(RefKind::call_site, in.u32(), d_.call_sites)) {
        c->file = text(in.u32()), c->line = in.u32();
        c->entered = id<RegionId>(RefKind::region, in.u32()), c->left = id<RegionId>(RefKind::region, in.u32());
      }
      break;
    case K::call_path:
      if (RecordedCallPath* c = define(RefKind::call_path, in.u32(), d_.recorded_call_paths)) {
        c->parent = id<RecordedCallPathId>(RefKind::call_path, in.u32());
        c->region = id<RegionId>(RefKind::region, in.u32());
      }
      break;
    case K::group: {
      RawGroup raw(in);
      if (raw.type == GroupType::comm_locations ? !seen_comm_locations_.insert(raw.ref).second
                                                : !is_first(RefKind::group, raw.ref))
        break;  // counted by the first walk
      Group g;
      g.ref = raw.ref, g.name = text(raw.name);
      g.type = raw.type, g.paradigm = raw.paradigm, g.flags = raw.flags;
      g.members = std::move(raw.members);
      const auto translate = [&](RefKind to) {
        for (std::uint64_t& member : g.members) member = resolve(to, member);
      };
      if (raw.lists_locations())
        translate(RefKind::location);
      else if (g.type == GroupType::regions)
        translate(RefKind::region);
      else if (g.type == GroupType::metric)
        translate(RefKind::metric);
      d_.groups.push_back(std::move(g));
      break;
    }
    case K::comm:
      if (Comm* c = define(RefKind::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(RefKind::group, in.u32());
        c->parent = id<CommId>(RefKind::comm, in.u32());
        c->flags = in.u32();
      }
      break;
    case K::inter_comm:
      if (Comm* c = define(RefKind::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(RefKind::group, in.u32()), c->group_b = id<GroupId>(RefKind::group, in.u32());
        c->parent = id<CommId>(RefKind::comm, in.u32());
        c->flags = in.u32();
      }
      break;
    case K::rma_win:
      if (RmaWin* w = define(RefKind::rma_win, in.u32(), d_.rma_wins)) {
        w->name = text(in.u32());
        w->comm = id<CommId>(RefKind::comm, in.u32());
        w->flags = in.u32();
      }
      break;
    default:
      fill_more(kind, in);
  }
}

void Builder::fill_more(K kind, Fields& in) {
  switch (kind) {
    case K::metric_member:
      if (MetricMember* m = define(RefKind::metric_member, in.u32(), d_.metric_members)) {
        m->name = text(in.u32()), m->description = text(in.u32());
        m->type = in.as<MetricType>();
        m->mode = in.u8();
        m->value_type = in.as<ValueType>();
        m->base = in.as<Base>();
        m->exponent = in.i64();
        m->unit = text(in.u32());
      }
      break;
    case K::metric_class:
      if (Metric* m = define(RefKind::metric, in.u32(), d_.metrics)) {
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i) m->members.push_back(id<MetricMemberId>(RefKind::metric_member, in.u32()));
        m->occurrence = in.as<MetricOccurrence>();
        m->recorder_kind = in.as<RecorderKind>();
      }
      break;
    case K::metric_instance:
      if (Metric* m = define(RefKind::metric, in.u32(), d_.metrics)) {
        m->metric_class = id<MetricId>(RefKind::metric, in.u32());
        m->recorder = id<LocationId>(RefKind::location, in.u64());
        m->scope = in.as<MetricScope>();
        m->scope_ref = in.u64();
      }
      break;
    case K::parameter:
      if (Parameter* p = define(RefKind::parameter, in.u32(), d_.parameters)) {
        p->name = text(in.u32());
        p->type = in.as<ParameterType>();
      }
      break;
    case K::cart_dimension:
      if (CartDimension* c = define(RefKind::cart_dimension, in.u32(), d_.cart_dimensions)) {
        c->name = text(in.u32()), c->size = in.u32();
        c->periodicity = in.as<CartPeriodicity>();
      }
      break;
    case K::cart_topology:
      if (CartTopology* c = define(RefKind::cart_topology, in.u32(), d_.cart_topologies)) {
        c->name = text(in.u32()), c->comm = id<CommId>(RefKind::comm, in.u32());
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n; ++i)
          c->dimensions.push_back(id<CartDimensionId>(RefKind::cart_dimension, in.u32()));
      }
      break;
    case K::source_code_location:
      if (SourceCodeLocation* s = define(RefKind::source_code_location, in.u32(), d_.source_code_locations)) {
        s->file = text(in.u32()), s->line = in.u32();
      }
      break;
    case K::calling_context:
      if (CallingContext* c = define(RefKind::calling_context, in.u32(), d_.calling_contexts)) {
        c->region = id<RegionId>(RefKind::region, in.u32());
        c->source = id<SourceCodeLocationId>(RefKind::source_code_location, in.u32());
        c->parent = id<CallingContextId>(RefKind::calling_context, in.u32());
      }
      break;
    case K::interrupt_generator:
      if (InterruptGenerator* g = define(RefKind::interrupt_generator, in.u32(), d_.interrupt_generators)) {
        g->name = text(in.u32());
        g->mode = in.as<InterruptGeneratorMode>();
        g->base = in.as<Base>();
        g->exponent = in.i64();
        g->period = in.u64();
      }
      break;
    case K::io_regular_file:
    case K::io_directory:
      if (IoFile* f = define(RefKind::io_file, in.u32(), d_.io_files)) {
        f->name = text(in.u32()), f->scope = id<SystemNodeId>(RefKind::system_tree_node, in.u32());
        f->directory = kind == K::io_directory;
      }
      break;
    case K::io_handle:
      if (IoHandle* h = define(RefKind::io_handle, in.u32(), d_.io_handles)) {
        h->name = text(in.u32()), h->file = id<IoFileId>(RefKind::io_file, in.u32());
        h->paradigm = id<IoParadigmId>(RefKind::io_paradigm, in.u8());
        h->flags = in.u32();
        h->comm = id<CommId>(RefKind::comm, in.u32()), h->parent = id<IoHandleId>(RefKind::io_handle, in.u32());
      }
      break;
    default:
      break;
  }
}

// Third walk: what belongs to definitions made elsewhere.
void Builder::attach(K kind, Fields in) {
  switch (kind) {
    case K::paradigm_property: {
      const auto paradigm = in.as<Paradigm>();
      const std::string_view name = enum_name(in.as<ParadigmPropertyKind>());
      const Value v = value(in);
      for (ParadigmDefinition& p : d_.paradigms)
        if (p.paradigm == paradigm) p.properties.push_back({std::string(name.empty() ? "unknown" : name), v});
      break;
    }
    case K::metric_class_recorder: {
      Metric* metric = find(RefKind::metric, in.u32(), d_.metrics);
      const auto recorder = id<LocationId>(RefKind::location, in.u64());
      if (metric) metric->recorders.push_back(recorder);
      break;
    }
    case K::system_tree_node_property:
      property(in, find(RefKind::system_tree_node, in.u32(), d_.system_tree));
      break;
    case K::system_tree_node_domain:
      if (SystemTreeNode* node = find(RefKind::system_tree_node, in.u32(), d_.system_tree))
        node->domains.push_back(in.as<SystemTreeDomain>());
      break;
    case K::location_group_property:
      property(in, find(RefKind::location_group, in.u32(), d_.processes));
      break;
    case K::location_property:
      property(in, find(RefKind::location, in.u64(), d_.locations));
      break;
    case K::cart_coordinate: {
      CartTopology* topology = find(RefKind::cart_topology, in.u32(), d_.cart_topologies);
      std::vector<std::uint64_t> entry{in.u32()};
      const unsigned n = in.u8();
      for (unsigned i = 0; i < n; ++i) entry.push_back(in.u32());
      if (topology && n != topology->dimensions.size())
        ++misfits_;
      else if (topology)
        topology->coordinates.insert(topology->coordinates.end(), entry.begin(), entry.end());
      break;
    }
    case K::calling_context_property:
      property(in, find(RefKind::calling_context, in.u32(), d_.calling_contexts));
      break;
    case K::io_file_property:
      property(in, find(RefKind::io_file, in.u32(), d_.io_files));
      break;
    case K::call_path_parameter: {
      RecordedCallPath* path = find(RefKind::call_path, in.u32(), d_.recorded_call_paths);
      const Parameter* parameter = find(RefKind::parameter, in.u32(), d_.parameters);
      const Value v = value(in);
      if (path) path->parameters.push_back({parameter ? parameter->name : std::string(), v});
      break;
    }
    case K::io_pre_created_handle_state:
      if (IoHandle* handle = find(RefKind::io_handle, in.u32(), d_.io_handles)) {
        handle->pre_created = true;
        handle->access_mode = in.as<IoAccessMode>();
        handle->status_flags = in.u32();
      }
      break;
    default:
      break;
  }
}

// Cuts each cycle of parents in one place, so that nobody who follows them runs in circles.
template <class T>
void Builder::break_cycles(std::vector<T>& table, const char* what) {
  std::vector<std::size_t> visited_from(table.size(), table.size());  // the walk that came by here last
  for (std::size_t start = 0; start < table.size(); ++start)
    for (std::size_t at = start; visited_from[at] == table.size();) {
      visited_from[at] = start;
      const std::size_t parent = table[at].parent.index();
      if (parent >= table.size()) break;
      if (visited_from[parent] == start) {
        table[at].parent = {};
        diagnostics_.add(DiagnosticId::definitions_damaged,
                         {{}, ~Time{0}, std::string("a ") + what + " is its own ancestor"});
        break;
      }
      at = parent;
    }
}

void Builder::finish(const std::string& path) {
  break_cycles(d_.system_tree, "system tree node");
  break_cycles(d_.recorded_call_paths, "call path");
  break_cycles(d_.calling_contexts, "calling context");
  break_cycles(d_.comms, "communicator");
  break_cycles(d_.io_handles, "I/O handle");
  diagnostics_.add(DiagnosticId::duplicate_definition, {{}, ~Time{0}, path}, 0, duplicates_);
  diagnostics_.add(DiagnosticId::undefined_reference, {{}, ~Time{0}, first_undefined_}, 0, undefined_);
  diagnostics_.add(DiagnosticId::rank_without_process, {{}, ~Time{0}, path}, 0, ranks_apart_);
  if (misfits_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{}, ~Time{0}, path + ": " + std::to_string(misfits_) + " coordinates do not fit their topology"});
  limit_members();
  if (dropped_comms_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{},
                      ~Time{0},
                      path + ": communicators with more than " + std::to_string(most_members >> 20) +
                          " million members in all, those of " + std::to_string(dropped_comms_) + " left out"});
  if (shortened_texts_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{},
                      ~Time{0},
                      path + ": definitions with " + std::to_string(most_text >> 20) + " MiB of names, " +
                          std::to_string(shortened_texts_) + " of them shortened"});
  if (!has_clock_)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{}, ~Time{0}, path + ": no clock properties; taken for nanoseconds"});
  d_.finish();
}

}  // namespace

void read_definitions(const Anchor& anchor, Definitions& definitions, References& references,
                      Diagnostics& diagnostics) {
  const auto path = std::filesystem::path(anchor.base) += ".def";
  Builder builder(definitions, references, diagnostics);
  definitions.recorder = anchor.recorder;

  CheckedFile file = check_file(path, anchor.definition_chunk_size, FileKind::global_definitions);
  if (file.open_error == ENOENT)
    throw TraceError(path.string(), "the global definitions are missing; expected this file beside the anchor " +
                                        anchor.path.filename().string() + ": copy the whole trace");
  if (file.open_error != 0)
    throw TraceError(path.string(),
                     std::string("the global definitions cannot be opened (") + std::strerror(file.open_error) + ")");
  const LibraryReader library(anchor.path);
  const RecordedDefinitions recorded(library.get(), file.records);
  if (!recorded.damage().empty()) file.damage = recorded.damage();

  recorded.for_each([&](K kind, Fields in) { builder.collect(kind, in); });
  builder.number();
  recorded.for_each([&](K kind, Fields in) { builder.fill(kind, in); });
  recorded.for_each([&](K kind, Fields in) { builder.attach(kind, in); });
  if (definitions.locations.empty())
    throw TraceError(path.string(), "the global definitions name no location, so there are no events to read" +
                                        (file.damage.empty() ? std::string() : ": " + file.damage));
  if (file.damage.empty() && file.records != anchor.definitions)
    diagnostics.add(DiagnosticId::definitions_damaged,
                    {{},
                     ~Time{0},
                     path.string() + ": " + std::to_string(file.records) + " definitions, where the anchor announces " +
                         std::to_string(anchor.definitions)});
  if (!file.damage.empty())
    diagnostics.add(DiagnosticId::definitions_damaged,
                    {{},
                     ~Time{0},
                     path.string() + ": after " + std::to_string(recorded.read()) + " of " +
                         std::to_string(anchor.definitions) + " definitions: " + file.damage});
  diagnostics.add(DiagnosticId::unknown_definition, {{}, ~Time{0}, path.string()}, 0, recorded.unknown());
  builder.finish(path.string());
  read_markers(anchor, library.get(), definitions, diagnostics);
}

}  // namespace waitstate::otf2
