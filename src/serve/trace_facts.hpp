// Facts about the trace that the page shows before anything is analysed: they are in its definitions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pass/trace_input.hpp"

namespace waitstate::serve {

/// The locations in the order of the timeline's rows: by process and thread.
std::vector<LocationId> order_of_rows(const Definitions& definitions);

/// The JSON of GET trace. `first`, `last`: times of the first and the last event.
std::string trace_json(const pass::TraceInput& input, Time first, Time last);

/// The names of all regions, each once, sorted.
std::vector<std::string> region_names(const Definitions& definitions);

}  // namespace waitstate::serve
