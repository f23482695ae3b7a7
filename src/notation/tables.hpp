// For each kind of reference (id type, event attribute, typed value) the definition table that it points into, and for
// enumerations their type. Reader and writer share it, so neither can know a kind that the other does not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::notation {

// X(keyword, tag of the id, member of Definitions)
#define WAITSTATE_REFERENCED_TABLES(X)                                  \
  X(attribute, AttributeTag, attributes)                                \
  X(system_tree_node, SystemNodeTag, system_tree)                       \
  X(process, LocationGroupTag, processes)                               \
  X(location, LocationTag, locations)                                   \
  X(region, RegionTag, regions)                                         \
  X(call_site, CallSiteTag, call_sites)                                 \
  X(recorded_call_path, RecordedCallPathTag, recorded_call_paths)       \
  X(source_code_location, SourceCodeLocationTag, source_code_locations) \
  X(calling_context, CallingContextTag, calling_contexts)               \
  X(interrupt_generator, InterruptGeneratorTag, interrupt_generators)   \
  X(group, GroupTag, groups)                                            \
  X(comm, CommTag, comms)                                               \
  X(rma_win, RmaWinTag, rma_wins)                                       \
  X(metric_member, MetricMemberTag, metric_members)                     \
  X(metric, MetricTag, metrics)                                         \
  X(parameter, ParameterTag, parameters)                                \
  X(cart_dimension, CartDimensionTag, cart_dimensions)                  \
  X(cart_topology, CartTopologyTag, cart_topologies)                    \
  X(io_paradigm, IoParadigmTag, io_paradigms)                           \
  X(io_file, IoFileTag, io_files)                                       \
  X(io_handle, IoHandleTag, io_handles)                                 \
  X(marker, MarkerTag, markers)

/// A definition table that references point into.
enum class Table : std::uint8_t {
#define X(keyword, tag, member) keyword,
  WAITSTATE_REFERENCED_TABLES(X)
#undef X
};

inline constexpr std::string_view table_keywords[] = {
#define X(keyword, tag, member) #keyword,
    WAITSTATE_REFERENCED_TABLES(X)
#undef X
};
constexpr std::string_view keyword(Table table) { return table_keywords[static_cast<int>(table)]; }

inline std::size_t table_size(const Definitions& d, Table table) {
  switch (table) {
#define X(keyword, tag, member) \
  case Table::keyword:          \
    return d.member.size();
    WAITSTATE_REFERENCED_TABLES(X)
#undef X
  }
  return 0;
}

template <class Tag>
struct TableOf;
#define X(keyword, tag, member)                    \
  template <>                                      \
  struct TableOf<tag> {                            \
    static constexpr Table value = Table::keyword; \
  };
WAITSTATE_REFERENCED_TABLES(X)
#undef X

/// The table that an attribute of this kind refers to; nothing for numbers, enumerations, `root` and texts.
constexpr std::optional<Table> table_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::region:
      return Table::region;
    case AttributeKind::location:
      return Table::location;
    case AttributeKind::comm:
      return Table::comm;
    case AttributeKind::group:
      return Table::group;
    case AttributeKind::rma_win:
      return Table::rma_win;
    case AttributeKind::parameter:
      return Table::parameter;
    case AttributeKind::metric:
      return Table::metric;
    case AttributeKind::calling_context:
      return Table::calling_context;
    case AttributeKind::interrupt_generator:
      return Table::interrupt_generator;
    case AttributeKind::io_handle:
      return Table::io_handle;
    case AttributeKind::io_file:
      return Table::io_file;
    case AttributeKind::io_paradigm:
      return Table::io_paradigm;
    default:
      return std::nullopt;
  }
}

/// The table that a value of this type refers to; nothing for numbers and strings.
constexpr std::optional<Table> table_of(ValueType type) {
  switch (type) {
    case ValueType::attribute:
      return Table::attribute;
    case ValueType::location:
      return Table::location;
    case ValueType::region:
      return Table::region;
    case ValueType::group:
      return Table::group;
    case ValueType::metric:
      return Table::metric;
    case ValueType::comm:
      return Table::comm;
    case ValueType::parameter:
      return Table::parameter;
    case ValueType::rma_win:
      return Table::rma_win;
    case ValueType::source_code_location:
      return Table::source_code_location;
    case ValueType::calling_context:
      return Table::calling_context;
    case ValueType::interrupt_generator:
      return Table::interrupt_generator;
    case ValueType::io_file:
      return Table::io_file;
    case ValueType::io_handle:
      return Table::io_handle;
    case ValueType::location_group:
      return Table::process;
    default:
      return std::nullopt;
  }
}

/// Calls f(std::type_identity<E>{}) with the enumeration of an attribute kind; returns false if the kind is not one.
template <class F>
constexpr bool with_enumeration(AttributeKind kind, F&& f) {
  switch (kind) {
    case AttributeKind::paradigm:
      return f(std::type_identity<Paradigm>{}), true;
    case AttributeKind::measurement_mode:
      return f(std::type_identity<MeasurementMode>{}), true;
    case AttributeKind::collective_op:
      return f(std::type_identity<CollectiveOp>{}), true;
    case AttributeKind::rma_sync_type:
      return f(std::type_identity<RmaSyncType>{}), true;
    case AttributeKind::lock_type:
      return f(std::type_identity<LockType>{}), true;
    case AttributeKind::rma_atomic_type:
      return f(std::type_identity<RmaAtomicType>{}), true;
    case AttributeKind::io_access_mode:
      return f(std::type_identity<IoAccessMode>{}), true;
    case AttributeKind::io_seek:
      return f(std::type_identity<IoSeekOption>{}), true;
    case AttributeKind::io_operation_mode:
      return f(std::type_identity<IoOperationMode>{}), true;
    default:
      return false;
  }
}

/// Calls f("name", field) for each field of a definition, in the order in which fields are written.
template <class S, class F>
void for_each_field(S& definition, F&& f) {
  if constexpr (std::is_same_v<std::remove_const_t<S>, Recorder>) {
    f("creator", definition.creator);
    f("machine", definition.machine);
    f("description", definition.description);
    f("version", definition.version);
    f("trace_id", definition.trace_id);
    f("properties", definition.properties);
  } else {
    S::fields(definition, f);
  }
}

/// The definition at `index` of a table with every field at its default: the meaning of a line without fields. `ref`
/// defaults to the index, so that definitions of hand-written traces differ without saying so.
template <class T>
T default_definition(std::size_t index) {
  T definition{};
  if constexpr (requires { definition.ref; }) definition.ref = index;
  return definition;
}

}  // namespace waitstate::notation
