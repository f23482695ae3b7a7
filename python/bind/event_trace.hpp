// A trace as Python sees it.
#pragma once

#include <memory>

#include "bind/event.hpp"

namespace waitstate::python {

struct TraceObject {
  std::shared_ptr<const EventTrace> trace;
  std::shared_ptr<Tables> tables;  ///< of `trace`, which they keep alive
};

}  // namespace waitstate::python
