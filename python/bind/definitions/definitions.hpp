// Definitions as Python objects: what an event's attributes, a call path's region or a severity's location are in
// Python.
//
// A definition is a small object that knows its table, its number and what keeps the tables alive; nothing is copied.
// Tables makes each object once on demand, so that a loop over events gets the same object again for the price of a
// reference count. Objects refer to Source, never to Tables: no cycles, so the trace is freed with its last user.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bind/bind.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::python {

/// Where definitions are, and what must live as long as they are used (a trace, a result).
struct Source {
  std::shared_ptr<const void> owner;
  const Definitions* definitions;
  const CallTree* call_tree;
};
using SourcePtr = std::shared_ptr<const Source>;

/// Text as recorded; bytes that are not UTF-8 become lone surrogates, as in Python's file names.
inline py::str to_str(std::string_view text) {
  PyObject* s = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (s == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(s);
}
/// The bytes of a text that to_str() made or a user gave.
inline std::string to_bytes(const py::str& text) {
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

/// Name of an enumerator; the number of one that has none.
template <class E>
py::object enumerator(E value) {
  const std::string_view name = enum_name(value);
  return name.empty() ? py::object(py::int_(static_cast<unsigned>(value))) : py::object(py::str(name));
}

/// The id types whose definitions are Python classes. X(id type, member of Definitions, Python class)
#define WAITSTATE_PYTHON_DEFINITIONS(X)                              \
  X(LocationId, locations, Location)                                 \
  X(ProcessId, processes, Process)                                   \
  X(RegionId, regions, Region)                                       \
  X(CommId, comms, Communicator)                                     \
  X(GroupId, groups, Group)                                          \
  X(RmaWinId, rma_wins, Window)                                      \
  X(SystemNodeId, system_tree, SystemTreeNode)                       \
  X(AttributeId, attributes, AttributeDefinition)                    \
  X(MetricMemberId, metric_members, MetricMember)                    \
  X(MetricId, metrics, MetricDefinition)                             \
  X(ParameterId, parameters, ParameterDefinition)                    \
  X(CallSiteId, call_sites, CallSite)                                \
  X(RecordedCallPathId, recorded_call_paths, RecordedCallPath)       \
  X(SourceCodeLocationId, source_code_locations, SourceCodeLocation) \
  X(CallingContextId, calling_contexts, CallingContext)              \
  X(InterruptGeneratorId, interrupt_generators, InterruptGenerator)  \
  X(CartDimensionId, cart_dimensions, CartDimension)                 \
  X(CartTopologyId, cart_topologies, CartTopology)                   \
  X(IoParadigmId, io_paradigms, IoParadigmDefinition)                \
  X(IoFileId, io_files, IoFile)                                      \
  X(IoHandleId, io_handles, IoHandle)                                \
  X(MarkerId, markers, Marker)

/// The table that an id type points into.
template <class I>
struct TableOfId;
#define X(id, member, name)                                          \
  template <>                                                        \
  struct TableOfId<id> {                                             \
    static constexpr const char* class_name = #name;                 \
    static const auto& of(const Definitions& d) { return d.member; } \
  };
WAITSTATE_PYTHON_DEFINITIONS(X)
#undef X

/// A definition of a trace, as Python sees it.
template <class I>
struct Definition {
  SourcePtr source;
  I id;

  const auto& get() const { return TableOfId<I>::of(*source->definitions)[id.index()]; }
};

/// A call path of a trace, as Python sees it.
struct CallPathObject {
  SourcePtr source;
  CallPathId id;

  const CallPath& get() const { return (*source->call_tree)[id]; }
};

/// A new object for a definition; None for an id that refers to nothing.
template <class I>
py::object make_definition(const SourcePtr& source, I id) {
  if (id.index() >= TableOfId<I>::of(*source->definitions).size()) return py::none();
  return py::cast(Definition<I>{source, id});
}
inline py::object make_call_path(const SourcePtr& source, CallPathId id) {
  if (id.index() >= source->call_tree->size()) return py::none();
  return py::cast(CallPathObject{source, id});
}

/// The location that a user gave, by a number or as a Location; throws IndexError for one that the trace does not have.
LocationId given_location(const Definitions& definitions, const py::handle& given);
std::optional<LocationId> given_location_or_none(const Definitions& definitions, const py::object& given);

/// The Python type that Tables::attribute() makes of a kind of attribute, in the words of docstrings: "int", "Region or
/// None", ….
std::string type_in_words(AttributeKind kind);

/// A typed value as int, float, str or the definition that it refers to.
py::object to_python(const SourcePtr& source, const Value& value);

/// All definitions of a source as Python objects, each made once. Use it only with the GIL held.
class Tables {
 public:
  explicit Tables(Source source) : source_(std::make_shared<const Source>(std::move(source))) {}

  const SourcePtr& source() const { return source_; }
  const Definitions& definitions() const { return *source_->definitions; }

  /// The object for an id; None for one that refers to nothing. Constant time.
  template <class I>
  const py::object& operator[](I id) {
    auto& made = std::get<Made<I>>(made_).objects;
    const std::size_t size = TableOfId<I>::of(definitions()).size();
    if (id.index() >= size) return none_;
    if (made.size() < size) made.resize(size);
    py::object& object = made[id.index()];
    if (!object) object = py::cast(Definition<I>{source_, id});
    return object;
  }
  const py::object& operator[](CallPathId id) {
    auto& made = std::get<Made<CallPathId>>(made_).objects;
    if (id.index() >= source_->call_tree->size()) return none_;
    if (made.size() < source_->call_tree->size()) made.resize(source_->call_tree->size());
    py::object& object = made[id.index()];
    if (!object) object = py::cast(CallPathObject{source_, id});
    return object;
  }
  /// All definitions of a table, in the order of their ids.
  template <class I>
  py::tuple all() {
    const std::size_t size = TableOfId<I>::of(definitions()).size();
    py::tuple result(size);
    for (std::size_t i = 0; i < size; ++i) result[i] = (*this)[I{i}];
    return result;
  }
  py::tuple all_call_paths() {
    py::tuple result(source_->call_tree->size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = (*this)[CallPathId{i}];
    return result;
  }
  /// Text of the trace's string table.
  const py::object& text(std::uint64_t id);
  /// An event's attribute: a definition, text, an enumerator's name, a number; None for a reference that leads nowhere.
  py::object attribute(AttributeKind kind, std::uint64_t value);

 private:
  template <class I>
  struct Made {
    std::vector<py::object> objects;
  };
#define X(id, member, name) Made<id>,
  std::tuple<WAITSTATE_PYTHON_DEFINITIONS(X) Made<StringId>, Made<CallPathId>> made_;
#undef X
  SourcePtr source_;
  py::object none_ = py::none();
};

/// All definitions of a trace under one name: `result.definitions`, `trace.definitions`.
struct DefinitionsObject {
  std::shared_ptr<Tables> tables;
};

/// Adds the tables' properties (locations, processes, regions, …, call_paths, clock) to the class of an object with
/// definitions, and to it the property `definitions` unless it is DefinitionsObject; `tables(self)` gives a
/// std::shared_ptr<Tables>. Returns the names of the tables.
template <class Class, class F>
std::vector<const char*> define_tables(Class& c, F tables) {
  using Self = typename Class::type;
  std::vector<const char*> names;
  const auto add = [&]<class I>(const char* name, const char* doc, I) {
    names.push_back(name);
    c.def_property_readonly(
        name, [tables](Self& self) { return tables(self)->template all<I>(); }, doc);
  };
  add("locations", "All locations (threads, streams), by rank and thread: tuple of Location.", LocationId{});
  add("processes", "All processes, by rank: tuple of Process.", ProcessId{});
  add("regions", "All regions (functions, loops, ...): tuple of Region.", RegionId{});
  add("communicators", "All communicators and thread teams: tuple of Communicator.", CommId{});
  add("groups", "All groups as recorded: tuple of Group.", GroupId{});
  add("windows", "All windows of one-sided communication: tuple of Window.", RmaWinId{});
  add("system_tree", "The machine: tuple of SystemTreeNode.", SystemNodeId{});
  add("attribute_definitions", "Attributes that attribute lists of events may contain: tuple of AttributeDefinition.",
      AttributeId{});
  add("metric_members", "Counters: tuple of MetricMember.", MetricMemberId{});
  add("metric_definitions", "Sets of counters that metric events record: tuple of MetricDefinition.", MetricId{});
  add("parameter_definitions", "Parameters: tuple of ParameterDefinition.", ParameterId{});
  add("call_sites", "Call sites: tuple of CallSite.", CallSiteId{});
  add("recorded_call_paths", "Call paths that the recorder defined: tuple of RecordedCallPath.", RecordedCallPathId{});
  add("source_code_locations", "Places in the source: tuple of SourceCodeLocation.", SourceCodeLocationId{});
  add("calling_contexts", "Calling contexts of sampling: tuple of CallingContext.", CallingContextId{});
  add("interrupt_generators", "Sources of interrupts that take samples: tuple of InterruptGenerator.",
      InterruptGeneratorId{});
  add("cart_dimensions", "Dimensions of topologies: tuple of CartDimension.", CartDimensionId{});
  add("cart_topologies", "Cartesian topologies: tuple of CartTopology.", CartTopologyId{});
  add("io_paradigms", "Interfaces of input and output: tuple of IoParadigmDefinition.", IoParadigmId{});
  add("io_files", "Files and folders that the program used: tuple of IoFile.", IoFileId{});
  add("io_handles", "Open files: tuple of IoHandle.", IoHandleId{});
  add("markers", "Kinds of markers: tuple of Marker.", MarkerId{});
  if constexpr (!std::is_same_v<Self, DefinitionsObject>)
    c.def_property_readonly(
        "definitions", [tables](Self& self) { return DefinitionsObject{tables(self)}; },
        "All tables of definitions (locations, regions, ...) as one object: Definitions.");
  c.def_property_readonly(
      "call_paths", [tables](Self& self) { return tables(self)->all_call_paths(); },
      "All call paths, parents before children: tuple of CallPath.");
  c.def_property_readonly(
      "strings",
      [tables](Self& self) {
        Tables& t = *tables(self);
        py::tuple result(t.definitions().strings.size());
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = t.text(i);
        return result;
      },
      "Texts that events refer to: tuple of str.");
  c.def_property_readonly(
      "clock", [tables](Self& self) { return tables(self)->definitions().clock; },
      "The timer: a Clock with `resolution`, in ticks per second.");
  c.def_property_readonly(
      "recorder", [tables](Self& self) { return tables(self)->definitions().recorder; },
      "The origin of the trace, as the trace records it: a Recorder.");
  return names;
}

}  // namespace waitstate::python
