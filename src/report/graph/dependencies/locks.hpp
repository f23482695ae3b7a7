// Locks of threads, with all waits: who acquires one waits for the release by whoever had it before.
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_locks(DependencyParts& parts);

}  // namespace waitstate::report
