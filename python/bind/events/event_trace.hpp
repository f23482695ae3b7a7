// A trace as Python sees it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "bind/events/event.hpp"
#include "waitstate/trace/columns.hpp"

namespace waitstate::python {

/// Columns that somebody uses: who asks for the same gets the same.
struct MadeColumns {
  std::map<std::vector<EventType>, std::weak_ptr<const EventColumns>> columns;
  std::weak_ptr<const ColumnTable> messages, collectives, region_instances;
};

struct TraceObject {
  std::shared_ptr<const EventTrace> trace;
  std::shared_ptr<Tables> tables;  ///< of `trace`, which they keep alive
  std::shared_ptr<MadeColumns> made = std::make_shared<MadeColumns>();

  /// EventTrace.__new__(EventTrace) makes the bindings allocate an object, to be constructed later. Construction is
  /// ::new.
  static void* operator new(std::size_t) { throw py::type_error("EventTrace.__init__() has not been called"); }
  static void operator delete(void* object) { ::operator delete(object); }
};

/// Adds columns(), messages() and the like to EventTrace.
void bind_trace_columns(py::class_<TraceObject>& c);

}  // namespace waitstate::python
