// Non-blocking collective operations, with all waits: the call that completes one waits for whoever started it last.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_nonblocking_collectives(DependencyParts& parts);

}  // namespace waitstate::report
