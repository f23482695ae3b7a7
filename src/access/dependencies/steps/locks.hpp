// Locks of threads, with all waits: a thread that acquires one waits for the release by the thread that held it before.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_locks(DependencyParts& parts);

}  // namespace waitstate::access
