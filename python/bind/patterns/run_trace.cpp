// self.trace of a Python pattern: the definitions of the trace that is being analysed, which stay valid, and during
// event callbacks the earlier events that something can still point to, region stacks, and the message queue.
#include "bind/definitions/errors.hpp"
#include "bind/events/event.hpp"
#include "bind/patterns/python_pattern.hpp"

namespace waitstate::python {

namespace {

struct RunTrace {
  std::shared_ptr<Running> running;
  std::shared_ptr<Tables> tables;
};

py::object event_at(const RunTrace& t, const py::object& position) {
  if (position.is_none()) throw UsageError("there is no event at None: the link leads nowhere");
  const Context& now = t.running->now();
  const EventSource& events = now.trace();
  const GivenNumber number(position);
  if (number.value < 0 && number.beyond <= 0) throw py::index_error("positions run from 0, not " + number.text());
  if (number.beyond != 0) throw py::index_error("event " + number.text() + " does not exist: no trace has that many");
  t.running->copies->follow(now.call_tree());
  try {
    return make_event(t.tables, events.event(static_cast<Position>(number.value)));
  } catch (const std::out_of_range& e) {
    throw py::index_error(e.what());
  }
}

/// The events of the run, for a pattern that has declared the wish.
const EventSource& events_for(const RunTrace& t, bool declared, const char* method, const char* wish) {
  const Context& now = t.running->now();
  if (!declared)
    throw UsageError(std::string(method) + "() is available only to patterns that ask for it: the class needs " + wish +
                     " = True");
  return now.trace();
}

std::vector<Position> stack(const RunTrace& t, const py::object& loc) {
  const EventSource& events = events_for(t, t.running->needs_stack, "stack", "needs_stack");
  return events.stack(given_location(t.tables->definitions(), loc));
}

std::vector<Position> queue(const RunTrace& t, const py::object& src, const py::object& dest) {
  const EventSource& events = events_for(t, t.running->needs_queue, "queue", "needs_queue");
  const Definitions& definitions = t.tables->definitions();
  return events.queue(given_location_or_none(definitions, src), given_location_or_none(definitions, dest));
}

// Patterns follow several links an event: a method of Python's own kind, without a generated dispatcher in front of it,
// takes half the time.
PyTypeObject* run_trace_type = nullptr;
PyObject* run_event_method(PyObject* self, PyObject* pos) {
  try {
    const auto& trace = object_in<RunTrace>(self, run_trace_type);
    return event_at(trace, py::reinterpret_borrow<py::object>(pos)).release().ptr();
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}
PyMethodDef run_event_definition = {
    "event", &run_event_method, METH_O,
    "event($self, pos, /)\n--\n\n"
    "The event at a position, during event callbacks only. Of the earlier events, only those are kept to which open "
    "regions, queued messages and unfinished requests refer, and the enters of the calls in which these were started: "
    "links of the current event always lead to one of them, and so does the enterptr of the event found. Raises "
    "IndexError for an event that has been released or is still to come, UsageError outside of event callbacks and in "
    "batches."};

}  // namespace

py::object make_run_trace(const std::shared_ptr<Running>& running, const std::shared_ptr<Tables>& tables) {
  return py::cast(RunTrace{running, tables});
}

void bind_run_trace(py::module_& module) {
  py::class_<RunTrace> c(module, "RunTrace",
                         "The trace that is being analysed, as a pattern sees it (Pattern.trace): its definitions, and "
                         "during event callbacks events by position, open regions, and messages in flight.");
  run_trace_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  const auto method = py::reinterpret_steal<py::object>(PyDescr_NewMethod(run_trace_type, &run_event_definition));
  if (!method) throw py::error_already_set();
  c.attr("event") = method;
  c.def("stack", &stack, py::arg("loc"),
        "Region stack of a location after the event that is delivered, as EventTrace.stack() has it: positions of the "
        "open enters, outermost first, as a list of int. Raises UsageError in a class without needs_stack = True, and "
        "outside of event callbacks and in batches.");
  c.def("queue", &queue, py::arg("src") = py::none(), py::arg("dest") = py::none(),
        "Message queue after the event that is delivered, as EventTrace.queue() has it: positions of the sends that "
        "have not been received yet, oldest first, as a list of int. Only messages sent by location `src` and to "
        "location `dest` are listed where these are given. With `dest`, it takes time in proportion to the messages on "
        "their way there; without it, to all messages on their way. Raises UsageError in a class without needs_queue = "
        "True, and outside of event callbacks and "
        "in batches.");
  c.def("__repr__", [](const RunTrace&) { return "<RunTrace: the trace that is being analysed>"; });
  define_tables(c, [](RunTrace& self) { return self.tables; });
}

}  // namespace waitstate::python
