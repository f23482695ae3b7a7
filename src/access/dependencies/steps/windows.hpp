// One-sided communication of MPI, with all waits: fences, and epochs from post and start to complete and wait.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_fences(DependencyParts& parts);
void add_epochs(DependencyParts& parts);

}  // namespace waitstate::access
