// The enumerations of compound events as enum.IntEnum: their members are the numbers that batches have in their
// columns, and repr() shows their names. A member equals its name too (collective.kind == "barrier"), as event types
// and roles of regions do, which are texts. A name that no member has suggests the nearest one: as an attribute with an
// error, in a comparison with a warning.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bind/bind.hpp"
#include "bind/definitions/errors.hpp"
#include "bind/events/one_sided_objects.hpp"
#include "bind/events/point_to_point_objects.hpp"
#include "util/nearest.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::python {

namespace {

constexpr std::array kind_names = std::to_array<std::string_view>(
    {"init", "finalize", "barrier", "all_to_all", "one_to_all", "all_to_one", "scan", "other"});
static_assert(kind_names.size() == static_cast<std::size_t>(CollectiveKind::other) + 1);
static_assert(kind_names[static_cast<std::size_t>(CollectiveKind::scan)] == "scan");

constexpr std::array rma_operation_names = std::to_array<std::string_view>({"put", "get", "atomic"});
static_assert(rma_operation_names.size() == static_cast<std::size_t>(RmaOperationKind::atomic) + 1);
static_assert(rma_operation_names[static_cast<std::size_t>(RmaOperationKind::get)] == "get");

constexpr std::array rma_collective_names = std::to_array<std::string_view>({"create", "free", "fence", "other"});
static_assert(rma_collective_names.size() == static_cast<std::size_t>(RmaCollectiveKind::other) + 1);
static_assert(rma_collective_names[static_cast<std::size_t>(RmaCollectiveKind::fence)] == "fence");

// Members by number; never released, since objects may ask for them as long as the interpreter lives.
struct Members {
  std::vector<PyObject*> functions, kinds, ops, classes, rma_operations, rma_collectives;
};

Members& enum_members() {
  static Members all;
  return all;
}

py::object member_at(const std::vector<PyObject*>& all, std::size_t i) {
  if (i < all.size()) return py::reinterpret_borrow<py::object>(all[i]);
  return py::int_(i);
}

// Their base: an enum.IntEnum with a metaclass of its own, to which waitstate/__init__.py gives what it says of a
// member that is not there. (That cannot be imported here: the module is made before its package.)
py::object enumeration() {
  const py::module_ enums = py::module_::import("enum");
  const py::object type = py::module_::import("builtins").attr("type");
  static PyObject* const meta =
      type("EnumerationType", py::make_tuple(enums.attr("EnumMeta")), py::dict()).release().ptr();
  static PyObject* const base = py::module_::import("types")
                                    .attr("new_class")("Enumeration", py::make_tuple(enums.attr("IntEnum")),
                                                       py::dict(py::arg("metaclass") = py::handle(meta)))
                                    .release()
                                    .ptr();
  return py::reinterpret_borrow<py::object>(base);
}

/// Warns, at the line that compares, that nothing equals a text that is not a member's name. False: the warning is an
/// error.
bool warn_of_no_name(PyObject* self, PyObject* text) {
  std::vector<std::string> names;
  for (const py::handle name : py::type::of(py::handle(self)).attr("__members__")) names.push_back(py::str(name));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto given = to_bytes(py::reinterpret_borrow<py::str>(text));
  const std::string near = util::nearest(given, views);
  return PyErr_WarnFormat(PyExc_UserWarning, 1, "no %s is called '%s'%s%s%s", Py_TYPE(self)->tp_name, given.c_str(),
                          near.empty() ? "" : "; did you mean '", near.c_str(), near.empty() ? "" : "'?") == 0;
}

/// Comparison of a member with its name; with anything else as int has it.
PyObject* compare_member(PyObject* self, PyObject* other, int operation) {
  if (PyUnicode_Check(other) == 0 || (operation != Py_EQ && operation != Py_NE))
    return PyLong_Type.tp_richcompare(self, other, operation);
  try {
    const py::object name = py::handle(self).attr("_name_");
    const bool same = PyUnicode_Compare(name.ptr(), other) == 0;
    if (!same && !py::type::of(py::handle(self)).attr("__members__").contains(py::handle(other)) &&
        !warn_of_no_name(self, other))
      return nullptr;
    return PyBool_FromLong(same == (operation == Py_EQ));
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

template <class Names>
std::vector<PyObject*> add_enum(py::module_& module, const char* name, const char* doc, const Names& names) {
  py::list pairs;
  for (std::size_t i = 0; i < std::size(names); ++i)
    pairs.append(py::make_tuple(py::str(names[i].data(), names[i].size()), i));
  const py::object type = enumeration()(name, pairs, py::arg("module") = "waitstate");
  type.attr("__doc__") = doc;
  auto* const made = reinterpret_cast<PyTypeObject*>(type.ptr());
  made->tp_richcompare = &compare_member;
  PyType_Modified(made);
  module.attr(name) = type;
  std::vector<PyObject*> all;
  for (std::size_t i = 0; i < std::size(names); ++i) all.push_back(type(i).release().ptr());
  return all;
}

std::vector<std::string_view> class_names() {
  std::vector<std::string_view> names;
  for (int c = 0; c < region_class_count; ++c) names.push_back(name(static_cast<RegionClass>(c)));
  return names;
}

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names;
  for (unsigned f = 0; !name(static_cast<MpiFunction>(f)).empty(); ++f)
    names.push_back(name(static_cast<MpiFunction>(f)));
  return names;
}

std::vector<std::string_view> op_names() {
  std::vector<std::string_view> names;
  for (unsigned op = 0; !enum_name(static_cast<CollectiveOp>(op)).empty(); ++op)
    names.push_back(enum_name(static_cast<CollectiveOp>(op)));
  return names;
}

}  // namespace

py::object enum_member(MpiFunction f) { return member_at(enum_members().functions, static_cast<std::size_t>(f)); }
py::object enum_member(CollectiveKind k) { return member_at(enum_members().kinds, static_cast<std::size_t>(k)); }
py::object enum_member(CollectiveOp op) { return member_at(enum_members().ops, static_cast<std::size_t>(op)); }
py::object enum_member(RegionClass c) { return member_at(enum_members().classes, static_cast<std::size_t>(c)); }

py::object enum_member(RmaOperationKind k) {
  return member_at(enum_members().rma_operations, static_cast<std::size_t>(k));
}
py::object enum_member(RmaCollectiveKind k) {
  return member_at(enum_members().rma_collectives, static_cast<std::size_t>(k));
}
std::string_view rma_operation_text(RmaOperationKind k) { return rma_operation_names[static_cast<std::size_t>(k)]; }
std::string_view rma_collective_text(RmaCollectiveKind k) { return rma_collective_names[static_cast<std::size_t>(k)]; }

void bind_pattern_enums(py::module_& module) {
  Members& all = enum_members();
  all.functions = add_enum(module, "MpiFunction",
                           "The MPI functions whose meaning matters to matching; any other MPI function is `other`, "
                           "any neighbourhood collective `neighbour`, and a function that is not of MPI `none`.",
                           function_names());
  all.kinds = add_enum(module, "CollectiveKind",
                       "The members of a collective operation that have to wait for others: each for all (`barrier`, "
                       "and `all_to_all` for data), each for the root (`one_to_all`), the root for all (`all_to_one`), "
                       "each for those of lower rank (`scan`), or none as far as is known (`other`).",
                       kind_names);
  all.ops = add_enum(module, "CollectiveOp", "Collective operations, as OTF2 names them.", op_names());
  all.classes =
      add_enum(module, "RegionClass", "The time metric that a region's exclusive time belongs to.", class_names());
  all.rma_operations = add_enum(module, "RmaOperationKind", "Kinds of one-sided operations.", rma_operation_names);
  all.rma_collectives = add_enum(
      module, "RmaCollectiveKind",
      "The purpose of a collective operation on a window: to make it (`create`; SHMEM: allocation), to free it "
      "(`free`; SHMEM: deallocation), to end an epoch (`fence`), or another purpose, which its `collective` has "
      "(`other`).",
      rma_collective_names);
}

}  // namespace waitstate::python
