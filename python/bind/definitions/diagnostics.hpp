// Damage and anomalies of a trace, as Python sees them.
#pragma once

#include "bind/definitions/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::python {

/// A tuple of Diagnostic: the kinds that occurred, in their own order.
py::tuple make_diagnostics(const Diagnostics& diagnostics, Tables& tables);

}  // namespace waitstate::python
