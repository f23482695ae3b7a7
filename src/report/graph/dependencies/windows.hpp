// One-sided communication of MPI, with all waits: fences.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_fences(DependencyParts& parts);

}  // namespace waitstate::report
