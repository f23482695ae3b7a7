// Passive target, with all waits: calls that wait for a lock of a window or of SHMEM to be released, or for a target
// to call MPI. A call waits for the last of these, from its enter on: what it releases itself later lies behind that.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_passive(DependencyParts& parts);

}  // namespace waitstate::access
