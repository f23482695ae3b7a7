// Accelerators, with all waits: a call that waits for a device waits for the kernel that ended last, and a kernel
// begins when it has been launched and the one before on its stream has ended.
//
// No recorder says which call launched a kernel: it is taken for the latest one of the process before. Copies are no
// activities of a stream.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_devices(DependencyParts& parts);

}  // namespace waitstate::access
