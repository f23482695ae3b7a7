// Teams of threads: forks, barriers in parallel regions, and the threads that are idle between these.
//
// Not in it: teams within teams, whose waits are work, and teams that are known by a number only (OMPT). What threads
// do in barriers for want of a task: tasks.hpp.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

void add_teams(DependencyParts& parts);

}  // namespace waitstate::access
