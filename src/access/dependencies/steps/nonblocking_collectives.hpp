// Non-blocking collective operations, with all waits: the call that completes one waits for the member that started it
// last.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_nonblocking_collectives(DependencyParts& parts);

}  // namespace waitstate::access
