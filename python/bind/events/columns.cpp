// Columns as NumPy arrays: views of the library's memory, never copies. An array's base is the object here, which keeps
// the memory and the trace, so an array may outlive every other name for them. Arrays are read-only, since all that
// look at a column share it. NumPy is imported with the first array. Users have a waitstate.Columns, a dict of these
// arrays.
#include <pybind11/numpy.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/events/event_trace.hpp"
#include "util/nearest.hpp"
#include "waitstate/error.hpp"
#include "waitstate/trace/columns.hpp"

namespace waitstate::python {

namespace {

/// Columns of events, which are made on demand, or a table that is complete.
struct ColumnsObject {
  std::shared_ptr<const EventColumns> events;
  std::shared_ptr<const ColumnTable> table;
  std::shared_ptr<Tables> tables;
  std::string what;

  std::size_t rows() const { return events ? events->rows() : table->rows; }
  std::vector<std::string> names() const {
    if (events) return events->names();
    std::vector<std::string> names;
    for (const auto& [name, column] : table->columns) names.push_back(name);
    return names;
  }
  const Column& column(const std::string& name) const {
    if (events) {
      const py::gil_scoped_release release;
      return events->column(name);
    }
    for (const auto& [known, column] : table->columns)
      if (known == name) return column;
    const std::vector<std::string> all = names();
    const std::vector<std::string_view> views(all.begin(), all.end());
    std::string known;
    for (const std::string& n : all) known += (known.empty() ? "" : ", ") + n;
    const std::string near = util::nearest(name, views);
    throw UsageError("there is no column '" + name + "' of " + what + ", but " + known +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
};

py::array array_of(const py::object& self, const std::string& name) {
  const Column& column = self.cast<const ColumnsObject&>().column(name);
  py::array result = std::visit(
      [&]<class T>(const std::vector<T>& numbers) {
        return py::array(py::dtype::of<T>(), {numbers.size()}, {sizeof(T)}, numbers.data(), self);
      },
      column);
  result.attr("setflags")(py::arg("write") = false);
  return result;
}

EventType event_type_of(const std::string& text) {
  EventType type{};
  if (event_type_from_name(text, type)) return type;
  std::vector<std::string_view> known;
  for (const EventTypeSpec& s : event_types) known.push_back(s.name);
  const std::string near = util::nearest(text, known);
  throw UsageError("there is no event type '" + text + "'" +
                   (near.empty() ? "; waitstate.event_types has all" : "; did you mean '" + near + "'?"));
}

/// Makes an object once for as long as somebody uses it.
template <class T, class F>
std::shared_ptr<const T> shared_table(std::weak_ptr<const T>& kept, F&& make) {
  if (auto found = kept.lock()) return found;
  std::shared_ptr<const T> made;
  {
    const py::gil_scoped_release release;
    made = make();
  }
  kept = made;
  return made;
}

ColumnsObject columns_of_types(const TraceObject& self, const py::args& types) {
  std::array<bool, event_type_count> wanted{};
  std::string what = "events";
  for (const py::handle type : types) {
    if (!py::isinstance<py::str>(type))
      throw py::type_error("columns() takes names of event types, such as \"send\", not " +
                           py::repr(type).cast<std::string>());
    wanted[static_cast<std::size_t>(event_type_of(type.cast<std::string>()))] = true;
    what += (what == "events" ? " of type " : ", ") + type.cast<std::string>();
  }
  std::vector<EventType> chosen;
  for (std::size_t t = 0; t < event_type_count; ++t)
    if (wanted[t]) chosen.push_back(static_cast<EventType>(t));
  auto made = shared_table(self.made->columns[chosen],
                           [&] { return std::make_shared<const EventColumns>(self.trace, chosen); });
  return {std::move(made), nullptr, self.tables, std::move(what)};
}

ColumnsObject table_of(const TraceObject& self, std::weak_ptr<const ColumnTable>& kept,
                       ColumnTable (*make)(const EventTrace&), const char* what) {
  return {nullptr, shared_table(kept, [&] { return std::make_shared<const ColumnTable>(make(*self.trace)); }),
          self.tables, what};
}

/// As users have them.
py::object in_python(ColumnsObject columns) {
  return py::module_::import("waitstate.columns").attr("Columns")(py::cast(std::move(columns)));
}

}  // namespace

void bind_columns(py::module_& module) {
  py::tuple type_names(event_type_count);
  for (std::size_t i = 0; i < event_type_count; ++i) type_names[i] = py::str(event_types[i].name);
  module.attr("event_types") = type_names;

  using C = ColumnsObject;
  py::class_<C>(module, "_Columns", "The compiled part of waitstate.Columns.")
      .def("__len__", &C::rows)
      .def("names", &C::names)
      .def("__getitem__", &array_of, py::arg("name"))
      .def_property_readonly("what", [](const C& self) { return self.what; })
      .def_property_readonly(
          "regions", [](const C& self) { return self.tables->all<RegionId>(); },
          "The regions that numbers in columns refer to: tuple of Region.")
      .def_property_readonly(
          "call_paths", [](const C& self) { return self.tables->all_call_paths(); },
          "The call paths that numbers in columns refer to: tuple of CallPath.");
}

void bind_trace_columns(py::class_<TraceObject>& c) {
  c.def(
      "columns",
      [](const TraceObject& self, const py::args& types) { return in_python(columns_of_types(self, types)); },
      R"(columns(*types): the events of these types (without arguments: all events) as Columns, one row per event in the order of the stream.

All have pos, time, loc, type, callpath, the links (enterptr, sendptr, ...) and region (of enter and exit), and
further the attributes of the chosen types: references and strings int32, numbers uint32, uint64 or int64 as recorded,
enumerations uint8. In rows of a type that lacks an attribute a reference is -1, an enumeration 255, a number 0.
An unknown type raises UsageError.)");
  c.def(
      "messages",
      [](const TraceObject& self) {
        return in_python(table_of(self, self.made->messages, &message_columns, "messages"));
      },
      R"(Matched messages as Columns, one row per message in the order of their receives.

sendptr, recvptr: positions of the two records. src, dest: their locations. tag, com, len (bytes). send_time, recv_time:
times of the records. send_enter, recv_enter: times at which the calls were entered. send_region, recv_region, send_callpath,
recv_callpath: regions and call paths of the calls.)");
  c.def(
      "collectives",
      [](const TraceObject& self) {
        return in_python(table_of(self, self.made->collectives, &collective_columns, "parts in collective operations"));
      },
      R"(Parts of processes in collective operations as Columns, one row per part in the order of their end records.

pos: position of the end record. beginptr: position of the begin record, or of the request. loc, com, op, root (a
location). sent, received: bytes. begin, end: times of the two records. enter: time at which the call was entered.
callpath. nonblocking: 0 or 1. nth: number of the operation among those of this process on that communicator. instance:
the same number in all parts of one operation.)");
  c.def(
      "region_instances",
      [](const TraceObject& self) {
        return in_python(table_of(self, self.made->region_instances, &region_instance_columns, "region instances"));
      },
      R"(Region instances as Columns, one row per instance in the order of their enters.

enterptr, exitptr: positions (exitptr -1: never left). loc, region, callpath. depth: number of regions open around it.
enter, exit: times. inclusive_ticks, exclusive_ticks: the latter without the instances directly inside. Where suspended tasks
take turns on a location, exitptr, depth and the times of their instances are not right; the links of the events
(enterptr) are.)");
  c.def(
      "to_dataframe",
      [](const TraceObject& self, const py::args& types, bool names) {
        return in_python(columns_of_types(self, types)).attr("to_dataframe")(py::arg("names") = names);
      },
      py::kw_only(), py::arg("names") = true,
      "to_dataframe(*types, names=True): columns(*types).to_dataframe(names=names), a pandas.DataFrame.");
}

}  // namespace waitstate::python
