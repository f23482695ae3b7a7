// All definitions of a trace, to which its events refer by number.
//
// Every table is a std::vector indexed by the id type of the same name; references between definitions are such ids and
// already resolved, so the order in which a recorder wrote them does not matter. Each struct lists its fields once, in
// fields(), for reading and writing definitions in the notation. Strings are UTF-8. The file is long because OTF2 has
// so many kinds of definitions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate {

/// A typed value (property, attribute, counter): 64 bits whose meaning is `type`. Strings are ids of
/// Definitions::strings, other references ids of their tables, signed numbers sign-extended; float and double are the
/// bits of a double.
struct Value {
  ValueType type = ValueType::none;
  std::uint64_t bits = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

struct Property {
  std::string name;
  Value value;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("value", s.value);
  }
  friend bool operator==(const Property&, const Property&) = default;
};

struct Clock {
  std::uint64_t resolution = 1'000'000'000;    ///< ticks per second, never 0
  Time offset = 0;                             ///< the smallest time stamp, according to the recorder
  Ticks length = 0;                            ///< from the smallest to the largest time stamp, according to the
                                               ///< recorder
  std::uint64_t realtime = ~std::uint64_t{0};  ///< nanoseconds since 1970 at `offset`, all ones if unknown
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("resolution", s.resolution);
    f("offset", s.offset);
    f("length", s.length);
    f("realtime", s.realtime);
  }
};

struct ParadigmDefinition {
  Paradigm paradigm{};
  std::string name;
  ParadigmClass paradigm_class{};
  std::vector<Property> properties;  ///< names as in ParadigmPropertyKind
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("paradigm", s.paradigm);
    f("name", s.name);
    f("class", s.paradigm_class);
    f("properties", s.properties);
  }
};

struct IoParadigm {
  std::uint64_t ref = 0;
  std::string identification, name;
  IoParadigmClass io_class{};
  std::uint32_t flags = 0;
  std::vector<Property> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("identification", s.identification);
    f("name", s.name);
    f("class", s.io_class);
    f("flags", s.flags);
    f("properties", s.properties);
  }
};

/// Definition of an attribute that events may carry in their attribute lists.
struct Attribute {
  std::uint64_t ref = 0;
  std::string name, description;
  ValueType type{};
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("description", s.description);
    f("type", s.type);
  }
};

struct SystemTreeNode {
  std::uint64_t ref = 0;
  std::string name, class_name;
  SystemNodeId parent;
  std::vector<SystemTreeDomain> domains;
  std::vector<Property> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("class", s.class_name);
    f("parent", s.parent);
    f("domains", s.domains);
    f("properties", s.properties);
  }
};

/// A process, or the owner of an accelerator's streams. In the order of MPI ranks if there are any.
struct LocationGroup {
  std::uint64_t ref = 0;
  std::string name;
  LocationGroupType type{};
  SystemNodeId parent;
  ProcessId creator;  ///< OTF2 3.0: the process that an accelerator group belongs to
  std::vector<Property> properties;
  std::vector<LocationId> locations;  ///< derived by finish(), in thread order
  std::int64_t rank = -1;             ///< derived by finish(): rank in MPI_COMM_WORLD (or its like), -1 if none
  /// Derived by finish(): the process whose threads use the streams of this group. That is the creator of an
  /// accelerator if it is named, else the only process of the trace, or none if there are several; any other group is
  /// its own.
  ProcessId host;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("type", s.type);
    f("parent", s.parent);
    f("creator", s.creator);
    f("properties", s.properties);
  }
};

struct Location {
  std::uint64_t ref = 0;
  std::string name;
  LocationType type = LocationType::cpu_thread;
  ProcessId process;
  std::uint64_t announced_events = 0;  ///< according to the recorder; not reliable
  std::vector<Property> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("type", s.type);
    f("process", s.process);
    f("events", s.announced_events);
    f("properties", s.properties);
  }
};

struct Region {
  std::uint64_t ref = 0;  ///< the first of the recorder's numbers for it
  std::string name, canonical_name, description;
  RegionRole role{};
  Paradigm paradigm{};
  std::uint32_t flags = 0;
  std::string file;
  std::uint32_t begin_line = 0, end_line = 0;
  RegionClass region_class{};  ///< derived by finish()
  MpiFunction mpi_function{};  ///< derived by finish()
  bool shares_name = false;    ///< derived by finish(): another region has the same name
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("canonical", s.canonical_name);
    f("description", s.description);
    f("role", s.role);
    f("paradigm", s.paradigm);
    f("flags", s.flags);
    f("file", s.file);
    f("begin", s.begin_line);
    f("end", s.end_line);
  }
};

struct CallSite {
  std::uint64_t ref = 0;
  std::string file;
  std::uint32_t line = 0;
  RegionId entered, left;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("file", s.file);
    f("line", s.line);
    f("entered", s.entered);
    f("left", s.left);
  }
};

/// A call path as the recorder defined it (OTF2 Callpath); the call paths of the analysis are CallTree's.
struct RecordedCallPath {
  std::uint64_t ref = 0;
  RecordedCallPathId parent;
  RegionId region;
  std::vector<Property> parameters;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("parent", s.parent);
    f("region", s.region);
    f("parameters", s.parameters);
  }
};

struct SourceCodeLocation {
  std::uint64_t ref = 0;
  std::string file;
  std::uint32_t line = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("file", s.file);
    f("line", s.line);
  }
};

struct CallingContext {
  std::uint64_t ref = 0;
  RegionId region;
  SourceCodeLocationId source;
  CallingContextId parent;
  std::vector<Property> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("region", s.region);
    f("source", s.source);
    f("parent", s.parent);
    f("properties", s.properties);
  }
};

struct InterruptGenerator {
  std::uint64_t ref = 0;
  std::string name;
  InterruptGeneratorMode mode{};
  Base base{};
  std::int64_t exponent = 0;
  std::uint64_t period = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("mode", s.mode);
    f("base", s.base);
    f("exponent", s.exponent);
    f("period", s.period);
  }
};

/// Members as recorded: for COMM_GROUP ranks in the COMM_LOCATIONS or COMM_LOCATION_GROUPS group of the paradigm, for
/// the location types ids of locations, for COMM_LOCATION_GROUPS ids of processes, else as defined by the type.
struct Group {
  std::uint64_t ref = 0;
  std::string name;
  GroupType type{};
  Paradigm paradigm{};
  std::uint32_t flags = 0;
  std::vector<std::uint64_t> members;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("type", s.type);
    f("paradigm", s.paradigm);
    f("flags", s.flags);
    f("members", s.members);
  }
};

/// A communicator, an inter-communicator (group_b is valid) or a thread team.
struct Comm {
  std::uint64_t ref = 0;
  std::string name;
  GroupId group;    ///< for an inter-communicator: group A
  GroupId group_b;  ///< inter-communicator only
  CommId parent;    ///< for an inter-communicator: the common communicator
  std::uint32_t flags = 0;
  bool self = false;                  ///< derived by finish(): each process itself (MPI_COMM_SELF and its duplicates)
  Paradigm paradigm{};                ///< derived by finish(): paradigm of its group
  std::vector<LocationId> members;    ///< derived by finish(): rank → location; none if unknown
  std::vector<LocationId> members_b;  ///< derived by finish(): rank → location for group B
  bool inter() const { return group_b.valid(); }
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("group", s.group);
    f("group_b", s.group_b);
    f("parent", s.parent);
    f("flags", s.flags);
  }
};

struct RmaWin {
  std::uint64_t ref = 0;
  std::string name;
  CommId comm;
  std::uint32_t flags = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("comm", s.comm);
    f("flags", s.flags);
  }
};

struct MetricMember {
  std::uint64_t ref = 0;
  std::string name, description, unit;
  MetricType type{};
  std::uint8_t mode = 0;  ///< OTF2_MetricMode: value property and timing
  ValueType value_type{};
  Base base{};
  std::int64_t exponent = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("description", s.description);
    f("unit", s.unit);
    f("type", s.type);
    f("mode", s.mode);
    f("value", s.value_type);
    f("base", s.base);
    f("exponent", s.exponent);
  }
};

/// A metric class (metric_class is none, members filled) or an instance of one.
struct Metric {
  std::uint64_t ref = 0;
  std::vector<MetricMemberId> members;
  MetricOccurrence occurrence{};
  RecorderKind recorder_kind{};
  std::vector<LocationId> recorders;
  MetricId metric_class;        ///< instance only
  LocationId recorder;          ///< instance only
  MetricScope scope{};          ///< instance only
  std::uint64_t scope_ref = 0;  ///< instance only: the recorder's number of the scope
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("members", s.members);
    f("occurrence", s.occurrence);
    f("kind", s.recorder_kind);
    f("recorders", s.recorders);
    f("class", s.metric_class);
    f("recorder", s.recorder);
    f("scope", s.scope);
    f("scope_ref", s.scope_ref);
  }
};

struct Parameter {
  std::uint64_t ref = 0;
  std::string name;
  ParameterType type{};
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("type", s.type);
  }
};

struct CartDimension {
  std::uint64_t ref = 0;
  std::string name;
  std::uint32_t size = 0;
  CartPeriodicity periodicity{};
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("size", s.size);
    f("periodicity", s.periodicity);
  }
};

struct CartTopology {
  std::uint64_t ref = 0;
  std::string name;
  CommId comm;
  std::vector<CartDimensionId> dimensions;
  std::vector<std::uint64_t> coordinates;  ///< per entry: rank, then one number a dimension
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("comm", s.comm);
    f("dimensions", s.dimensions);
    f("coordinates", s.coordinates);
  }
};

struct IoFile {
  std::uint64_t ref = 0;
  std::string name;
  SystemNodeId scope;
  bool directory = false;
  std::vector<Property> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("scope", s.scope);
    f("directory", s.directory);
    f("properties", s.properties);
  }
};

struct IoHandle {
  std::uint64_t ref = 0;
  std::string name;
  IoFileId file;
  IoParadigmId paradigm;
  std::uint32_t flags = 0;
  CommId comm;
  IoHandleId parent;
  bool pre_created = false;  ///< true if the next two members are set
  IoAccessMode access_mode{};
  std::uint32_t status_flags = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("name", s.name);
    f("file", s.file);
    f("paradigm", s.paradigm);
    f("flags", s.flags);
    f("comm", s.comm);
    f("parent", s.parent);
    f("pre_created", s.pre_created);
    f("access", s.access_mode);
    f("status", s.status_flags);
  }
};

WAITSTATE_ENUM(MarkerSeverity, none, low, medium, high);
WAITSTATE_ENUM(MarkerScope, global, location, location_group, system_tree_node, group, comm);

/// A kind of marker and its occurrences (from the archive's marker file).
struct Marker {
  std::uint64_t ref = 0;
  std::string group, category;
  MarkerSeverity severity{};
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ref", s.ref);
    f("group", s.group);
    f("category", s.category);
    f("severity", s.severity);
  }
};
struct MarkerOccurrence {
  MarkerId marker;
  Time time = 0;
  Ticks duration = 0;
  MarkerScope scope{};
  std::uint64_t scope_ref = 0;
  std::string text;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("marker", s.marker);
    f("time", s.time);
    f("duration", s.duration);
    f("scope", s.scope);
    f("scope_ref", s.scope_ref);
    f("text", s.text);
  }
};

/// The content of the anchor file about the whole trace.
struct Recorder {
  std::string creator, machine, description, version;
  std::uint64_t trace_id = 0;
  std::vector<std::pair<std::string, std::string>> properties;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("creator", s.creator);
    f("machine", s.machine);
    f("description", s.description);
    f("version", s.version);
    f("trace_id", s.trace_id);
    f("properties", s.properties);
  }
};

class Definitions {
 public:
  // Defined in a source file, because the code generated for them is large.
  Definitions();
  Definitions(const Definitions&);
  Definitions(Definitions&&) noexcept;
  Definitions& operator=(const Definitions&);
  Definitions& operator=(Definitions&&) noexcept;
  ~Definitions();

  Recorder recorder;
  Clock clock;
  std::vector<ParadigmDefinition> paradigms;
  std::vector<std::string> strings;  ///< texts that events refer to (StringId); deduplicated by intern()
  std::vector<Attribute> attributes;
  std::vector<SystemTreeNode> system_tree;
  std::vector<LocationGroup> processes;
  std::vector<Location> locations;
  std::vector<Region> regions;
  std::vector<CallSite> call_sites;
  std::vector<RecordedCallPath> recorded_call_paths;
  std::vector<SourceCodeLocation> source_code_locations;
  std::vector<CallingContext> calling_contexts;
  std::vector<InterruptGenerator> interrupt_generators;
  std::vector<Group> groups;
  std::vector<Comm> comms;
  std::vector<RmaWin> rma_wins;
  std::vector<MetricMember> metric_members;
  std::vector<Metric> metrics;
  std::vector<Parameter> parameters;
  std::vector<CartDimension> cart_dimensions;
  std::vector<CartTopology> cart_topologies;
  std::vector<IoParadigm> io_paradigms;
  std::vector<IoFile> io_files;
  std::vector<IoHandle> io_handles;
  std::vector<Marker> markers;
  std::vector<MarkerOccurrence> marker_occurrences;

  const Location& operator[](LocationId id) const { return locations[id.index()]; }
  const LocationGroup& operator[](ProcessId id) const { return processes[id.index()]; }
  const Region& operator[](RegionId id) const { return regions[id.index()]; }
  const Comm& operator[](CommId id) const { return comms[id.index()]; }
  const Group& operator[](GroupId id) const { return groups[id.index()]; }
  const RmaWin& operator[](RmaWinId id) const { return rma_wins[id.index()]; }
  const std::string& operator[](StringId id) const { return strings[id.index()]; }

  /// True if the window, which must be one of `rma_wins`, is MPI's: its communicator is. Others are SHMEM's, or of the
  /// memory of accelerators.
  bool is_of_mpi(RmaWinId win) const {
    const CommId comm = rma_wins[win.index()].comm;
    return comm.valid() && comms[comm.index()].paradigm == Paradigm::mpi;
  }

  /// Id of `text` in `strings`, which is added if it is missing. Not safe to call while another thread reads `strings`.
  StringId intern(std::string_view text);

  /// Calls f("keyword", table) for every table that the notation writes, in the order in which it writes them.
  template <class Self, class F>
  static void for_each_table(Self& d, F&& f) {
    f("paradigm", d.paradigms);
    f("attribute", d.attributes);
    f("system_tree_node", d.system_tree);
    f("process", d.processes);
    f("location", d.locations);
    f("region", d.regions);
    f("call_site", d.call_sites);
    f("recorded_call_path", d.recorded_call_paths);
    f("source_code_location", d.source_code_locations);
    f("calling_context", d.calling_contexts);
    f("interrupt_generator", d.interrupt_generators);
    f("group", d.groups);
    f("comm", d.comms);
    f("rma_win", d.rma_wins);
    f("metric_member", d.metric_members);
    f("metric", d.metrics);
    f("parameter", d.parameters);
    f("cart_dimension", d.cart_dimensions);
    f("cart_topology", d.cart_topologies);
    f("io_paradigm", d.io_paradigms);
    f("io_file", d.io_files);
    f("io_handle", d.io_handles);
    f("marker", d.markers);
    f("marker_occurrence", d.marker_occurrences);
  }

  /// For the engine: brings all definitions, which finish() has been called for, to another process.
  template <class Archive>
  void travel(Archive& archive) {
    archive(recorder, clock, strings);
    for_each_table(*this, [&](const char*, auto& table) { archive(table); });
    if constexpr (Archive::reads) {
      for (std::size_t i = 0; i < strings.size(); ++i) string_ids_.emplace(strings[i], StringId{i});
      finish();
    }
  }

  /// Computes everything marked "derived by finish()": region classes, ranks of processes, locations of processes, and
  /// the rank → location tables of communicators. Call it once all tables are filled and processes and locations are in
  /// their final order. Members that lead nowhere become none.
  void finish();

  /// The location of a rank of a communicator; for an inter-communicator, in the group that `self` is not in. none if
  /// the communicator, the rank or the member is unknown. Constant time.
  LocationId locate(CommId comm, std::uint32_t rank, LocationId self) const;

  /// The locations of the members of a group, in their order; none for members that lead nowhere. Linear in the number
  /// of members, and of definitions of groups.
  std::vector<LocationId> members(GroupId group) const;

  /// Number of CPU threads of a process.
  std::size_t cpu_threads(ProcessId process) const;

 private:
  void find_hosts();

  std::unordered_map<std::string, StringId> string_ids_;
  std::unordered_map<std::uint64_t, unsigned>
      inter_sides_;  // inter-communicator and process → bit 0: in group A, bit 1: in group B
};

}  // namespace waitstate
