// Threads without a task, with all waits: in a barrier or taskwait, a thread that executes none waits for the thread
// that creates the next one, in a taskwait also for the one that ends the last task that runs.
//
// Not in it: tasks without teams (OMPT), and taskwaits in tasks that their thread leaves meanwhile.
#pragma once

#include "access/dependencies/parts.hpp"

namespace waitstate::access {

/// After add_teams(): a thread that is done with a barrier waits for no task any more.
void add_tasks(DependencyParts& parts);

}  // namespace waitstate::access
