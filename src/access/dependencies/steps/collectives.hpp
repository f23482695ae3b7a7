// Blocking collective operations, MPI_Init and MPI_Finalize.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_collectives(DependencyParts& parts);

}  // namespace waitstate::access
