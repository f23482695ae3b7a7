// Passive target, with all waits: calls that wait for a lock of a window or of SHMEM to be released, or for a target
// to call MPI. A call waits for the last of these, from its enter on: what it releases itself later lies behind that.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_passive(DependencyParts& parts);

}  // namespace waitstate::report
