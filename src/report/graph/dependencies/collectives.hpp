// Blocking collective operations, MPI_Init and MPI_Finalize.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_collectives(DependencyParts& parts);

}  // namespace waitstate::report
