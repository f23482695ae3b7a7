// Messages, with what each side waits for; and, with all waits, calls that look for a message before it is sent:
// MPI_Probe, polls by MPI_Iprobe, and tests of the request that receives it.
//
// Not in it: searches for messages that are received as matched ones (MPI_Mprobe, MPI_Improbe).
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_messages(DependencyParts& parts);
void add_searches(DependencyParts& parts);

}  // namespace waitstate::access
