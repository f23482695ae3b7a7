// Threads without a task, with all waits: in a barrier or taskwait who executes none waits for whoever creates the next
// one, in a taskwait also for whoever ends the last one that runs.
//
// Not in it: tasks without teams (OMPT), and taskwaits in tasks that their thread leaves meanwhile.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

/// After add_teams(): whoever is done with a barrier waits for no task any more.
void add_tasks(DependencyParts& parts);

}  // namespace waitstate::access
