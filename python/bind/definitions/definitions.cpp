// One Python class a definition table, its attributes generated from the fields that the notation writes, under the
// names that they have in C++ (and with few exceptions in the notation); what finish() derives is added by hand.
//
// Equality: a region equals its name (send_start['region'] == "MPI_Send") and regions of its trace with the same
// number. Every other definition equals its number and those of its kind with the same number, whatever trace they are
// of, so that locations can be used as indices and keys together with plain integers. Hashes agree with that.
#include "bind/definitions/definitions.hpp"

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "notation/tables.hpp"

namespace waitstate::python {

namespace {

// ---- fields ----

template <class T>
requires std::is_integral_v<T> py::object field(const SourcePtr&, T value) { return py::int_(value); }
py::object field(const SourcePtr&, bool value) { return py::bool_(value); }
py::object field(const SourcePtr&, const std::string& value) { return to_str(value); }
template <class Tag>
py::object field(const SourcePtr& source, Id<Tag> id) {
  return make_definition(source, id);
}
template <class E>
requires std::is_enum_v<E> py::object field(const SourcePtr&, E value) { return enumerator(value); }
py::object field(const SourcePtr& source, const std::vector<Property>& values) {
  py::dict result;
  for (const Property& p : values) result[to_str(p.name)] = to_python(source, p.value);
  return result;
}
template <class T>
py::object field(const SourcePtr& source, const std::vector<T>& values) {
  py::tuple result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = field(source, values[i]);
  return result;
}

/// Members of definitions whose names differ from those of their fields in the notation.
struct MemberName {
  std::string_view class_name, field, member;
};
constexpr std::array member_names = std::to_array<MemberName>({
    {"IoHandle", "access", "access_mode"},
    {"IoHandle", "status", "status_flags"},
    {"IoParadigmDefinition", "class", "io_class"},
    {"Location", "events", "announced_events"},
    {"MetricDefinition", "class", "metric_class"},
    {"MetricDefinition", "kind", "recorder_kind"},
    {"MetricMember", "value", "value_type"},
    {"Region", "begin", "begin_line"},
    {"Region", "canonical", "canonical_name"},
    {"Region", "end", "end_line"},
    {"SystemTreeNode", "class", "class_name"},
});

/// The field's name as an attribute: that of the member in C++.
std::string attribute_name(std::string_view class_name, std::string_view field) {
  for (const MemberName& m : member_names)
    if (m.class_name == class_name && m.field == field) return std::string(m.member);
  return std::string(field);
}
std::string attribute_doc(const std::string& name, const std::string& type) {
  return (name == "ref" ? "The recorder's own number for it: " : "The field `" + name + "` of the text notation: ") +
         type + ".";
}

/// The Python type that field() makes of a T, in the words of docstrings.
template <class T>
std::string field_in_words() {
  if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_integral_v<T>)
    return "int";
  else if constexpr (std::is_enum_v<T>)
    return "str or int";
  else if constexpr (std::is_same_v<T, std::string>)
    return "str";
  else if constexpr (std::is_same_v<T, std::vector<Property>>)
    return "dict of str to object";
  else if constexpr (requires { typename T::value_type; })
    return "tuple of " + field_in_words<typename T::value_type>();
  else
    return std::string(TableOfId<T>::class_name) + " or None";
}

// ---- classes ----

template <class I>
using Record = std::remove_cvref_t<decltype(TableOfId<I>::of(std::declval<const Definitions&>())[0])>;

template <class I>
std::string name_of(const Definition<I>& d) {
  if constexpr (requires { d.get().name; })
    return d.get().name;
  else
    return {};
}

template <class I>
py::object equals(const Definition<I>& self, const py::object& other) {
  if (py::isinstance<Definition<I>>(other)) {
    const auto& o = other.cast<const Definition<I>&>();
    if constexpr (std::is_same_v<I, RegionId>)
      return py::bool_(o.id == self.id && o.source->definitions == self.source->definitions);
    return py::bool_(o.id == self.id);
  }
  if constexpr (std::is_same_v<I, RegionId>) {
    if (py::isinstance<py::str>(other)) return py::bool_(to_str(name_of(self)).equal(other));
  } else {
    if (py::isinstance<py::int_>(other)) return py::bool_(py::int_(self.id.value).equal(other));
  }
  return py::reinterpret_borrow<py::object>(Py_NotImplemented);
}

// Comparing a region with a name is what patterns do most, so this one is a slot of the type: several times as fast as
// a generated method. A name that is not UTF-8 takes the long way.
PyTypeObject* region_type = nullptr;
PyObject* compare_region(PyObject* self, PyObject* other, int operation) {
  if (PyUnicode_Check(other) == 0 || (operation != Py_EQ && operation != Py_NE)) return nullptr;
  const auto& region = object_in<Definition<RegionId>>(self, region_type);
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(other, &size);
  if (text == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  const bool same = std::string_view(text, static_cast<std::size_t>(size)) == region.get().name;
  return PyBool_FromLong(same == (operation == Py_EQ));
}
richcmpfunc compare_region_generally = nullptr;
PyObject* compare_region_or_generally(PyObject* self, PyObject* other, int operation) {
  try {
    PyObject* result = compare_region(self, other, operation);
    return result != nullptr ? result : compare_region_generally(self, other, operation);
  } catch (const py::builtin_exception& e) {
    e.set_error();
    return nullptr;
  }
}
void speed_up_comparisons(py::handle region_class) {
  auto* type = region_type = reinterpret_cast<PyTypeObject*>(region_class.ptr());
  compare_region_generally = type->tp_richcompare;
  type->tp_richcompare = &compare_region_or_generally;
}

template <class I>
py::class_<Definition<I>> bind_definition(py::module_& module, const char* name, const char* doc) {
  using D = Definition<I>;
  py::class_<D> c(module, name, doc);
  const std::string class_name = name;
  c.def_property_readonly(
      "id", [](const D& self) { return self.id.value; }, "Its number in its table of the trace, from 0.");
  c.def("__int__", [](const D& self) { return self.id.value; });
  c.def("__index__", [](const D& self) { return self.id.value; });
  c.def("__eq__", &equals<I>);
  c.def("__lt__", [](const D& self, const D& other) { return self.id < other.id; });
  c.def("__hash__", [](const D& self) {
    if constexpr (std::is_same_v<I, RegionId>)
      return py::hash(to_str(name_of(self)));
    else
      return py::hash(py::int_(self.id.value));
  });
  c.def("__repr__", [class_name](const D& self) {
    std::string text = class_name + "(" + std::to_string(self.id.value);
    if constexpr (requires { self.get().name; })
      text += ", " + py::repr(to_str(name_of(self))).template cast<std::string>();
    return text + ")";
  });
  std::vector<std::pair<const char*, std::string>> fields;  // name, type
  Record<I> empty;
  Record<I>::fields(empty, [&](const char* field_name, const auto& value) {
    fields.emplace_back(field_name, field_in_words<std::remove_cvref_t<decltype(value)>>());
  });
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = [i](const D& self) {
      py::object result;
      std::size_t n = 0;
      Record<I>::fields(self.get(), [&](const char*, const auto& f) {
        if (n++ == i) result = field(self.source, f);
      });
      return result;
    };
    const auto& [field_name, type] = fields[i];
    c.def_property_readonly(attribute_name(name, field_name).c_str(), value, attribute_doc(field_name, type).c_str());
  }
  return c;
}

void bind_derived(py::module_& module) {
  using L = Definition<LocationId>;
  bind_definition<LocationId>(module, "Location",
                              "A thread, a stream or a metric recorder. Usable as an index, and equal to its number.")
      .def_property_readonly(
          "rank",
          [](const L& self) -> py::object {
            const ProcessId p = self.get().process;
            const auto& processes = self.source->definitions->processes;
            if (p.index() >= processes.size() || processes[p.index()].rank < 0) return py::none();
            return py::int_(processes[p.index()].rank);
          },
          "Rank of its process in MPI_COMM_WORLD, or in the equivalent of another library, from 0: int, or None if it "
          "has none.");
  using P = Definition<ProcessId>;
  bind_definition<ProcessId>(module, "Process", "A process, or the context of an accelerator to which streams belong.")
      .def_property_readonly(
          "rank",
          [](const P& self) -> py::object {
            return self.get().rank < 0 ? py::object(py::none()) : py::object(py::int_(self.get().rank));
          },
          "Rank in MPI_COMM_WORLD, or in the equivalent of another library, from 0: int, or None if it has none.")
      .def_property_readonly(
          "locations", [](const P& self) { return field(self.source, self.get().locations); },
          "Its locations in thread order: tuple of Location.");
  using R = Definition<RegionId>;
  auto region =
      bind_definition<RegionId>(
          module, "Region", "A function, loop or other part of the program. Equal to its name: region == \"MPI_Send\".")
          .def("__str__", [](const R& self) { return to_str(self.get().name); })
          .def_property_readonly(
              "region_class", [](const R& self) { return py::str(name(self.get().region_class)); },
              "The time metric that its exclusive time belongs to, such as \"mpi_point2point\" or \"comp\".");
  speed_up_comparisons(region);
  using C = Definition<CommId>;
  bind_definition<CommId>(module, "Communicator", "A communicator, an inter-communicator or a thread team.")
      .def_property_readonly(
          "members", [](const C& self) { return field(self.source, self.get().members); },
          "Its members by rank; for an inter-communicator, the members of group A: tuple of Location or None.")
      .def_property_readonly(
          "members_b", [](const C& self) { return field(self.source, self.get().members_b); },
          "Members of group B by rank, empty if it is not an inter-communicator: tuple of Location or None.")
      .def_property_readonly(
          "is_self", [](const C& self) { return self.get().self; },
          "True if it is each process itself: MPI_COMM_SELF and its duplicates.")
      .def_property_readonly(
          "paradigm", [](const C& self) { return field(self.source, self.get().paradigm); },
          "Paradigm of its group, such as \"mpi\": str or int.");
}

void bind_plain(py::module_& module) {
  py::class_<Clock>(module, "Clock", "The timer of a trace.")
      .def_readonly("resolution", &Clock::resolution, "Ticks per second, at least 1.")
      .def_readonly("offset", &Clock::offset, "Smallest time stamp in ticks, as the recorder says.")
      .def_readonly("length", &Clock::length,
                    "Ticks from the smallest to the largest time stamp, as the recorder says.")
      .def_property_readonly(
          "realtime",
          [](const Clock& c) -> py::object {
            return c.realtime == ~std::uint64_t{0} ? py::object(py::none()) : py::object(py::int_(c.realtime));
          },
          "Nanoseconds since 1970 at `offset`: int, or None if it is not known.")
      .def("__repr__", [](const Clock& c) { return "Clock(resolution=" + std::to_string(c.resolution) + ")"; });
  py::class_<Recorder>(module, "Recorder", "The origin of a trace, as the trace records it.")
      .def_property_readonly(
          "creator", [](const Recorder& r) { return to_str(r.creator); }, "The program that recorded it.")
      .def_property_readonly(
          "machine", [](const Recorder& r) { return to_str(r.machine); }, "Name of the machine.")
      .def_property_readonly(
          "description", [](const Recorder& r) { return to_str(r.description); }, "Free text.")
      .def_property_readonly(
          "version", [](const Recorder& r) { return to_str(r.version); }, "Version of the format.")
      .def_readonly("trace_id", &Recorder::trace_id, "A number that differs between traces.")
      .def_property_readonly(
          "properties",
          [](const Recorder& r) {
            py::dict result;
            for (const auto& [key, value] : r.properties) result[to_str(key)] = to_str(value);
            return result;
          },
          "Further properties: dict of str to str.")
      .def("__repr__",
           [](const Recorder& r) { return "Recorder(" + py::repr(to_str(r.creator)).cast<std::string>() + ")"; });
  using C = CallPathObject;
  py::class_<C>(
      module, "CallPath",
      "A region in the context of its callers. Usable as an index, and equal to its number. The number belongs to the "
      "Result or EventTrace that it comes from: others of the same trace may number their call paths differently. To "
      "compare call paths of several of them, compare `path`, which is the same in all.")
      .def_property_readonly(
          "id", [](const C& self) { return self.id.value; }, "Its number, from 0.")
      .def_property_readonly(
          "name",
          [](const C& self) { return to_str(self.source->call_tree->name(self.id, *self.source->definitions)); },
          "Name of its last element: the name of the region, or the file name of the program.")
      .def_property_readonly(
          "path",
          [](const C& self) { return to_str(self.source->call_tree->path(self.id, *self.source->definitions)); },
          "All elements from the root, joined by '/'.")
      .def_property_readonly(
          "parent", [](const C& self) { return make_call_path(self.source, self.get().parent); },
          "The caller's CallPath; None for a root.")
      .def_property_readonly(
          "region", [](const C& self) { return make_definition(self.source, self.get().region); },
          "Its Region; None for the program itself.")
      .def("__str__",
           [](const C& self) { return to_str(self.source->call_tree->path(self.id, *self.source->definitions)); })
      .def("__int__", [](const C& self) { return self.id.value; })
      .def("__index__", [](const C& self) { return self.id.value; })
      .def("__hash__", [](const C& self) { return py::hash(py::int_(self.id.value)); })
      .def("__lt__", [](const C& self, const C& other) { return self.id < other.id; })
      .def("__eq__",
           [](const C& self, const py::object& other) -> py::object {
             if (py::isinstance<C>(other)) return py::bool_(other.cast<const C&>().id == self.id);
             if (py::isinstance<py::int_>(other)) return py::bool_(py::int_(self.id.value).equal(other));
             return py::reinterpret_borrow<py::object>(Py_NotImplemented);
           })
      .def("__repr__", [](const C& self) {
        const py::str path = to_str(self.source->call_tree->path(self.id, *self.source->definitions));
        return "CallPath(" + std::to_string(self.id.value) + ", " + py::repr(path).cast<std::string>() + ")";
      });
}

/// All tables, as attributes and as a mapping of their names.
void bind_all_tables(py::module_& module) {
  using D = DefinitionsObject;
  py::class_<D> c(module, "Definitions",
                  "All definitions of a trace, as attributes (definitions.locations), and as a mapping of the names of "
                  "the tables to tuples of definitions (definitions[\"locations\"], definitions.items()).");
  const std::vector<const char*> tables = define_tables(c, [](D& self) { return self.tables; });
  py::tuple names(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) names[i] = tables[i];
  PyObject* const kept = names.release().ptr();  // for as long as the interpreter lives
  const auto all_names = [kept] { return py::reinterpret_borrow<py::tuple>(kept); };
  c.def(
       "keys", [all_names](const D&) { return all_names(); }, "Names of the tables: tuple of str.")
      .def(
          "values",
          [all_names](const py::object& self) {
            py::list all;
            for (const py::handle name : all_names()) all.append(self.attr(name));
            return all;
          },
          "The tables, in the order of keys(): list of tuple.")
      .def(
          "items",
          [all_names](const py::object& self) {
            py::list all;
            for (const py::handle name : all_names()) all.append(py::make_tuple(name, self.attr(name)));
            return all;
          },
          "Pairs of a table's name and the table: list of tuple.")
      .def("__getitem__",
           [all_names](const py::object& self, const py::str& name) {
             if (!all_names().contains(name)) throw py::key_error(name.cast<std::string>());
             return py::object(self.attr(name));
           })
      .def("__contains__", [all_names](const D&, const py::object& name) { return all_names().contains(name); })
      .def("__iter__", [all_names](const D&) { return py::iter(all_names()); })
      .def("__len__", [all_names](const D&) { return all_names().size(); })
      .def("__repr__", [](const D& self) {
        const Definitions& d = self.tables->definitions();
        return "<Definitions: " + std::to_string(d.processes.size()) + " processes, " +
               std::to_string(d.locations.size()) + " locations, " + std::to_string(d.regions.size()) + " regions>";
      });
  py::module_::import("collections.abc").attr("Mapping").attr("register")(c);
}

}  // namespace

void bind_definitions(py::module_& module) {
  bind_all_tables(module);
  bind_plain(module);
  bind_derived(module);
  bind_definition<GroupId>(module, "Group", "A group as recorded: its members mean what its type says.");
  bind_definition<RmaWinId>(module, "Window", "A window of one-sided communication.");
  bind_definition<SystemNodeId>(module, "SystemTreeNode", "A part of the machine.");
  bind_definition<AttributeId>(module, "AttributeDefinition",
                               "An attribute that attribute lists of events may contain.");
  bind_definition<MetricMemberId>(module, "MetricMember", "A counter.");
  bind_definition<MetricId>(module, "MetricDefinition",
                            "A class of counters that are recorded together, or an instance.");
  bind_definition<ParameterId>(module, "ParameterDefinition", "A parameter that events give values to.");
  bind_definition<CallSiteId>(module, "CallSite", "A place that calls a region.");
  bind_definition<RecordedCallPathId>(module, "RecordedCallPath", "A call path that the recorder defined.");
  bind_definition<SourceCodeLocationId>(module, "SourceCodeLocation", "A file and a line.");
  bind_definition<CallingContextId>(module, "CallingContext", "A calling context of a sample.");
  bind_definition<InterruptGeneratorId>(module, "InterruptGenerator", "A source of the interrupts that take samples.");
  bind_definition<CartDimensionId>(module, "CartDimension", "A dimension of a topology.");
  bind_definition<CartTopologyId>(module, "CartTopology", "A cartesian topology.");
  bind_definition<IoParadigmId>(module, "IoParadigmDefinition", "An interface of input and output.");
  bind_definition<IoFileId>(module, "IoFile", "A file or folder that the program used.");
  bind_definition<IoHandleId>(module, "IoHandle", "An open file.");
  bind_definition<MarkerId>(module, "Marker", "A kind of marker.");
}

}  // namespace waitstate::python
