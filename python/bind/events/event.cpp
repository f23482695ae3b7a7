// Events are made and looked at by the million, so this class is written against Python's C interface: an attribute
// costs some 30 ns, a generated binding several times that. What an event has is a table of fields made once from
// event_types: a key is found in a dictionary of interned names, an attribute by its entry, and both end in value().
#include "bind/events/event.hpp"

#include <array>
#include <string>
#include <vector>

#include "bind/events/event_fields.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::python {

namespace {

struct EventObject {
  PyObject_HEAD std::shared_ptr<Tables> tables;
  Event event;
};

struct EventIteratorObject {
  PyObject_HEAD std::shared_ptr<const EventTrace> trace;
  std::shared_ptr<Tables> tables;
  Position next, end;
};

/// Objects that are made once an interpreter; never freed, as types are used until the very end.
struct Shared {
  Fields fields;
  PyTypeObject* event_type = nullptr;
  PyTypeObject* iterator_type = nullptr;
  PyObject* numbers = nullptr;   ///< dict: name of a field → its number
  std::vector<PyObject*> names;  ///< names of the fields
  std::array<PyObject*, event_type_count> type_names{};
  std::vector<PyGetSetDef> getters;
};
Shared& shared() {
  static Shared& s = *new Shared;
  return s;
}

const EventObject& as_event(PyObject* self) { return *reinterpret_cast<EventObject*>(self); }

PyObject* position(Position p) {
  if (p == no_position) Py_RETURN_NONE;
  return PyLong_FromUnsignedLongLong(p);
}

PyObject* new_reference(const py::object& o) { return py::object(o).release().ptr(); }

py::tuple tail(const EventObject& self) {
  py::tuple result(self.event.tail.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = to_python(self.tables->source(), self.event.tail[i]);
  return result;
}

py::dict listed(const EventObject& self) {
  py::dict result;
  for (const ListedAttribute& a : self.event.list) {
    const auto& definitions = self.tables->definitions().attributes;
    const py::object key = a.attribute.index() < definitions.size()
                               ? py::object(to_str(definitions[a.attribute.index()].name))
                               : py::object(py::int_(a.attribute.value));
    result[key] = to_python(self.tables->source(), a.value);
  }
  return result;
}

/// A new reference to the value of a field that the event has.
PyObject* value(const EventObject& self, std::size_t field) {
  const Event& e = self.event;
  const Shared& s = shared();
  switch (s.fields[field].kind) {
    case FieldKind::pos:
      return position(e.pos);
    case FieldKind::time:
      return PyLong_FromUnsignedLongLong(e.time);
    case FieldKind::loc:
      return new_reference((*self.tables)[e.loc]);
    case FieldKind::type:
      return Py_NewRef(s.type_names[static_cast<std::size_t>(e.type)]);
    case FieldKind::callpath:
      return new_reference((*self.tables)[e.callpath]);
    case FieldKind::link:
      return position(e.*s.fields[field].link);
    case FieldKind::attribute: {
      const std::uint8_t i = s.fields.attribute_index(e.type, field);
      return self.tables->attribute(spec(e.type).attribute_table[i].kind, e.attributes[i]).release().ptr();
    }
    case FieldKind::counters:
    case FieldKind::arguments:
      return tail(self).release().ptr();
    case FieldKind::list:
      return listed(self).release().ptr();
  }
  Py_RETURN_NONE;
}

/// Calls body() and turns what it throws into a Python error.
template <class F>
PyObject* guarded(F&& body) {
  try {
    return body();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

// ---- the type's functions ----

void event_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  auto* e = reinterpret_cast<EventObject*>(self);
  e->event.~Event();
  e->tables.~shared_ptr();
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* event_attribute(PyObject* self, void* closure) {
  const auto field = reinterpret_cast<std::uintptr_t>(closure);
  return guarded([&]() -> PyObject* {
    const EventObject& e = as_event(self);
    if (shared().fields.has(e.event, field)) return value(e, field);
    PyErr_SetString(PyExc_AttributeError, shared().fields.what_it_has(e.event, shared().fields[field].name).c_str());
    return nullptr;
  });
}

/// Number of the field that `key` names and the event has; -1 if there is none, with an error set if there is one.
Py_ssize_t find_key(const EventObject& self, PyObject* key) {
  PyObject* number = PyDict_GetItemWithError(shared().numbers, key);
  if (number == nullptr) return -1;
  const Py_ssize_t field = PyLong_AsSsize_t(number);
  return shared().fields.has(self.event, static_cast<std::size_t>(field)) ? field : -1;
}

PyObject* event_subscript(PyObject* self, PyObject* key) {
  return guarded([&]() -> PyObject* {
    const EventObject& e = as_event(self);
    const Py_ssize_t field = find_key(e, key);
    if (field >= 0) return value(e, static_cast<std::size_t>(field));
    if (PyErr_Occurred() != nullptr) return nullptr;
    const std::string wanted = py::str(py::handle(key));
    PyErr_SetObject(PyExc_KeyError, py::str(shared().fields.what_it_has(e.event, wanted)).ptr());
    return nullptr;
  });
}

int event_contains(PyObject* self, PyObject* key) {
  const Py_ssize_t field = find_key(as_event(self), key);
  return field >= 0 ? 1 : PyErr_Occurred() != nullptr ? -1 : 0;
}

Py_ssize_t event_length(PyObject* self) {
  return static_cast<Py_ssize_t>(shared().fields.of(as_event(self).event).size());
}

/// A list with make(field) for every field of the event.
template <class F>
PyObject* list_of_fields(PyObject* self, F&& make) {
  return guarded([&] {
    py::list result;
    for (const std::size_t i : shared().fields.of(as_event(self).event)) result.append(make(i));
    return result.release().ptr();
  });
}
py::object key_at(std::size_t field) { return py::reinterpret_borrow<py::object>(shared().names[field]); }
py::object value_at(PyObject* self, std::size_t field) {
  return py::reinterpret_steal<py::object>(value(as_event(self), field));
}

PyObject* event_keys(PyObject* self, PyObject*) { return list_of_fields(self, &key_at); }
PyObject* event_values(PyObject* self, PyObject*) {
  return list_of_fields(self, [self](std::size_t i) { return value_at(self, i); });
}
PyObject* event_items(PyObject* self, PyObject*) {
  return list_of_fields(self, [self](std::size_t i) { return py::make_tuple(key_at(i), value_at(self, i)); });
}

PyObject* event_iter(PyObject* self) {
  const auto keys = py::reinterpret_steal<py::object>(event_keys(self, nullptr));
  return keys ? PyObject_GetIter(keys.ptr()) : nullptr;
}

PyObject* event_get(PyObject* self, PyObject* arguments) {
  PyObject *key = nullptr, *fallback = Py_None;
  if (PyArg_ParseTuple(arguments, "O|O:get", &key, &fallback) == 0) return nullptr;
  return guarded([&]() -> PyObject* {
    const Py_ssize_t field = find_key(as_event(self), key);
    if (field >= 0) return value(as_event(self), static_cast<std::size_t>(field));
    return PyErr_Occurred() != nullptr ? nullptr : Py_NewRef(fallback);
  });
}

/// As usual, but the error for an unknown name says what there is.
PyObject* event_getattro(PyObject* self, PyObject* wanted) {
  PyObject* found = PyObject_GenericGetAttr(self, wanted);
  if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return found;
  return guarded([&]() -> PyObject* {
    const std::string text = py::str(py::handle(wanted));
    if (!text.starts_with("__"))
      PyErr_SetString(PyExc_AttributeError, shared().fields.what_it_has(as_event(self).event, text).c_str());
    return nullptr;
  });
}

PyObject* event_dir(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    auto names = py::reinterpret_steal<py::list>(event_keys(self, nullptr));
    for (const char* method : {"keys", "values", "items", "get"}) names.append(py::str(method));
    return names.release().ptr();
  });
}

PyObject* event_str(PyObject* self) {
  return guarded([&] {
    const EventObject& e = as_event(self);
    return to_str(literal(e.event, e.tables->definitions())).release().ptr();
  });
}

PyObject* event_repr(PyObject* self) {
  return guarded([&] {
    const EventObject& e = as_event(self);
    return to_str("<Event " + literal(e.event, e.tables->definitions()) + ">").release().ptr();
  });
}

PyObject* event_compare(PyObject* self, PyObject* other, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || !Py_IS_TYPE(other, shared().event_type)) Py_RETURN_NOTIMPLEMENTED;
  const EventObject &a = as_event(self), &b = as_event(other);
  const bool same = self == other || (&a.tables->definitions() == &b.tables->definitions() &&
                                      a.event.pos == b.event.pos && a.event.pos != no_position);
  return PyBool_FromLong(same == (operation == Py_EQ));
}

Py_hash_t event_hash(PyObject* self) { return static_cast<Py_hash_t>(as_event(self).event.pos >> 1); }

void iterator_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  auto* i = reinterpret_cast<EventIteratorObject*>(self);
  i->trace.~shared_ptr();
  i->tables.~shared_ptr();
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* iterator_next(PyObject* self) {
  auto* i = reinterpret_cast<EventIteratorObject*>(self);
  if (i->next == i->end) return nullptr;
  return guarded([&] { return make_event(i->tables, i->trace->event(i->next++)).release().ptr(); });
}

PyObject* iterator_repr(PyObject* self) {
  const auto* i = reinterpret_cast<EventIteratorObject*>(self);
  return PyUnicode_FromFormat("<EventIterator at position %llu of %llu>", static_cast<unsigned long long>(i->next),
                              static_cast<unsigned long long>(i->end));
}

PyTypeObject* make_type(PyType_Spec& spec) {
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(type);
}

constexpr const char* event_doc =
    "One event: a mapping as in EARL, e['time'], with the same as attributes, e.time.\n\n"
    "All events have pos, time (ticks), loc, type, callpath and the links enterptr, sendptr, requestptr, beginptr,\n"
    "startptr and originptr: positions of earlier events, None where there is none. Each type adds its attributes, as "
    "`waitstate print` shows\n"
    "them: enter and exit `region`; send `dest tag com len`; recv `src tag com len`; and so on. References are\n"
    "definitions (Region, Location, Communicator, ...), enumerations their names. Where an attribute is called "
    "`type`,\n"
    "it is `lock_type` or `atomic_type` here. A key that the type does not have raises KeyError (as an attribute:\n"
    "AttributeError), which lists the known keys. str() gives the event's line in the text notation.\n\n"
    "An event is a copy: it stays valid, whatever happens to its trace.";

}  // namespace

py::object make_event(const std::shared_ptr<Tables>& tables, Event&& event) {
  PyTypeObject* type = shared().event_type;
  auto* self = reinterpret_cast<EventObject*>(type->tp_alloc(type, 0));
  if (self == nullptr) throw py::error_already_set();
  new (&self->tables) std::shared_ptr<Tables>(tables);
  new (&self->event) Event(std::move(event));
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(self));
}

const Event* event_of(py::handle object) {
  return Py_IS_TYPE(object.ptr(), shared().event_type) ? &as_event(object.ptr()).event : nullptr;
}

py::object make_event_iterator(std::shared_ptr<const EventTrace> trace, const std::shared_ptr<Tables>& tables,
                               Position begin, Position end) {
  PyTypeObject* type = shared().iterator_type;
  auto* self = reinterpret_cast<EventIteratorObject*>(type->tp_alloc(type, 0));
  if (self == nullptr) throw py::error_already_set();
  new (&self->trace) std::shared_ptr<const EventTrace>(std::move(trace));
  new (&self->tables) std::shared_ptr<Tables>(tables);
  self->next = begin;
  self->end = end;
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(self));
}

void bind_event(py::module_& module) {
  Shared& s = shared();
  s.numbers = py::dict().release().ptr();
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    s.names.push_back(PyUnicode_InternFromString(s.fields[i].name.c_str()));
    if (PyDict_SetItem(s.numbers, s.names[i], py::int_(i).ptr()) != 0) throw py::error_already_set();
    // Python hands the number back as it is.
    void* const closure = reinterpret_cast<void*>(i);  // NOLINT(performance-no-int-to-ptr)
    s.getters.push_back({s.fields[i].name.c_str(), &event_attribute, nullptr, s.fields[i].doc.c_str(), closure});
  }
  s.getters.push_back({});
  for (std::size_t t = 0; t < event_type_count; ++t)
    s.type_names[t] = PyUnicode_InternFromString(std::string(event_types[t].name).c_str());

  static PyMethodDef methods[] = {
      {"keys", &event_keys, METH_NOARGS, "Names of the values that this event has: list of str."},
      {"values", &event_values, METH_NOARGS, "Its values in the order of keys(): list."},
      {"items", &event_items, METH_NOARGS, "Pairs of name and value: list of tuple."},
      {"get", &event_get, METH_VARARGS, "get(key, default=None): the value, or the default if there is none."},
      {"__dir__", &event_dir, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(event_doc)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(&event_dealloc)},
                         {Py_tp_getattro, reinterpret_cast<void*>(&event_getattro)},
                         {Py_tp_getset, s.getters.data()},
                         {Py_tp_methods, methods},
                         {Py_tp_iter, reinterpret_cast<void*>(&event_iter)},
                         {Py_tp_str, reinterpret_cast<void*>(&event_str)},
                         {Py_tp_repr, reinterpret_cast<void*>(&event_repr)},
                         {Py_tp_richcompare, reinterpret_cast<void*>(&event_compare)},
                         {Py_tp_hash, reinterpret_cast<void*>(&event_hash)},
                         {Py_mp_subscript, reinterpret_cast<void*>(&event_subscript)},
                         {Py_mp_length, reinterpret_cast<void*>(&event_length)},
                         {Py_sq_contains, reinterpret_cast<void*>(&event_contains)},
                         {0, nullptr}};
  PyType_Spec event_spec{"waitstate.Event", sizeof(EventObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  s.event_type = make_type(event_spec);
  PyType_Slot iterator_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&iterator_dealloc)},
                                  {Py_tp_iter, reinterpret_cast<void*>(&PyObject_SelfIter)},
                                  {Py_tp_iternext, reinterpret_cast<void*>(&iterator_next)},
                                  {Py_tp_repr, reinterpret_cast<void*>(&iterator_repr)},
                                  {0, nullptr}};
  PyType_Spec iterator_spec{"waitstate.EventIterator", sizeof(EventIteratorObject), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, iterator_slots};
  s.iterator_type = make_type(iterator_spec);
  module.attr("Event") = py::handle(reinterpret_cast<PyObject*>(s.event_type));
  py::module_::import("collections.abc").attr("Mapping").attr("register")(module.attr("Event"));
}

}  // namespace waitstate::python
