// Teams of threads: forks, barriers in parallel regions, and the threads that are idle between these.
//
// Not in it: teams within teams, whose waits are work, explicit tasks, and teams that are known by a number only
// (OMPT).
#pragma once

#include "report/graph/dependencies/parts.hpp"

namespace waitstate::report {

void add_teams(DependencyParts& parts);

}  // namespace waitstate::report
