// A single event as Python sees it: a mapping as in EARL (recv['sendptr']) with the same as attributes (recv.sendptr).
#pragma once

#include <memory>

#include "bind/definitions/definitions.hpp"
#include "waitstate/trace/event.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::python {

/// A new Event object. It is a copy, valid for as long as Python keeps it.
py::object make_event(const std::shared_ptr<Tables>& tables, Event&& event);

/// The event in an Event object, valid as long as the object; nullptr if `object` is none.
const Event* event_of(py::handle object);

/// An iterator over the events of a trace at positions begin … end - 1.
py::object make_event_iterator(std::shared_ptr<const EventTrace> trace, const std::shared_ptr<Tables>& tables,
                               Position begin, Position end);

}  // namespace waitstate::python
