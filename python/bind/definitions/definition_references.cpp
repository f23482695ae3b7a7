// From numbers to definitions: what a value or an attribute of a kind known at run time refers to, and what a user
// gave.
#include <bit>
#include <string>

#include "bind/definitions/definitions.hpp"
#include "notation/tables.hpp"

namespace waitstate::python {

namespace {

/// The definition that a reference of a kind known at run time leads to: make(id).
template <class F>
py::object with_reference(notation::Table table, std::uint64_t id, F&& make) {
  using notation::Table;
  switch (table) {
    case Table::attribute:
      return make(AttributeId{id});
    case Table::system_tree_node:
      return make(SystemNodeId{id});
    case Table::process:
      return make(ProcessId{id});
    case Table::location:
      return make(LocationId{id});
    case Table::region:
      return make(RegionId{id});
    case Table::call_site:
      return make(CallSiteId{id});
    case Table::recorded_call_path:
      return make(RecordedCallPathId{id});
    case Table::source_code_location:
      return make(SourceCodeLocationId{id});
    case Table::calling_context:
      return make(CallingContextId{id});
    case Table::interrupt_generator:
      return make(InterruptGeneratorId{id});
    case Table::group:
      return make(GroupId{id});
    case Table::comm:
      return make(CommId{id});
    case Table::rma_win:
      return make(RmaWinId{id});
    case Table::metric_member:
      return make(MetricMemberId{id});
    case Table::metric:
      return make(MetricId{id});
    case Table::parameter:
      return make(ParameterId{id});
    case Table::cart_dimension:
      return make(CartDimensionId{id});
    case Table::cart_topology:
      return make(CartTopologyId{id});
    case Table::io_paradigm:
      return make(IoParadigmId{id});
    case Table::io_file:
      return make(IoFileId{id});
    case Table::io_handle:
      return make(IoHandleId{id});
    case Table::marker:
      return make(MarkerId{id});
  }
  return py::none();
}

}  // namespace

LocationId given_location(const Definitions& definitions, const py::handle& given) {
  const GivenNumber number(given);
  const std::size_t count = definitions.locations.size();
  if (number.value < 0 || static_cast<std::size_t>(number.value) >= count)
    throw py::index_error("location " + number.text() + " does not exist: the trace has " + std::to_string(count) +
                          " locations");
  return LocationId{static_cast<std::size_t>(number.value)};
}
std::optional<LocationId> given_location_or_none(const Definitions& definitions, const py::object& given) {
  if (given.is_none()) return std::nullopt;
  return given_location(definitions, given);
}

std::string type_in_words(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::u32:
    case AttributeKind::u64:
    case AttributeKind::i64:
    case AttributeKind::time:
    case AttributeKind::hex32:
      return "int";
    case AttributeKind::string:
      return "str or None";
    case AttributeKind::root:
      return "Location or str or None";
    default:
      break;
  }
  const auto table = notation::table_of(kind);
  if (!table) return "str or int";  // an enumeration
  const py::object name =
      with_reference(*table, 0, []<class I>(I) { return py::object(py::str(TableOfId<I>::class_name)); });
  return name.cast<std::string>() + " or None";
}

py::object to_python(const SourcePtr& source, const Value& value) {
  switch (value.type) {
    case ValueType::none:
      return py::none();
    case ValueType::int8:
    case ValueType::int16:
    case ValueType::int32:
    case ValueType::int64:
      return py::int_(static_cast<std::int64_t>(value.bits));
    case ValueType::float_:
    case ValueType::double_:
      return py::float_(std::bit_cast<double>(value.bits));
    case ValueType::string: {
      const auto& strings = source->definitions->strings;
      return value.bits < strings.size() ? py::object(to_str(strings[value.bits])) : py::object(py::none());
    }
    default:
      break;
  }
  const auto table = notation::table_of(value.type);
  if (!table) return py::int_(value.bits);
  return with_reference(*table, value.bits, [&](auto id) { return make_definition(source, id); });
}

const py::object& Tables::text(std::uint64_t id) {
  auto& made = std::get<Made<StringId>>(made_).objects;
  const auto& strings = definitions().strings;
  if (id >= strings.size()) return none_;
  if (made.size() < strings.size()) made.resize(strings.size());
  if (!made[id]) made[id] = to_str(strings[id]);
  return made[id];
}

py::object Tables::attribute(AttributeKind kind, std::uint64_t value) {
  switch (kind) {
    case AttributeKind::u32:
    case AttributeKind::u64:
    case AttributeKind::time:
    case AttributeKind::hex32:
      return py::int_(value);
    case AttributeKind::i64:
      return py::int_(static_cast<std::int64_t>(value));
    case AttributeKind::string:
      return text(value);
    case AttributeKind::region:
      return (*this)[RegionId{value}];
    case AttributeKind::location:
      return (*this)[LocationId{value}];
    case AttributeKind::comm:
      return (*this)[CommId{value}];
    case AttributeKind::root:
      if (value == root_this_group) return py::str("this_group");
      return (*this)[LocationId{value}];
    default:
      break;
  }
  if (const auto table = notation::table_of(kind))
    return with_reference(*table, value, [&](auto id) { return (*this)[id]; });
  py::object name;
  notation::with_enumeration(kind, [&]<class E>(std::type_identity<E>) { name = enumerator(static_cast<E>(value)); });
  return name;
}

}  // namespace waitstate::python
