// Locks of threads, with all waits: who acquires one waits for the release by whoever had it before.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_locks(DependencyParts& parts);

}  // namespace waitstate::access
