// Global definitions, in three walks over the file.
//
// Recorders write definitions in any order (EZTrace: a region before its name) and number them as they like, while our ids
// are positions in tables, processes ordered by MPI rank and locations by process. So the first walk collects the texts and
// gives every definition its id, the second fills the tables with all references resolved, and the third attaches what
// belongs to other definitions (properties, domains, coordinates). The file is small compared with the events and stays in
// the system's cache, and no walk has to patch up what an earlier one left open.
//
// Over 400 lines because it holds one short piece of code for each of the 38 definitions of OTF2, with the variants that
// older versions wrote: fields that were added later are missing at the end of a record.
#include "otf2/definitions_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "otf2/chunk_file.hpp"
#include "waitstate/error.hpp"

namespace waitstate::otf2 {
namespace {

namespace record {
enum : std::uint8_t {
  clock_properties = 5, paradigm, paradigm_property, io_paradigm,
  string = 10, attribute, system_tree_node, location_group, location, region, call_site, call_path, group,
  metric_member, metric_class, metric_instance, comm, parameter, rma_win, metric_class_recorder,
  system_tree_node_property, system_tree_node_domain, location_group_property, location_property, cart_dimension,
  cart_topology, cart_coordinate, source_code_location, calling_context, calling_context_property, interrupt_generator,
  io_file_property, io_regular_file, io_directory, io_handle, io_pre_created_handle_state, call_path_parameter,
  inter_comm,
};
}
static_assert(record::inter_comm == 43);

// Roles and paradigms of the region types that OTF2 1.0 had instead.
constexpr struct { RegionRole role; Paradigm paradigm; std::uint32_t flags; } old_region_types[] = {
    {RegionRole::unknown, Paradigm::unknown, 0}, {RegionRole::function, Paradigm::unknown, 0},
    {RegionRole::loop, Paradigm::user, 0}, {RegionRole::function, Paradigm::unknown, 0},
    {RegionRole::file_io, Paradigm::user, 0}, {RegionRole::parallel, Paradigm::openmp, 0},
    {RegionRole::loop, Paradigm::openmp, 0}, {RegionRole::sections, Paradigm::openmp, 0},
    {RegionRole::section, Paradigm::openmp, 0}, {RegionRole::workshare, Paradigm::openmp, 0},
    {RegionRole::single, Paradigm::openmp, 0}, {RegionRole::master, Paradigm::openmp, 0},
    {RegionRole::critical, Paradigm::openmp, 0}, {RegionRole::atomic, Paradigm::openmp, 0},
    {RegionRole::barrier, Paradigm::openmp, 0}, {RegionRole::implicit_barrier, Paradigm::openmp, 0},
    {RegionRole::flush, Paradigm::openmp, 0}, {RegionRole::critical_sblock, Paradigm::openmp, 0},
    {RegionRole::single_sblock, Paradigm::openmp, 0}, {RegionRole::wrapper, Paradigm::openmp, 0},
    {RegionRole::task, Paradigm::openmp, 0}, {RegionRole::task_wait, Paradigm::openmp, 0},
    {RegionRole::barrier, Paradigm::mpi, 0}, {RegionRole::coll_one2all, Paradigm::mpi, 0},
    {RegionRole::coll_all2one, Paradigm::mpi, 0}, {RegionRole::coll_all2all, Paradigm::mpi, 0},
    {RegionRole::coll_other, Paradigm::mpi, 0}, {RegionRole::code, Paradigm::user, 2},
    {RegionRole::code, Paradigm::user, 1}, {RegionRole::code, Paradigm::user, 3},
    {RegionRole::loop, Paradigm::user, 1}, {RegionRole::function, Paradigm::user, 1},
    {RegionRole::loop, Paradigm::user, 3}, {RegionRole::task_create, Paradigm::openmp, 0},
    {RegionRole::ordered, Paradigm::openmp, 0}, {RegionRole::ordered_sblock, Paradigm::openmp, 0}};

// A group's own fields; the members follow in the record before the newer kind of type.
struct RawGroup {
  std::uint32_t ref = 0, name = 0, flags = 0;
  GroupType type{};
  Paradigm paradigm{};
  std::vector<std::uint64_t> members;

  explicit RawGroup(ByteReader& in) {
    ref = in.u32();
    name = in.u32();
    const std::uint8_t old_type = in.u8();
    const std::uint32_t n = in.u32();
    members.reserve(std::min<std::size_t>(n, in.left()));
    for (std::uint32_t i = 0; i < n && in.ok(); ++i) members.push_back(in.u64());
    if (!in.at_end()) {
      type = static_cast<GroupType>(in.u8());
      paradigm = static_cast<Paradigm>(in.u8());
      flags = in.u32();
      return;
    }
    constexpr GroupType types[] = {GroupType::unknown, GroupType::locations, GroupType::regions, GroupType::metric,
                                   GroupType::comm_group, GroupType::comm_self, GroupType::comm_locations};
    if (old_type < std::size(types)) type = types[old_type];
    if (type >= GroupType::comm_locations) paradigm = Paradigm::mpi;
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
};

struct RawLocation {
  std::uint64_t ref, events;
  std::uint32_t name, process;
  LocationType type;
};

class Builder {
 public:
  Builder(Definitions& definitions, References& references, Diagnostics& diagnostics)
      : d_(definitions), refs_(references), diagnostics_(diagnostics) {}

  bool collect(std::uint8_t type, ByteReader in);
  void number();
  bool fill(std::uint8_t type, ByteReader in);
  bool attach(std::uint8_t type, ByteReader in);
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
      first_undefined_ = std::string(kind_name(kind)) + " " + std::to_string(ref) +
                         ", referred to by a definition";
    return id;
  }
  template <class I>
  I id(RefKind kind, std::uint64_t ref) {
    return I{resolve(kind, ref)};
  }
  std::string text(std::uint64_t ref) {
    const StringId string = id<StringId>(RefKind::string, ref);
    return string.valid() ? d_[string] : std::string();
  }
  Value value(ByteReader& in) {
    const auto type = static_cast<ValueType>(in.u8());
    return read_value(in, type, [&](RefKind kind, std::uint64_t ref) { return resolve(kind, ref); });
  }
  template <class T>
  T* find(RefKind kind, std::uint64_t ref, std::vector<T>& table) {
    const std::uint32_t found = resolve(kind, ref);
    return found < table.size() ? &table[found] : nullptr;
  }
  // A property as it has been since OTF2 2.0, or before, when it was always a string.
  void property(ByteReader& in, std::vector<Property>* properties) {
    Property p{text(in.u32()), {}};
    const std::uint32_t old_value = in.u32();
    p.value = in.at_end() ? Value{ValueType::string, resolve(RefKind::string, old_value)} : value(in);
    if (properties) properties->push_back(std::move(p));
  }

  void number_regions();
  void number_processes();
  const std::vector<std::uint64_t>* rank_members() const;
  template <class T>
  void break_cycles(std::vector<T>& table, const char* what);
  bool fill_more(std::uint8_t type, ByteReader& in);

  Definitions& d_;
  References& refs_;
  Diagnostics& diagnostics_;
  std::array<std::unordered_set<std::uint64_t>, ref_kinds> seen_;
  std::unordered_set<std::uint64_t> seen_comm_locations_;
  std::array<std::uint32_t, ref_kinds> next_{};
  std::uint64_t duplicates_ = 0, undefined_ = 0, unknown_ = 0;
  std::string first_undefined_;
  bool has_clock_ = false;

  std::vector<RawRegion> regions_;
  std::vector<RawProcess> processes_;
  std::vector<RawLocation> locations_;
  std::vector<std::pair<Paradigm, std::vector<std::uint64_t>>> worlds_;  // members of the COMM_LOCATIONS groups
  std::vector<Paradigm> process_paradigms_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> comm_locations_;  // number and id of those groups
};

// First walk: texts, and an id for every definition.
bool Builder::collect(std::uint8_t type, ByteReader in) {
  using K = RefKind;
  switch (type) {
    case record::string: {
      const std::uint32_t ref = in.u32();
      const std::string_view content = in.text();
      if (!in.ok()) return false;
      if (is_first(K::string, ref))
        refs_[K::string].add(ref, d_.intern(content).value);
      else
        ++duplicates_;
      return true;
    }
    case record::region: {
      RawRegion r{};
      r.ref = in.u32(), r.name = in.u32(), r.description = in.u32();
      const std::uint8_t old_type = in.u8();
      r.file = in.u32(), r.begin = in.u32(), r.end = in.u32();
      if (!in.at_end()) {
        r.canonical = in.u32();
        r.role = static_cast<RegionRole>(in.u8());
        r.paradigm = static_cast<Paradigm>(in.u8());
        r.flags = in.u32();
      } else {
        const auto& old = old_region_types[old_type < std::size(old_region_types) ? old_type : 0];
        r.canonical = r.name, r.role = old.role, r.paradigm = old.paradigm, r.flags = old.flags;
      }
      if (!in.ok()) return false;
      if (is_first(K::region, r.ref))
        regions_.push_back(r);
      else
        ++duplicates_;
      return true;
    }
    case record::location_group: {
      RawProcess p{};
      p.ref = in.u32(), p.name = in.u32();
      p.type = static_cast<LocationGroupType>(in.u8());
      p.parent = in.u32();
      p.creator = in.at_end() ? undefined32 : in.u32();
      if (!in.ok()) return false;
      if (is_first(K::location_group, p.ref))
        processes_.push_back(p);
      else
        ++duplicates_;
      return true;
    }
    case record::location: {
      RawLocation l{};
      l.ref = in.u64(), l.name = in.u32();
      l.type = static_cast<LocationType>(in.u8());
      l.events = in.u64(), l.process = in.u32();
      if (!in.ok()) return false;
      if (is_first(K::location, l.ref))
        locations_.push_back(l);
      else
        ++duplicates_;
      return true;
    }
    case record::group: {
      RawGroup g(in);
      if (!in.ok()) return false;
      // EZTrace gives the locations of MPI and the group of MPI_COMM_WORLD the same number: references mean the latter.
      if (g.type == GroupType::comm_locations) {
        if (!seen_comm_locations_.insert(g.ref).second) return ++duplicates_, true;
        comm_locations_.emplace_back(g.ref, next_[static_cast<std::size_t>(K::group)]++);
        worlds_.emplace_back(g.paradigm, std::move(g.members));
      } else {
        number(K::group, g.ref);
      }
      return true;
    }
    case record::paradigm: {
      const auto paradigm = static_cast<Paradigm>(in.u8());
      in.u32();
      if (static_cast<ParadigmClass>(in.u8()) == ParadigmClass::process) process_paradigms_.push_back(paradigm);
      return in.ok();
    }
    case record::io_paradigm: number(K::io_paradigm, in.u8()); return in.ok();
    case record::attribute: number(K::attribute, in.u32()); return in.ok();
    case record::system_tree_node: number(K::system_tree_node, in.u32()); return in.ok();
    case record::call_site: number(K::call_site, in.u32()); return in.ok();
    case record::call_path: number(K::call_path, in.u32()); return in.ok();
    case record::metric_member: number(K::metric_member, in.u32()); return in.ok();
    case record::metric_class: case record::metric_instance: number(K::metric, in.u32()); return in.ok();
    case record::comm: case record::inter_comm: number(K::comm, in.u32()); return in.ok();
    case record::parameter: number(K::parameter, in.u32()); return in.ok();
    case record::rma_win: number(K::rma_win, in.u32()); return in.ok();
    case record::cart_dimension: number(K::cart_dimension, in.u32()); return in.ok();
    case record::cart_topology: number(K::cart_topology, in.u32()); return in.ok();
    case record::source_code_location: number(K::source_code_location, in.u32()); return in.ok();
    case record::calling_context: number(K::calling_context, in.u32()); return in.ok();
    case record::interrupt_generator: number(K::interrupt_generator, in.u32()); return in.ok();
    case record::io_regular_file: case record::io_directory: number(K::io_file, in.u32()); return in.ok();
    case record::io_handle: number(K::io_handle, in.u32()); return in.ok();
    default:
      if (type > record::inter_comm || type < record::clock_properties || type == 9) ++unknown_;
      return true;
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

// The recorded locations in the order of ranks: of MPI, or else of another paradigm of processes.
const std::vector<std::uint64_t>* Builder::rank_members() const {
  std::vector<Paradigm> order{Paradigm::mpi};
  order.insert(order.end(), process_paradigms_.begin(), process_paradigms_.end());
  order.insert(order.end(), {Paradigm::shmem, Paradigm::gaspi, Paradigm::upc});
  for (const Paradigm p : order)
    for (const auto& [paradigm, members] : worlds_)
      if (paradigm == p) return &members;
  return nullptr;
}

// Processes by rank, then the rest as defined; locations by process, kind and definition.
void Builder::number_processes() {
  std::unordered_map<std::uint64_t, std::uint32_t> process_of_location;
  for (const RawLocation& l : locations_) process_of_location.emplace(l.ref, l.process);
  std::unordered_map<std::uint32_t, std::size_t> rank_of_process;
  if (const auto* members = rank_members())
    for (std::size_t rank = 0; rank < members->size(); ++rank)
      if (const auto it = process_of_location.find((*members)[rank]); it != process_of_location.end())
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
    p.ref = raw.ref;
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
bool Builder::fill(std::uint8_t type, ByteReader in) {
  using K = RefKind;
  switch (type) {
    case record::clock_properties: {
      Clock clock;
      clock.resolution = in.u64(), clock.offset = in.u64(), clock.length = in.i64();
      clock.realtime = in.at_end() ? undefined64 : in.u64();
      if (!in.ok() || clock.resolution == 0) return false;
      if (has_clock_) return ++duplicates_, true;
      d_.clock = clock;
      return has_clock_ = true;
    }
    case record::paradigm: {
      ParadigmDefinition p;
      p.paradigm = static_cast<Paradigm>(in.u8());
      p.name = text(in.u32());
      p.paradigm_class = static_cast<ParadigmClass>(in.u8());
      const auto same = [&](const ParadigmDefinition& other) { return other.paradigm == p.paradigm; };
      if (std::any_of(d_.paradigms.begin(), d_.paradigms.end(), same)) return ++duplicates_, true;
      d_.paradigms.push_back(std::move(p));
      return in.ok();
    }
    case record::io_paradigm:
      if (IoParadigm* p = define(K::io_paradigm, in.u8(), d_.io_paradigms)) {
        p->identification = text(in.u32()), p->name = text(in.u32());
        p->io_class = static_cast<IoParadigmClass>(in.u8());
        p->flags = in.u32();
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n && in.ok(); ++i) {
          const auto kind = static_cast<IoParadigmPropertyKind>(in.u8());
          const std::string_view name = kind == IoParadigmPropertyKind::version ? "version" : "unknown";
          p->properties.push_back({std::string(name), value(in)});
        }
      }
      return in.ok();
    case record::attribute:
      if (Attribute* a = define(K::attribute, in.u32(), d_.attributes)) {
        a->name = text(in.u32());
        a->type = static_cast<ValueType>(in.u8());
        if (!in.at_end()) a->description = text(in.u32());
      }
      return in.ok();
    case record::system_tree_node:
      if (SystemTreeNode* n = define(K::system_tree_node, in.u32(), d_.system_tree)) {
        n->name = text(in.u32()), n->class_name = text(in.u32());
        n->parent = id<SystemNodeId>(K::system_tree_node, in.u32());
      }
      return in.ok();
    case record::call_site:
      if (CallSite* c = define(K::call_site, in.u32(), d_.call_sites)) {
        c->file = text(in.u32()), c->line = in.u32();
        c->entered = id<RegionId>(K::region, in.u32()), c->left = id<RegionId>(K::region, in.u32());
      }
      return in.ok();
    case record::call_path:
      if (RecordedCallPath* c = define(K::call_path, in.u32(), d_.recorded_call_paths)) {
        c->parent = id<RecordedCallPathId>(K::call_path, in.u32());
        c->region = id<RegionId>(K::region, in.u32());
      }
      return in.ok();
    case record::group: {
      RawGroup raw(in);
      if (!in.ok()) return true;  // counted by the first walk
      if (raw.type == GroupType::comm_locations ? !seen_comm_locations_.insert(raw.ref).second
                                                : !is_first(K::group, raw.ref))
        return true;
      Group g;
      g.ref = raw.ref, g.name = text(raw.name);
      g.type = raw.type, g.paradigm = raw.paradigm, g.flags = raw.flags;
      g.members = std::move(raw.members);
      const auto translate = [&](K kind) {
        for (std::uint64_t& member : g.members) member = resolve(kind, member);
      };
      if (raw.lists_locations())
        translate(K::location);
      else if (g.type == GroupType::regions)
        translate(K::region);
      else if (g.type == GroupType::metric)
        translate(K::metric);
      d_.groups.push_back(std::move(g));
      return true;
    }
    case record::comm:
      if (Comm* c = define(K::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(K::group, in.u32());
        c->parent = id<CommId>(K::comm, in.u32());
        if (!in.at_end()) c->flags = in.u32();
      }
      return in.ok();
    case record::inter_comm:
      if (Comm* c = define(K::comm, in.u32(), d_.comms)) {
        c->name = text(in.u32());
        c->group = id<GroupId>(K::group, in.u32()), c->group_b = id<GroupId>(K::group, in.u32());
        c->parent = id<CommId>(K::comm, in.u32());
        c->flags = in.u32();
      }
      return in.ok();
    case record::rma_win:
      if (RmaWin* w = define(K::rma_win, in.u32(), d_.rma_wins)) {
        constexpr std::uint32_t create_destroy_events = 1;  // what windows always had before OTF2 3.0
        w->name = text(in.u32());
        w->comm = id<CommId>(K::comm, in.u32());
        w->flags = in.at_end() ? create_destroy_events : in.u32();
      }
      return in.ok();
    default: return fill_more(type, in);
  }
}

bool Builder::fill_more(std::uint8_t type, ByteReader& in) {
  using K = RefKind;
  switch (type) {
    case record::metric_member:
      if (MetricMember* m = define(K::metric_member, in.u32(), d_.metric_members)) {
        m->name = text(in.u32()), m->description = text(in.u32());
        m->type = static_cast<MetricType>(in.u8());
        m->mode = in.u8();
        m->value_type = static_cast<ValueType>(in.u8());
        m->base = static_cast<Base>(in.u8());
        m->exponent = in.i64();
        m->unit = text(in.u32());
      }
      break;
    case record::metric_class:
      if (Metric* m = define(K::metric, in.u32(), d_.metrics)) {
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n && in.ok(); ++i) m->members.push_back(id<MetricMemberId>(K::metric_member, in.u32()));
        m->occurrence = static_cast<MetricOccurrence>(in.u8());
        if (!in.at_end()) m->recorder_kind = static_cast<RecorderKind>(in.u8());
      }
      break;
    case record::metric_instance:
      if (Metric* m = define(K::metric, in.u32(), d_.metrics)) {
        m->metric_class = id<MetricId>(K::metric, in.u32());
        m->recorder = id<LocationId>(K::location, in.u64());
        m->scope = static_cast<MetricScope>(in.u8());
        m->scope_ref = in.u64();
      }
      break;
    case record::parameter:
      if (Parameter* p = define(K::parameter, in.u32(), d_.parameters)) {
        p->name = text(in.u32());
        p->type = static_cast<ParameterType>(in.u8());
      }
      break;
    case record::cart_dimension:
      if (CartDimension* c = define(K::cart_dimension, in.u32(), d_.cart_dimensions)) {
        c->name = text(in.u32()), c->size = in.u32();
        c->periodicity = static_cast<CartPeriodicity>(in.u8());
      }
      break;
    case record::cart_topology:
      if (CartTopology* c = define(K::cart_topology, in.u32(), d_.cart_topologies)) {
        c->name = text(in.u32()), c->comm = id<CommId>(K::comm, in.u32());
        const unsigned n = in.u8();
        for (unsigned i = 0; i < n && in.ok(); ++i)
          c->dimensions.push_back(id<CartDimensionId>(K::cart_dimension, in.u32()));
      }
      break;
    case record::source_code_location:
      if (SourceCodeLocation* s = define(K::source_code_location, in.u32(), d_.source_code_locations)) {
        s->file = text(in.u32()), s->line = in.u32();
      }
      break;
    case record::calling_context:
      if (CallingContext* c = define(K::calling_context, in.u32(), d_.calling_contexts)) {
        c->region = id<RegionId>(K::region, in.u32());
        c->source = id<SourceCodeLocationId>(K::source_code_location, in.u32());
        c->parent = id<CallingContextId>(K::calling_context, in.u32());
      }
      break;
    case record::interrupt_generator:
      if (InterruptGenerator* g = define(K::interrupt_generator, in.u32(), d_.interrupt_generators)) {
        g->name = text(in.u32());
        g->mode = static_cast<InterruptGeneratorMode>(in.u8());
        g->base = static_cast<Base>(in.u8());
        g->exponent = in.i64();
        g->period = in.u64();
      }
      break;
    case record::io_regular_file: case record::io_directory:
      if (IoFile* f = define(K::io_file, in.u32(), d_.io_files)) {
        f->name = text(in.u32()), f->scope = id<SystemNodeId>(K::system_tree_node, in.u32());
        f->directory = type == record::io_directory;
      }
      break;
    case record::io_handle:
      if (IoHandle* h = define(K::io_handle, in.u32(), d_.io_handles)) {
        h->name = text(in.u32()), h->file = id<IoFileId>(K::io_file, in.u32());
        h->paradigm = id<IoParadigmId>(K::io_paradigm, in.u8());
        h->flags = in.u32();
        h->comm = id<CommId>(K::comm, in.u32()), h->parent = id<IoHandleId>(K::io_handle, in.u32());
      }
      break;
    default: return true;
  }
  return in.ok();
}

// Third walk: what belongs to definitions made elsewhere.
bool Builder::attach(std::uint8_t type, ByteReader in) {
  using K = RefKind;
  const auto properties = [](auto* owner) { return owner ? &owner->properties : nullptr; };
  switch (type) {
    case record::paradigm_property: {
      const auto paradigm = static_cast<Paradigm>(in.u8());
      const std::string_view name = enum_name(static_cast<ParadigmPropertyKind>(in.u8()));
      const Value v = value(in);
      for (ParadigmDefinition& p : d_.paradigms)
        if (p.paradigm == paradigm) p.properties.push_back({std::string(name.empty() ? "unknown" : name), v});
      break;
    }
    case record::metric_class_recorder: {
      Metric* metric = find(K::metric, in.u32(), d_.metrics);
      const auto recorder = id<LocationId>(K::location, in.u64());
      if (metric) metric->recorders.push_back(recorder);
      break;
    }
    case record::system_tree_node_property:
      property(in, properties(find(K::system_tree_node, in.u32(), d_.system_tree)));
      break;
    case record::system_tree_node_domain:
      if (SystemTreeNode* node = find(K::system_tree_node, in.u32(), d_.system_tree))
        node->domains.push_back(static_cast<SystemTreeDomain>(in.u8()));
      break;
    case record::location_group_property:
      property(in, properties(find(K::location_group, in.u32(), d_.processes)));
      break;
    case record::location_property: property(in, properties(find(K::location, in.u64(), d_.locations))); break;
    case record::cart_coordinate: {
      CartTopology* topology = find(K::cart_topology, in.u32(), d_.cart_topologies);
      std::vector<std::uint64_t> entry{in.u32()};
      const unsigned n = in.u8();
      for (unsigned i = 0; i < n && in.ok(); ++i) entry.push_back(in.u32());
      if (!in.ok() || (topology && n != topology->dimensions.size())) return false;
      if (topology) topology->coordinates.insert(topology->coordinates.end(), entry.begin(), entry.end());
      break;
    }
    case record::calling_context_property:
    case record::io_file_property: {
      std::vector<Property>* owner = type == record::io_file_property
                                         ? properties(find(K::io_file, in.u32(), d_.io_files))
                                         : properties(find(K::calling_context, in.u32(), d_.calling_contexts));
      Property p{text(in.u32()), {}};
      p.value = value(in);
      if (owner) owner->push_back(std::move(p));
      break;
    }
    case record::call_path_parameter: {
      RecordedCallPath* path = find(K::call_path, in.u32(), d_.recorded_call_paths);
      const Parameter* parameter = find(K::parameter, in.u32(), d_.parameters);
      const Value v = value(in);
      if (path) path->parameters.push_back({parameter ? parameter->name : std::string(), v});
      break;
    }
    case record::io_pre_created_handle_state:
      if (IoHandle* handle = find(K::io_handle, in.u32(), d_.io_handles)) {
        handle->pre_created = true;
        handle->access_mode = static_cast<IoAccessMode>(in.u8());
        handle->status_flags = in.u32();
      }
      break;
    default: break;
  }
  return in.ok();
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
  diagnostics_.add(DiagnosticId::unknown_definition, {{}, ~Time{0}, path}, 0, unknown_);
  if (!has_clock_)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{}, ~Time{0}, path + ": no clock properties; taken for nanoseconds"});
  d_.finish();
}

void read_markers(const Anchor& anchor, Definitions& d, Diagnostics& diagnostics) {
  constexpr std::uint8_t definition = 5, occurrence = 6;
  const auto path = std::filesystem::path(anchor.base) += ".marker";
  std::unordered_map<std::uint32_t, MarkerId> ids;
  std::vector<std::uint32_t> marker_refs;
  std::uint64_t duplicates = 0, undefined = 0;
  const WalkResult result =
      walk(path, anchor.definition_chunk_size, [&](std::uint8_t type, ByteReader in) {
        if (type == definition) {
          Marker m;
          m.ref = in.u32();
          m.group = in.text(), m.category = in.text();
          m.severity = static_cast<MarkerSeverity>(in.u8());
          if (!in.ok()) return false;
          if (ids.try_emplace(static_cast<std::uint32_t>(m.ref), MarkerId{d.markers.size()}).second)
            d.markers.push_back(std::move(m));
          else
            ++duplicates;
        } else if (type == occurrence) {
          MarkerOccurrence m;
          m.time = in.u64(), m.duration = in.i64();
          const std::uint32_t ref = in.u32();
          m.scope = static_cast<MarkerScope>(in.u8());
          m.scope_ref = in.u64();
          m.text = in.text();
          if (!in.ok()) return false;
          marker_refs.push_back(ref);
          d.marker_occurrences.push_back(std::move(m));
        }
        return true;
      });
  for (std::size_t i = 0; i < marker_refs.size(); ++i) {
    const auto it = ids.find(marker_refs[i]);
    if (it != ids.end())
      d.marker_occurrences[i].marker = it->second;
    else
      ++undefined;
  }
  const DiagnosticPlace place{{}, ~Time{0}, path.string()};
  diagnostics.add(DiagnosticId::duplicate_definition, place, 0, duplicates);
  diagnostics.add(DiagnosticId::undefined_reference, place, 0, undefined);
  if (result.open_error != ENOENT && !result.damage.empty())
    diagnostics.add(DiagnosticId::definitions_damaged, {{}, ~Time{0}, path.string() + ": " + result.damage});
}

}  // namespace

void read_definitions(const Anchor& anchor, Definitions& definitions, References& references, Diagnostics& diagnostics) {
  const auto path = std::filesystem::path(anchor.base) += ".def";
  Builder builder(definitions, references, diagnostics);
  definitions.recorder = anchor.recorder;

  WalkResult first = walk(path, anchor.definition_chunk_size,
                          [&](std::uint8_t type, ByteReader in) { return builder.collect(type, in); });
  if (first.open_error == ENOENT)
    throw TraceError(path.string(), "the global definitions are missing; expected this file beside the anchor " +
                                        anchor.path.filename().string() + ": copy the whole trace");
  if (first.open_error != 0)
    throw TraceError(path.string(), std::string("the global definitions cannot be opened (") +
                                        std::strerror(first.open_error) + ")");
  builder.number();
  const auto walk_again = [&](auto f) {
    const WalkResult result = walk(path, anchor.definition_chunk_size, f);
    if (first.damage.empty()) first.damage = result.damage;
  };
  walk_again([&](std::uint8_t type, ByteReader in) { return builder.fill(type, in); });
  walk_again([&](std::uint8_t type, ByteReader in) { return builder.attach(type, in); });
  if (definitions.locations.empty())
    throw TraceError(path.string(), "the global definitions name no location, so there are no events to read" +
                                        (first.damage.empty() ? std::string() : ": " + first.damage));
  if (!first.damage.empty())
    diagnostics.add(DiagnosticId::definitions_damaged,
                    {{}, ~Time{0},
                     path.string() + ": after " + std::to_string(first.records) + " of " +
                         std::to_string(anchor.definitions) + " definitions: " + first.damage});
  builder.finish(path.string());
  read_markers(anchor, definitions, diagnostics);
}

}  // namespace waitstate::otf2
