// Builds the tables of definitions from the records that the OTF2 library delivers, in three walks.
//
// Recorders write definitions in any order (EZTrace: a region before its name) and number them as they like, while our
// ids are positions in tables, processes ordered by MPI rank and locations by process. So the first walk collects the
// texts and gives every definition its id (numbers.cpp), the second fills the tables with all references resolved, and
// the third attaches what belongs to other definitions: properties, domains, coordinates (contents.cpp). No walk has to
// complete the work of an earlier one.
#pragma once

#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "otf2/definitions/recorded.hpp"
#include "otf2/references.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::otf2 {

class DefinitionsBuilder {
 public:
  using K = DefinitionKind;
  using Fields = RecordedDefinitions::Fields;

  DefinitionsBuilder(Definitions& definitions, References& references, Diagnostics& diagnostics)
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

  // Parts of definitions that are kept until all definitions have their ids.
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

    /// The members are those that the ranks of a paradigm are.
    bool is_world() const { return type == GroupType::comm_locations || type == GroupType::comm_location_groups; }
    /// The members are no ranks: locations, or processes where the ranks of the paradigm are processes.
    bool has_global_members() const { return (flags & 1) != 0; }
    bool lists_locations() const {
      return type == GroupType::locations || type == GroupType::comm_locations || has_global_members();
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

  // Limit for the texts of all definitions together; longer ones are then cut. Programs have some MB of names.
  static constexpr std::uint64_t most_text = std::uint64_t{64} << 20;
  static constexpr std::size_t shortened = 256;
  // Limit for the members of all communicators together: each communicator has a list of its own, however many refer to
  // one group.
  static constexpr std::uint64_t most_members = std::uint64_t{1} << 26;

  struct World {
    Paradigm paradigm;
    std::vector<std::uint64_t> members;
    bool of_location_groups = false;  // the members are location groups, not locations
  };

  void limit_members();
  void find_locations_of_ranks();
  bool ranks_are_processes(Paradigm paradigm) const;
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
  std::vector<World> worlds_;                 // the COMM_LOCATIONS and COMM_LOCATION_GROUPS groups
  std::array<std::vector<bool>, 256> ranks_;  // by paradigm: which of its members belong to communicators
  std::vector<Paradigm> process_paradigms_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> comm_locations_;  // number and id of the COMM_LOCATIONS groups
};

}  // namespace waitstate::otf2
