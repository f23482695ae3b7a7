// One-sided communication of MPI, with all waits: fences, and epochs from post and start to complete and wait.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_fences(DependencyParts& parts);
void add_epochs(DependencyParts& parts);

}  // namespace waitstate::report
