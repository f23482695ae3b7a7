// SHMEM, with all waits: barriers and other collective operations, and waits for a change of memory.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_shmem(DependencyParts& parts);

}  // namespace waitstate::access
