// SHMEM, with all waits: barriers and other collective operations, and waits for a change of memory.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_shmem(DependencyParts& parts);

}  // namespace waitstate::report
