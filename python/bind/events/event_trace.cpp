// EventTrace: EARL's view of a trace, with its names. Reading and searching release the interpreter's lock; Ctrl-C ends
// a reading that takes long.
#include "bind/events/event_trace.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "bind/definitions/diagnostics.hpp"
#include "bind/events/one_sided_objects.hpp"
#include "waitstate/error.hpp"

namespace waitstate::python {

namespace {

using clock = std::chrono::steady_clock;

/// Lets signal handlers run (Ctrl-C raises KeyboardInterrupt), ten times a second: asking takes the interpreter's lock.
class SignalCheck {
 public:
  void operator()() {
    const auto now = clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  clock::time_point last_ = clock::now();
};

std::unique_ptr<TraceObject> open_trace(const py::object& given, unsigned threads, bool attribute_lists, bool transfers,
                                        const std::string& rma_model, bool epochs) {
  const std::filesystem::path path = path_of(given);
  EventTraceOptions options;
  options.threads = threads;
  options.attribute_lists = attribute_lists;
  options.transfers = transfers;
  options.rma_model = rma_model_of(rma_model);
  options.epochs = epochs;
  options.progress = [check = SignalCheck()](std::uint64_t, std::uint64_t) mutable { check(); };
  std::shared_ptr<const EventTrace> trace;
  {
    const py::gil_scoped_release release;
    trace = std::make_shared<const EventTrace>(path, options);
  }
  auto tables = std::make_shared<Tables>(Source{trace, &trace->definitions(), &trace->call_tree()});
  return std::unique_ptr<TraceObject>(::new TraceObject{std::move(trace), std::move(tables)});
}

/// A position as users give it: negative ones count from the end.
Position position_of(const EventTrace& trace, const py::handle& given) {
  const GivenNumber number(given);
  const auto size = static_cast<std::int64_t>(trace.size());
  if (number.beyond == 0 && number.value >= -size && number.value < size)
    return static_cast<Position>(number.value < 0 ? number.value + size : number.value);
  throw py::index_error("event " + number.text() + " does not exist: the trace has " + std::to_string(size) +
                        " events");
}

py::object event_at(const TraceObject& self, const py::object& pos) {
  if (pos.is_none())
    throw py::type_error(
        "there is no event at None: the link leads nowhere, since what it would point to is not in the "
        "trace; test it with `is None` first");
  return make_event(self.tables, self.trace->event(position_of(*self.trace, pos)));
}

// EventTrace.event and EventTrace[pos] are called once or more for every event that a study looks at, so they are
// methods of Python's own kind, without a generated dispatcher in front of them.
PyTypeObject* trace_type = nullptr;
PyObject* event_method(PyObject* self, PyObject* pos) {
  try {
    const auto& trace = object_in<TraceObject>(self, trace_type);
    if (PyLong_CheckExact(pos) != 0) {  // the usual way, and nothing but that
      int beyond = 0;
      const long long number = PyLong_AsLongLongAndOverflow(pos, &beyond);
      if (beyond == 0 && number >= 0 && static_cast<std::uint64_t>(number) < trace.trace->size())
        return make_event(trace.tables, trace.trace->event(static_cast<Position>(number))).release().ptr();
    }
    return event_at(trace, py::reinterpret_borrow<py::object>(pos)).release().ptr();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}
PyMethodDef event_definition = {
    "event", &event_method, METH_O,
    "event($self, pos, /)\n--\n\n"
    "The event at a position, from 0; negative ones count from the end. Raises IndexError beyond the trace."};

binaryfunc subscript_generally = nullptr;
PyObject* subscript(PyObject* self, PyObject* key) {
  return PySlice_Check(key) ? subscript_generally(self, key) : event_method(self, key);
}

void speed_up_access(py::handle trace_class) {
  auto* type = trace_type = reinterpret_cast<PyTypeObject*>(trace_class.ptr());
  const auto method = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &event_definition));
  if (!method) throw py::error_already_set();
  trace_class.attr("event") = method;
  subscript_generally = type->tp_as_mapping->mp_subscript;
  type->tp_as_mapping->mp_subscript = &subscript;
}

Position state_after(const TraceObject& self, const py::object& pos) {
  return pos.is_none() ? no_position : position_of(*self.trace, pos);
}

std::vector<Position> stack(const TraceObject& self, const py::object& loc, const py::object& pos) {
  return self.trace->stack(given_location(self.trace->definitions(), loc), state_after(self, pos));
}

std::vector<Position> queue(const TraceObject& self, const py::object& pos, const py::object& src,
                            const py::object& dest) {
  const Position after = state_after(self, pos);
  const Definitions& definitions = self.trace->definitions();
  const auto from = given_location_or_none(definitions, src), to = given_location_or_none(definitions, dest);
  const py::gil_scoped_release release;
  return self.trace->queue(after, from, to);
}

struct EpochObject {
  const Names& names;
  py::object operator()(const RmaCollective& r) const { return py::cast(RmaCollectiveObject(r, names)); }
  py::object operator()(const RmaAccessEpoch& e) const { return py::cast(RmaAccessEpochObject(e, names)); }
  py::object operator()(const RmaExposureEpoch& e) const { return py::cast(RmaExposureEpochObject(e, names)); }
  py::object operator()(const RmaLockEpoch& e) const { return py::cast(RmaLockEpochObject(e, names)); }
  py::object operator()(const RmaOperation& o) const { return py::cast(RmaOperationObject(o, names)); }
};

py::list epochs(const TraceObject& self) {
  py::list made;
  try {
    for (const OneSided& one : self.trace->epochs()) made.append(std::visit(EpochObject{self.tables}, one));
  } catch (const UsageError&) {
    throw UsageError("this trace was read without epochs, open it as EventTrace(path, epochs=True)");
  }
  return made;
}

py::object seconds(const TraceObject& self, const py::object& time) {
  const py::object first = py::int_(self.trace->size() == 0 ? 0 : self.trace->time(0));
  const py::object resolution = py::int_(self.trace->definitions().clock.resolution);
  if (PyIndex_Check(time.ptr()) != 0 && !py::hasattr(time, "__array__")) return (time - first) / resolution;
  const py::object times = py::module_::import("numpy").attr("asarray")(time, "int64");
  return (times - first) / resolution;
}

py::object duration_seconds(const TraceObject& self, const py::object& ticks) {
  const py::object resolution = py::int_(self.trace->definitions().clock.resolution);
  if (PyIndex_Check(ticks.ptr()) != 0) return ticks / resolution;
  return py::module_::import("numpy").attr("asarray")(ticks) / resolution;
}

}  // namespace

void bind_event_trace(py::module_& module) {
  bind_event(module);
  py::class_<TraceObject> c(module, "EventTrace", R"(A whole trace in memory, as a sequence of events (EARL).

EventTrace(path, threads=0, attribute_lists=False, transfers=False, rma_model="auto", epochs=False) reads an OTF2
archive (its anchor file, or a folder with exactly one) or a file in the text notation, with as many threads as there
are cores, or as many as given; it takes about 28 bytes an event. The events' attribute lists are kept on request.
Raises TraceError if nothing can be read; damage that leaves something to analyse is counted in `diagnostics`. Other
threads of Python run meanwhile, and Ctrl-C ends the reading.

With transfers, the starts and ends of one-sided transfers are events, too (put_1ts, put_1te, get_1to, get_1ts,
get_1te), at the times that rma_model chooses: "basic" (a transfer ends in its call), "extended" (in the call that
completes it), or "auto" (extended for MPI). With epochs, the epochs of one-sided communication are kept for epochs().

The stream is in order of time; where clocks or equal time stamps would put an effect before its cause (a receive before
its send), the effect is placed after it. len(trace), trace[pos], trace[-1], trace[a:b], and iteration give events.
A trace never changes, and may be used from several threads.)");
  c.def(py::init(&open_trace), py::arg("path"), py::kw_only(), py::arg("threads") = 0,
        py::arg("attribute_lists") = false, py::arg("transfers") = false, py::arg("rma_model") = "auto",
        py::arg("epochs") = false)
      .def("__len__", [](const TraceObject& self) { return self.trace->size(); })
      .def("__getitem__",
           [](const py::object& self, const py::slice& slice) {
             const auto& trace = self.cast<const TraceObject&>().trace;
             const py::object all = py::module_::import("builtins").attr("range")(trace->size());
             return py::module_::import("waitstate.event_range").attr("EventRange")(self, all[slice]);
           })
      .def("__getitem__", &event_at)
      .def("__iter__",
           [](const TraceObject& self) { return make_event_iterator(self.trace, self.tables, 0, self.trace->size()); })
      .def(
          "literal",
          [](const TraceObject& self, const py::object& pos) {
            return to_str(self.trace->literal(position_of(*self.trace, pos)));
          },
          py::arg("pos"), "The event in the text notation, with its position and links: str.")
      .def("stack", &stack, py::arg("loc"), py::arg("pos") = py::none(),
           "Region stack of a location after the event at `pos` (None: after the last): positions of the open enters, "
           "outermost first, as a list of int. While the location executes a task, the stack has only the enters of "
           "that task.")
      .def("queue", &queue, py::kw_only(), py::arg("pos") = py::none(), py::arg("src") = py::none(),
           py::arg("dest") = py::none(),
           "Message queue after the event at `pos` (None: after the last): positions of the sends that have not been "
           "received yet, oldest first, as a list of int. Only messages sent by location `src` and to location `dest` "
           "are listed where these are given. A send that the program cancels is never in the queue.")
      .def("epochs", &epochs,
           "Compound events of one-sided communication in the order of their first times, as a new list of "
           "RmaCollective, RmaAccessEpoch, RmaExposureEpoch, RmaLockEpoch and RmaOperation, which are the objects that "
           "callbacks of a Pattern are given. Raises UsageError unless the trace was opened with epochs=True.")
      .def("seconds", &seconds, py::arg("time"),
           "Seconds from the first event to a time stamp in ticks: float, or an array of them for an array.")
      .def("duration_seconds", &duration_seconds, py::arg("ticks"),
           "A number of ticks, such as a difference of time stamps, in seconds: float, or an array of them for an "
           "array.")
      .def_property_readonly(
          "diagnostics",
          [](const TraceObject& self) { return make_diagnostics(self.trace->diagnostics(), *self.tables); },
          "Damage and anomalies of the trace: tuple of Diagnostic, empty if there are none.")
      .def_property_readonly(
          "memory", [](const TraceObject& self) { return self.trace->memory(); },
          "Bytes of memory held for events, links and indexes.")
      .def("__repr__", [](const TraceObject& self) {
        return "<EventTrace of " + std::to_string(self.trace->size()) + " events on " +
               std::to_string(self.trace->location_count()) + " locations>";
      });
  define_tables(c, [](TraceObject& self) { return self.tables; });
  speed_up_access(c);
  bind_columns(module);
  bind_trace_columns(c);
}

}  // namespace waitstate::python
